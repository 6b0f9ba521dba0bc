public import WidgetJSON
import WidgetJSONParsing

extension Document {
    /// From JSON that the test itself wrote.
    public init(json text: String) throws {
        self = try DocumentReader().read(Array(text.utf8))
    }

    /// The document's compact text.
    public var json: String { String(decoding: text, as: UTF8.self) }

    /// The string member of an object.
    public func string(_ name: String, of position: Int = 0) -> String? {
        member(name, of: position).flatMap { string(at: $0) }
    }

    /// A value with all below it, as a document of its own.
    public func value(at position: Int) throws -> Document {
        try DocumentReader().read(Array(textOfValue(at: position)), depth: 64)
    }
}
