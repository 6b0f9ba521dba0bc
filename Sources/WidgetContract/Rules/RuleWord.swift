/// The word by which a violation names the rule that was broken.
public enum RuleWord: String, CaseIterable, Sendable {
    case required, type, `enum`
    case unknownField = "unknown_field"
    case finite, range, order
    case maxLength = "max_length"
    case notBlank = "not_blank"
    case minItems = "min_items"
    case maxItems = "max_items"
    case duplicate, pattern
    case dateTime = "date_time"
    case dateFloor = "date_floor"
    case dateHorizon = "date_horizon"
    case color, url
    case urlScheme = "url_scheme"
    case urlHost = "url_host"
    case httpOnly = "http_only"
    case header
    case maxBytes = "max_bytes"
}
