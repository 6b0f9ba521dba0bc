import Glibc
import WidgetJSON
import WidgetJSONParsing

/// The reader takes exactly what `PlainJSON` takes, and a document it made says the same however it is asked.
public struct JSONProperty: InputProperty {
    private static let depth = 32
    private let reader = DocumentReader()

    public init() {}

    public mutating func check(_ input: [UInt8]) throws {
        for refusesDuplicates in [true, false] {
            let expected = PlainJSON.compact(input, depth: Self.depth, refusingDuplicateNames: refusesDuplicates)
            do {
                let document = try reader.read(input, depth: Self.depth, refusingDuplicateNames: refusesDuplicates)
                try checkText(document, expected)
                try checkValues(document, namesAreDistinct: refusesDuplicates)
            } catch let fault as JSONFault {
                try hold(expected == nil, "what RFC 8259 allows is read", "\(fault)")
                try hold(0...input.count ~= fault.offset, "a fault lies in the text", "\(fault)")
            }
        }
    }

    private func checkText(_ document: Document, _ expected: [UInt8]?) throws {
        try hold(expected != nil, "what RFC 8259 forbids is refused", shown(document.text))
        try hold(document.text == expected, "the text is the compact one", shown(document.text))
        let again = try reader.read(document.text, depth: Self.depth, refusingDuplicateNames: false)
        try hold(again == document, "a document's text is read as the same document", shown(again.text))
        var written: [UInt8] = []
        write(document, 0, to: &written)
        try hold(written == document.text, "a document is written value by value as its text", shown(written))
    }

    /// Walks the document by its members and elements alone.
    private func write(_ document: Document, _ position: Int, to text: inout [UInt8]) {
        switch document[position].kind {
        case .object:
            text.append(UInt8(ascii: "{"))
            for (name, value) in document.members(of: position) {
                if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
                text += document.string(at: name)?.jsonText ?? []
                text.append(UInt8(ascii: ":"))
                write(document, value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
        case .array:
            text.append(UInt8(ascii: "["))
            for element in document.elements(of: position) {
                if text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
                write(document, element, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .string: text += document.string(at: position)?.jsonText ?? []
        default: text += document.textOfValue(at: position)
        }
    }

    private func checkValues(_ document: Document, namesAreDistinct: Bool) throws {
        try hold(document.value(at: 0, equals: document, at: 0), "a value equals itself")
        for position in 0..<document[0].extent {
            switch document[position].kind {
            case .number:
                let text = String(decoding: document.textOfValue(at: position), as: UTF8.self)
                let number = document.number(at: position)
                try hold(number?.bitPattern == strtod(text, nil).bitPattern, "a number is the nearest double", text)
            case .object where namesAreDistinct && document[position].length < 1_000:
                for (name, value) in document.members(of: position) {
                    let text = document.string(at: name) ?? ""
                    try hold(document.member(text, of: position) == value, "a member is found by its name", text)
                }
            default: break
            }
        }
    }
}
