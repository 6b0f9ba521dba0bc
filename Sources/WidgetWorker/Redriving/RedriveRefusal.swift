/// Why an original is not sent in again: its rejection stays where it is.
public enum RedriveRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable
    case withoutID
    case truncated
    case redacted
    case sequenceStale
    case exchangeMissing(String)
    case unroutable(exchange: String)

    /// What is there, and what to do.
    public var description: String {
        switch self {
        case .unreadable: "the body is not that of a rejection; look at it with another tool"
        case .withoutID: "the rejection has no message_id, so a repeat could not be told; send the original by hand"
        case .truncated: "the original is truncated; have its sender send it again"
        case .redacted: "action headers in the original are redacted; have its sender send it again"
        case .sequenceStale: "a newer update has been applied; what is stale stays stale"
        case .exchangeMissing(let name): "there is no exchange \(name); declare it, as `widgetd run` does"
        case .unroutable(""): "the queue it came through is not there; declare it, as `widgetd run` does"
        case .unroutable(let exchange): "no queue takes it from \(exchange); bind one, as `widgetd run` does"
        }
    }
}
