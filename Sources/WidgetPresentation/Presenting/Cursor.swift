import WidgetJSON
import WidgetTime

/// A value in a document. What is not of the kind that is asked for counts as absent, and so does null.
struct Cursor {
    let document: Document
    let position: Int

    init(_ document: Document, _ position: Int) {
        self.document = document
        self.position = position
    }

    subscript(name: String) -> Cursor? {
        guard let member = document.member(name, of: position), document[member].kind != .null else { return nil }
        return Cursor(document, member)
    }

    /// An array's elements, at most so many.
    func elements(_ most: Int = .max) -> [Cursor] {
        guard document[position].kind == .array else { return [] }
        return document.elements(of: position).prefix(most).map { Cursor(document, $0) }
    }

    var string: String? { document.string(at: position) }

    /// A string that leaves something to see.
    var text: String? { string.flatMap { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : $0 } }

    /// The number as it is written, and as a double; `nil` when none holds it.
    var number: (exact: DecimalText, double: Double)? {
        double.map { (DecimalText(document.textOfValue(at: position)), $0) }
    }

    var double: Double? { document.number(at: position).flatMap { $0.isFinite ? $0 : nil } }

    var isTrue: Bool { document[position].kind == .true }

    var date: Timestamp? {
        let node = document[position]
        guard node.kind == .string else { return nil }
        guard node.isEscaped else { return DateTimeText.read(document.text[node.start..<node.end]) }
        return string.flatMap { DateTimeText.read(Array($0.utf8)[...]) }
    }

    var color: PresentedColor? { string.flatMap { PresentedColor($0) } }

    func word<Word: RawRepresentable>(_ type: Word.Type) -> Word? where Word.RawValue == String {
        string.flatMap { Word(rawValue: $0) }
    }
}
