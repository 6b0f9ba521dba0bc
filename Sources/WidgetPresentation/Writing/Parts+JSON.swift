import WidgetJSON

extension Readout: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("text", text, &out)
        json.member("unit", unit, &out)
        json.member("timer", timer, &out)
    }
}

extension LiveTimer: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("date", date, &out)
        json.member("style", style.rawValue, &out)
        json.member("direction", direction.rawValue, &out)
    }
}

extension TrendMark: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("trend", trend.rawValue, &out)
        json.member("placement", placement.rawValue, &out)
        json.member("text", text, &out)
        json.member("symbol", symbol, &out)
    }
}

extension Meter: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("shape", shape.rawValue, &out)
        json.member("fraction", fraction, &out)
        json.member("window", window, &out)
    }
}

extension TimeSpan: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("start", start, &out)
        json.member("end", end, &out)
    }
}

extension Bounds: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("minimum", minimum, &out)
        json.member("maximum", maximum, &out)
    }
}

extension StatRow: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("label", label, &out)
        json.member("value", value, &out)
    }
}

extension Ring: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("name", name, &out)
        json.member("text", text, &out)
        json.member("fraction", fraction, &out)
        json.member("charging", isCharging, &out)
        json.member("symbol", symbol, &out)
        json.member("color", color, &out)
    }
}

extension Band: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("span", span, &out)
        json.member("value", value, &out)
        json.member("level", level.rawValue, &out)
        json.member("fraction", fraction, &out)
        json.member("current", isCurrent, &out)
        json.member("color", color, &out)
    }
}

extension FlowNode: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("slot", slot.rawValue, &out)
        json.member("name", name, &out)
        json.member("rate", rate, &out)
        json.member("direction", direction.rawValue, &out)
        json.member("total", total, &out)
        json.member("fill", fill, &out)
        json.member("symbol", symbol, &out)
        json.member("color", color, &out)
    }
}

extension FlowNode.Fill: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("text", text, &out)
        json.member("fraction", fraction, &out)
    }
}

extension ButtonMark: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("action", action.rawValue, &out)
        json.member("title", title, &out)
        json.member("symbol", symbol, &out)
    }
}

extension PresentedColor: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("hex", hex, &out)
        json.member("name", name?.rawValue, &out)
    }
}

extension Palette: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("accent", accent, &out)
        json.member("background", background, &out)
        json.member("text", text, &out)
    }
}

extension Staleness: JSONObject {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.member("as_of", asOf, &out)
        json.member("text", text, &out)
    }
}
