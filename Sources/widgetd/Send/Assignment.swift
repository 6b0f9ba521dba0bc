import WidgetContract
import WidgetJSON
import WidgetJSONParsing

/// A word of the command line that sets a field.
///
/// - `field=text`: typed by the contract's tables: a number where they want one, a string where they want a string,
///   JSON text for objects and arrays. `field=` clears the field, and so does `field=null` unless any text will do there.
/// - `field:=json`: that JSON value, whatever the tables want.
struct Assignment {
    let field: Field
    /// Its value as JSON text.
    let value: [UInt8]
    /// Where name and value stand in the word, bytes.
    let nameRange: Range<Int>
    let valueRange: Range<Int>

    /// - Throws: `ProgramError` when it sets nothing, or a value is not of the kind that its field wants.
    init(_ word: String) throws {
        guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
            throw ProgramError.usage("\"\(word.printable)\" sets no field; a field is set by FIELD=VALUE")
        }
        let isJSON = word[word.index(before: sign)] == ":"
        let name = word[..<(isJSON ? word.index(before: sign) : sign)]
        let text = String(word[word.index(after: sign)...])
        field = try Field(String(name))
        value = try isJSON ? Self.json(text, field: name) : Self.typed(text, by: field.rule, field: name)
        nameRange = 0..<name.utf8.count
        valueRange = word.utf8.count - text.utf8.count..<word.utf8.count
    }

    private static let null = Array("null".utf8)

    private static func json(_ text: String, field: Substring) throws -> [UInt8] {
        do {
            _ = try DocumentReader().read(Array(text.utf8))
            return Array(text.utf8)
        } catch {
            throw ProgramError.usage(
                "\(field):= wants JSON behind it, and \"\(text.printable)\" is none: \(error.reason.rawValue)")
        }
    }

    private static func typed(_ text: String, by rule: ValueRule, field: Substring) throws -> [UInt8] {
        if text.isEmpty { return null }
        if case .text = rule { return text.jsonText }
        if text == "null" { return null }
        let wanted: (kinds: [Node.Kind], words: String)
        switch rule {
        case .text, .date, .color, .word, .url: return text.jsonText
        case .number, .wholeNumber: wanted = ([.number], "a number such as 0.6")
        case .boolean: wanted = ([.true, .false], "true or false")
        case .headers, .object: wanted = ([.object], "a JSON object such as {\"…\": …}")
        case .array: wanted = ([.array], "a JSON array such as […]")
        }
        guard let document = try? DocumentReader().read(Array(text.utf8)), wanted.kinds.contains(document[0].kind)
        else {
            throw ProgramError.usage("\(field) wants \(wanted.words), and \"\(text.printable)\" is none")
        }
        return Array(text.utf8)
    }
}
