public import WidgetTime

/// What one value must be, whatever stands around it.
public enum ValueRule: Sendable, Equatable {
    /// A string of at most so many code points; `isRequiredText` refuses one of white space alone.
    case text(longest: Int, isRequiredText: Bool = false)
    /// A number that a double holds, within bounds; infinite bounds bound nothing.
    case number(lowest: Double = -.infinity, highest: Double = .infinity)
    /// A number without a fraction; `900.0` is one.
    case wholeNumber(lowest: Int, highest: Int)
    case boolean
    /// An RFC 3339 date-time within the contract's bounds.
    case date
    case color
    case word(WordList)
    /// A URL of at most so many code points.
    case url(longest: Int)
    /// HTTP headers: an object of strings, names and values together at most so many bytes.
    case headers(mostBytes: Int)
    case object(ObjectName)
    case array(ArrayName)

    /// Bounds of every date: strictly after 2000-01-01T00:00:00Z, at most 366 days ahead of the clock.
    public static let dateFloor = Timestamp(seconds: 946_684_800)
    public static let dateHorizonSeconds: Int64 = 366 * 86_400

    /// Schemes of URLs that run code or read what is local, in lower case: no URL has one.
    public static let forbiddenSchemes = ["javascript", "data", "file", "vbscript"]
    /// Schemes of URLs that are requested over the network: they need a host.
    public static let requestSchemes = ["http", "https"]
}

/// The lists of words that an enum member chooses from.
public enum WordList: Int, CaseIterable, Sendable {
    case template, severity, trend, periodLevel, sortField, sortDirection, timerStyle, httpMethod

    public var words: [String] { Self.table[rawValue] }

    /// Letters of any case match.
    public var ignoresCase: Bool { self == .httpMethod }

    /// Finds a word.
    var index: NameIndex { Self.indexes[rawValue] }

    private static let indexes = allCases.map { NameIndex($0.words, ignoringCase: $0.ignoresCase) }

    private static let table: [[String]] = allCases.map { list in
        switch list {
        case .template: Template.allCases.map(\.rawValue)
        case .severity: ["info", "warning", "critical", "success"]
        case .trend: ["up", "down", "flat"]
        case .periodLevel: ["low", "medium", "high"]
        case .sortField: ["level", "name"]
        case .sortDirection: ["asc", "desc"]
        case .timerStyle: ["timer", "relative"]
        case .httpMethod: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
        }
    }
}
