import WidgetJSON
import WidgetTime

/// A part of a presentation that has a JSON form.
protocol JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8])
}

/// One that is an object of members.
protocol JSONObject: JSONWritable {
    func members(_ json: inout JSONWriter, _ out: inout [UInt8])
}

extension JSONObject {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.beginObject(&out)
        members(&json, &out)
        json.endObject(&out)
    }
}

extension JSONWriter {
    /// A member; none when there is no value.
    mutating func member(_ name: StaticString, _ value: (some JSONWritable)?, _ out: inout [UInt8]) {
        guard let value else { return }
        self.name(name, &out)
        value.write(&self, &out)
    }

    /// An array; none when it is empty.
    mutating func member(_ name: StaticString, list: [some JSONWritable], _ out: inout [UInt8]) {
        guard !list.isEmpty else { return }
        self.name(name, &out)
        beginArray(&out)
        for element in list { element.write(&self, &out) }
        endArray(&out)
    }
}

extension String: JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) { json.string(self, &out) }
}

extension Bool: JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) { json.boolean(self, &out) }
}

extension Int: JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) { json.integer(self, &out) }
}

extension Double: JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) { json.number(self, &out) }
}

/// UTC with milliseconds, rounded down.
extension Timestamp: JSONWritable {
    func write(_ json: inout JSONWriter, _ out: inout [UInt8]) {
        var text: [UInt8] = [0x22]
        DateTimeText.write(milliseconds: milliseconds, to: &text)
        text.append(0x22)
        json.raw(text[...], &out)
    }
}
