import WidgetPresentation
import WidgetTestSupport
import WidgetTime

/// Random contents that the contract accepts, with dates near the clock so that much of them moves.
struct RandomContent {
    var random: SeededRandom

    mutating func content(of template: PresentedTemplate) -> String {
        var members: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { members.append(#""\#(name)":\#(value)"#) }
        }
        add("template", #""\#(template.rawValue)""#)
        for name in ["label", "subtitle", "icon"] where random.oneIn(2) { add(name, text()) }
        if random.oneIn(3) { add("unit", #""u""#) }
        if random.oneIn(3) { add("severity", #""\#(random.pick(["", "info", "warning", "critical", "success"]))""#) }
        if random.oneIn(3) { add("trend", #""\#(random.pick(["up", "down", "flat"]))""#) }
        if random.oneIn(3) { add("subtitle_timer", timer()) }
        let bounds = (random.below(50) - 100, random.below(50) + 1)
        let needsBounds = template == .gauge
        if needsBounds || random.oneIn(3) {
            add("min_value", "\(bounds.0)")
            add("max_value", "\(bounds.1)")
        }
        let dates = window()
        let hasWindow = random.oneIn(2)
        if template == .countdown || hasWindow { add("end_date", dates.1) }
        if hasWindow { add("start_date", dates.0) }
        if random.oneIn(2) { add("expired_text", text()) }
        let needsValue = needsBounds || template == .trend || template == .progress && !hasWindow
        if needsValue || random.oneIn(2) {
            add("value", template == .gauge ? "\(random.below(bounds.1))" : random.pick(["0", "0.42", "0.999", "1"]))
        }
        if template == .statList || random.oneIn(3) { add("stat_rows", list(1...6) { $0.row() }) }
        if template == .trend || random.oneIn(4) { add("points", list(2...48) { "\($0.random.below(9))" }) }
        if template == .battery || random.oneIn(4) {
            add("devices", list(1...8) { #"{"name":\#($0.text()),"level":\#($0.random.below(101))}"# })
        }
        if template == .schedule || random.oneIn(4) { add("periods", periods()) }
        if template == .flow || random.oneIn(4) {
            add("flow", #"{"inputs":\#(list(1...3) { $0.node() }),"storage":\#(node()),"exchange":\#(node())}"#)
        }
        return .object(members)
    }

    /// A moment within seconds, hours or days of the clock, to the nanosecond.
    mutating func moment() -> Timestamp {
        let reach = random.pick([3, 100, 10_000, 400_000] as [Int64])
        let seconds = Trial.moment(Showing.clock).seconds + Int64.random(in: -reach...reach, using: &random)
        return Timestamp(seconds: seconds, nanoseconds: random.oneIn(2) ? 0 : Int32(random.below(1_000_000_000)))
    }

    private mutating func list(_ counts: ClosedRange<Int>, _ element: (inout Self) -> String) -> String {
        let count = Int.random(in: counts, using: &random)
        var elements: [String] = []
        for _ in 0..<count { elements.append(element(&self)) }
        return .array(elements)
    }

    private mutating func text() -> String {
        #""\#(random.pick(["a", "0:01", "a · b", "42%", "\u{202E}abc", "\u{1F468}\u{200D}\u{1F469}" * 8]))""#
    }

    private mutating func date() -> String { quoted(moment()) }

    private mutating func timer() -> String {
        #"{"date":\#(date()),"style":"\#(random.pick(["timer", "relative"]))"}"#
    }

    private mutating func row() -> String {
        let timer = random.oneIn(3) ? #","timer":\#(timer())"# : ""
        return #"{"label":"l","value":\#(text())\#(timer)}"#
    }

    private mutating func node() -> String { #"{"rate":\#(random.below(5) - 2),"level":50}"# }

    private mutating func window() -> (String, String) {
        let one = moment()
        let length = random.pick([1, 7, 1_000, 3_000_000_000, 7_200_000_000_000, 86_400_000_000_000] as [Int128])
        return (quoted(one), quoted(one.moved(byNanoseconds: length)))
    }

    private mutating func periods() -> String {
        var start = moment()
        return list(1...8) { content in
            start = start.moved(byNanoseconds: content.random.pick([1, 1_000_000_000, 3_600_000_000_000] as [Int128]))
            return #"{"start":\#(content.quoted(start)),"value":\#(content.random.below(3))}"#
        }
    }

    /// RFC 3339 with nanoseconds.
    private func quoted(_ moment: Timestamp) -> String {
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: moment.seconds * 1_000, to: &text)
        let fraction = String(moment.nanoseconds)
        return #""\#(String(decoding: text.dropLast(5), as: UTF8.self)).\#("0" * (9 - fraction.count))\#(fraction)Z""#
    }
}
