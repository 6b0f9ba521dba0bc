/// The word by which a violation names the rule that was broken.
public enum RuleWord: String, CaseIterable, Sendable {
    case required, type, `enum`, unknownField = "unknown_field", finite, range, order
    case maxLength = "max_length", notBlank = "not_blank", minItems = "min_items", maxItems = "max_items"
    case duplicate, pattern, dateTime = "date_time", dateFloor = "date_floor", dateHorizon = "date_horizon"
    case color, url, urlScheme = "url_scheme", urlHost = "url_host", httpOnly = "http_only", header
    case maxBytes = "max_bytes"
}
