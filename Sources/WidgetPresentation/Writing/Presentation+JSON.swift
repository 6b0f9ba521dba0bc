import WidgetJSON
import WidgetTime

extension Presentation {
    /// The presentation as JSON; members that have nothing to say are left away.
    ///
    /// | member | value |
    /// | --- | --- |
    /// | `template` | its name |
    /// | `build` | `before_1.6`, `1.6` |
    /// | `family` | `small` `medium` `large` `rectangular` `circular` `inline` |
    /// | `unavailable` | `needs_build_1.6` `value_missing` `template_unknown`: nothing is shown, nothing else follows |
    /// | `title` | string |
    /// | `headline`, `subtitle` | readout: `{text, unit?, timer?}` |
    /// | `….timer` | `{date, style: timer or relative, direction: down or up}`: the text ticks by this date |
    /// | `trend` | `{trend: up down or flat, placement: inline or badge, text, symbol}` |
    /// | `pills` | strings |
    /// | `meter` | `{shape: bar ring or arc, fraction, window?: span}` |
    /// | `bounds` | `{minimum?: readout, maximum?: readout}` |
    /// | `rows` | `[{label, value: readout}]` |
    /// | `row_columns` | 2 where short rows are packed |
    /// | `rings` | `[{name, text, fraction, charging: boolean, symbol?, color?}]` |
    /// | `sparkline` | fractions from left to right |
    /// | `bands` | `[{span, value: readout, level: low medium or high, fraction, current: boolean, color?}]` |
    /// | `nodes` | `[{slot, name, rate: readout, direction, total?: readout, fill?: {text, fraction}, symbol?, color?}]` |
    /// | `nodes[].slot` | `inputs` `exchange` `storage` `output` |
    /// | `nodes[].direction` | `inbound` `outbound` `filling` `draining` `idle` |
    /// | `buttons` | `[{action: url_action or secondary_url_action, title?, symbol?}]` |
    /// | `symbol` | SF Symbol name, or `mdi:` and a name |
    /// | `colors` | `{accent: color, background?: color, text?: color}`; absent on the Lock Screen |
    /// | `stale` | `{as_of, text}`: the widget is dimmed |
    /// | `next_change` | the first moment at which this answer is another by itself |
    ///
    /// A fraction is a number from 0 to 1, a span `{start, end?}`, a color `{hex, name?}` with `hex` as in CSS. Moments
    /// are RFC 3339 in UTC with milliseconds, rounded down; `next_change` is rounded up, so that whoever asks again at
    /// that moment gets another answer.
    public func writeJSON(to out: inout [UInt8]) {
        var json = JSONWriter()
        write(&json, &out)
    }
}

extension Presentation: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("template", template?.rawValue, &out)
        json.member("build", device.build.rawValue, &out)
        json.member("family", device.family.rawValue, &out)
        json.member("unavailable", unavailability?.rawValue, &out)
        json.member("title", title, &out)
        json.member("headline", headline, &out)
        json.member("trend", trend, &out)
        json.member("subtitle", subtitle, &out)
        json.member("pills", list: pills, &out)
        json.member("meter", meter, &out)
        json.member("bounds", bounds, &out)
        json.member("rows", list: rows, &out)
        json.member("row_columns", rowColumns > 1 ? rowColumns : nil, &out)
        json.member("rings", list: rings, &out)
        json.member("sparkline", list: sparkline, &out)
        json.member("bands", list: bands, &out)
        json.member("nodes", list: nodes, &out)
        json.member("buttons", list: buttons, &out)
        json.member("symbol", symbol, &out)
        json.member("colors", colors, &out)
        json.member("stale", staleness, &out)
        json.member("next_change", nextChange?.roundedUpToMilliseconds, &out)
    }
}

extension Timestamp {
    fileprivate var roundedUpToMilliseconds: Timestamp {
        Timestamp(nanosecondsSinceEpoch: nanosecondsSinceEpoch + 999_999)
    }
}
