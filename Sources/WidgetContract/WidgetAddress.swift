/// Where a widget lives: its account and its slug in that account.
public struct WidgetAddress: Hashable, Sendable {
    public let account: String
    public let slug: String

    public init(account: String, slug: String) {
        self.account = account
        self.slug = slug
    }
}
