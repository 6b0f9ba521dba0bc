import WidgetJSON
import WidgetJSONParsing
import WidgetWorker

/// What the admin address shows of a widget: the values of its actions' headers are for devices alone.
enum PublicText {
    private static let name = Array("headers".utf8)

    /// Arrays and objects inside each other: a body has them below the members that tell of it.
    private static let deepest = 64

    /// What tells of a message with the values of headers replaced.
    static func redacted(_ body: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(body)
        // An escape may hide the name; a body with neither has no headers.
        guard bytes.contains(UInt8(ascii: "\\")) || bytes.contains(name) else { return bytes }
        guard let document = try? DocumentReader().read(bytes, depth: deepest) else { return Array("null".utf8) }
        return Redaction.text(of: document)
    }
}
