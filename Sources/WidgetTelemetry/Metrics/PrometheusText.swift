/// Writes the text that Prometheus scrapes (exposition format 0.0.4).
public struct PrometheusText {
    public enum Kind: String {
        case counter, gauge, histogram
    }

    public typealias Labels = KeyValuePairs<String, String>

    public private(set) var text = ""
    private var name = ""

    public init() {}

    /// Begins a family; its samples follow.
    /// - Parameters:
    ///   - name: with its unit, and `_total` for a counter.
    ///   - help: one line.
    public mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    public mutating func sample(_ value: Int, _ labels: Labels = [:]) {
        line("", Array(labels), "\(value)")
    }

    public mutating func sample(_ value: Double, _ labels: Labels = [:]) {
        line("", Array(labels), Self.number(value))
    }

    public mutating func samples(_ histogram: Histogram, _ labels: Labels = [:]) {
        let labels = Array(labels)
        var below = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            below += count
            line("_bucket", labels + [("le", Self.number(bound))], "\(below)")
        }
        line("_bucket", labels + [("le", "+Inf")], "\(histogram.count)")
        line("_sum", labels, Self.number(histogram.sum))
        line("_count", labels, "\(histogram.count)")
    }

    private mutating func line(_ suffix: String, _ labels: [(key: String, value: String)], _ value: String) {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
