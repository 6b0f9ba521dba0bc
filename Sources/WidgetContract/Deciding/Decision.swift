public import WidgetJSON

/// What became of a message.
public enum Decision: Sendable {
    case accepted(Accepted)
    case rejected(Rejection)
}

/// What an accepted message did to its widget.
public struct Accepted: Sendable {
    public var changed: ChangedMembers
    /// `nil` for a deletion.
    public var template: Template?
    /// Devices need a build of at least 1.6 to draw the content.
    public var needsNewBuild: Bool
    /// The widget's own throttle.
    public var throttleSeconds: Double?

    /// `min_app_version` of outcomes, by the contract's list of what is new in 1.6.
    public var minAppVersion: String? { needsNewBuild ? "1.6" : nil }
}

/// Why a message changed nothing.
public struct Rejection: Sendable {
    public var code: RejectionCode
    /// For people.
    public var detail: String
    public var violations: [Violation]
    /// Of the content that was judged; `nil` where none was, or it has no legal one.
    public var template: Template?

    public init(_ code: RejectionCode, _ detail: String, violations: [Violation] = []) {
        self.code = code
        self.detail = detail
        self.violations = violations
    }

    /// For content or a widget that breaks the contract: the code follows from where the violations are.
    init(violations: [Violation], template: Template? = nil) {
        let isContentAlone = violations.allSatisfy {
            // Bytes are compared: a name may begin with a combining mark, which belongs to no slash.
            let location = $0.location.description.utf8
            return location.elementsEqual("/content".utf8) || location.starts(with: "/content/".utf8)
        }
        self.init(
            isContentAlone ? .contentInvalid : .widgetInvalid, Self.detail(violations), violations: violations)
        self.template = template
    }

    private static func detail(_ violations: [Violation]) -> String {
        guard let first = violations.first else { return "" }
        let tokens = first.location.tokens
        let name = tokens.drop { $0 == "content" && tokens.count > 1 }.joined(separator: ".")
        let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
        return "\(name.isEmpty ? "the body" : name) \(first.phrase)\(more)"
    }
}

extension Violation {
    /// The message as it follows a member's name: one that begins with a count gets a verb.
    public var phrase: String {
        message.first.map { $0.isNumber } == true ? "has \(message)" : message
    }
}

/// Stable codes of rejections.
public enum RejectionCode: String, CaseIterable, Sendable {
    case malformed = "message.malformed"
    case tooLarge = "message.too_large"
    case contentTypeUnsupported = "message.content_type_unsupported"
    case contentEncodingUnsupported = "message.content_encoding_unsupported"
    case typeUnknown = "message.type_unknown"
    case addressMissing = "message.address_missing"
    case addressConflict = "message.address_conflict"
    case idConflict = "message.id_conflict"
    case bodyRequired = "request.body_required"
    case accountForbidden = "account.forbidden"
    case contentInvalid = "widget.content_invalid"
    case widgetInvalid = "widget.invalid"
    case notFound = "widget.not_found"
    case limitExceeded = "widget.limit_exceeded"
    case sequenceStale = "widget.sequence_stale"
    case quarantined = "message.quarantined"

    /// The HTTP status that says the same.
    public var status: Int {
        switch self {
        case .malformed, .typeUnknown, .addressMissing, .addressConflict, .bodyRequired: 400
        case .accountForbidden: 403
        case .notFound: 404
        case .idConflict, .sequenceStale: 409
        case .tooLarge: 413
        case .contentTypeUnsupported, .contentEncodingUnsupported: 415
        case .contentInvalid, .widgetInvalid: 422
        case .limitExceeded: 429
        case .quarantined: 500
        }
    }

    /// The status in words (RFC 9110 section 15, RFC 6585).
    public var title: String {
        switch status {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        default: "Internal Server Error"
        }
    }
}

extension Rejection {
    /// A `slug` in the body that is no string addresses nothing.
    public static func slugIsNoString(_ document: DocumentView, _ position: Int) -> Rejection {
        Rejection(violations: [
            Violation(.root.appending("slug"), .type, "must be a string, not \(document[position].kind.inWords)")
        ])
    }
}
