/// Which rejections a redrive takes; what is `nil` does not matter.
public struct RedriveSelection: Sendable {
    public var code: String?
    public var account: String?
    public var slug: String?
    /// `received_at` at the earliest, milliseconds since 1970.
    public var since: Int64?

    public init(code: String? = nil, account: String? = nil, slug: String? = nil, since: Int64? = nil) {
        self.code = code
        self.account = account
        self.slug = slug
        self.since = since
    }

    public var isEmpty: Bool { code == nil && account == nil && slug == nil && since == nil }

    public func takes(_ rejection: StoredRejection) -> Bool {
        Self.agree(code, rejection.code) && Self.agree(account, rejection.account) && Self.agree(slug, rejection.slug)
            && since.map { rejection.receivedAt >= $0 } ?? true
    }

    private static func agree(_ wanted: String?, _ found: String?) -> Bool {
        wanted.map { found?.utf8.elementsEqual($0.utf8) ?? false } ?? true
    }
}
