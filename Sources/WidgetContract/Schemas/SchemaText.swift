import WidgetJSON

/// Writes a value for people: two spaces a level, a list of scalars on one line where it fits.
struct SchemaText {
    private static let longestLine = 100
    private(set) var text = ""

    /// The value with a line feed behind it.
    static func text(of value: SchemaValue) -> String {
        var writer = SchemaText()
        writer.write(value, depth: 0)
        return writer.text + "\n"
    }

    private mutating func write(_ value: SchemaValue, depth: Int) {
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "{"
            writeLines(members, depth) { writer, member in
                writer.text += Self.quoted(member.name) + ": "
                writer.write(member.value, depth: depth + 1)
            }
            text += "}"
        case .array(let elements) where !elements.isEmpty:
            if let line = Self.line(elements), depth * 2 + line.utf8.count <= Self.longestLine {
                text += line
                return
            }
            text += "["
            writeLines(elements, depth) { writer, element in writer.write(element, depth: depth + 1) }
            text += "]"
        default:
            text += Self.scalar(value) ?? ""
        }
    }

    private mutating func writeLines<Item>(_ items: [Item], _ depth: Int, _ write: (inout SchemaText, Item) -> Void) {
        for (index, item) in items.enumerated() {
            text += index == 0 ? "\n" : ",\n"
            text += String(repeating: "  ", count: depth + 1)
            write(&self, item)
        }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    /// `nil` when something in it is no scalar.
    private static func line(_ elements: [SchemaValue]) -> String? {
        let texts = elements.compactMap(scalar)
        return texts.count == elements.count ? "[" + texts.joined(separator: ", ") + "]" : nil
    }

    private static func scalar(_ value: SchemaValue) -> String? {
        switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
        case .string(let text): quoted(text)
        case .object(let members): members.isEmpty ? "{}" : nil
        case .array(let elements): elements.isEmpty ? "[]" : nil
        }
    }

    private static func quoted(_ text: String) -> String { String(decoding: text.jsonText, as: UTF8.self) }
}
