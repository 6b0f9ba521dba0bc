import Glibc
import WidgetJSON

/// The body that is sent, and where its members stand in what was written, for carets.
struct UpdateBody {
    let bytes: [UInt8]
    /// The words of the command line, or the file.
    let source: SourceText
    /// Of the command line; none for a file.
    private let parts: [Part]

    /// A field of the command line; ranges are those of `source`.
    private struct Part {
        let location: JSONPointer
        let name: Range<Int>
        let value: Range<Int>
    }

    /// A body from fields.
    /// - Parameter words: `field=value` and `field:=json`; without any the body is `{}`.
    init(fields words: [String]) throws {
        var tree = FieldTree.object([])
        var text: [UInt8] = []
        var parts: [Part] = []
        for word in words {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            let assignment = try Assignment(word)
            let name = String(decoding: Array(word.utf8)[assignment.nameRange], as: UTF8.self)
            try tree.set(assignment.field.steps[...], assignment.value, name: name)
            let start = text.count
            parts.append(
                Part(
                    location: assignment.field.location,
                    name: start..<start + assignment.nameRange.count,
                    value: start + assignment.valueRange.lowerBound..<start + assignment.valueRange.upperBound))
            text += Array(word.utf8)
        }
        var bytes: [UInt8] = []
        tree.write(to: &bytes)
        self.bytes = bytes
        self.parts = parts
        source = SourceText(name: "fields", bytes: text)
    }

    /// A body from a file, as it stands there.
    init(file path: String) throws {
        guard let bytes = path == "-" ? TextFile.read(descriptor: STDIN_FILENO) : TextFile.read(path) else {
            throw ProgramError.usage("\(path) cannot be read: \(TextFile.reason)")
        }
        self.bytes = bytes
        parts = []
        source = SourceText(name: path, bytes: bytes)
    }

    /// The fault at its place in what was written; without a text to show where it was not written at all.
    func fault(_ finding: PayloadFinding) -> TextFault {
        guard !parts.isEmpty else {
            guard let locator = try? PayloadLocator(source) else { return placeless(finding) }
            return locator.fault(finding)
        }
        let tokens = finding.location.tokens
        if let part = parts.first(where: { tokens.starts(with: $0.location.tokens) }) {
            let rest = tokens.dropFirst(part.location.tokens.count)
            let range = finding.isName && rest.isEmpty ? part.name : range(of: rest, in: part)
            return TextFault(source: source, range: range, message: finding.message)
        }
        // Something that is missing beside fields of the same object.
        guard let part = parts.first(where: { $0.location.tokens.starts(with: tokens.dropLast()) && tokens.count > 2 })
        else { return placeless(finding) }
        return TextFault(source: source, range: part.name, message: finding.message)
    }

    private func placeless(_ finding: PayloadFinding) -> TextFault {
        TextFault(source: source, range: 0..<0, message: finding.message, showsText: false)
    }

    /// Inside the JSON text of a field.
    private func range(of rest: ArraySlice<String>, in part: Part) -> Range<Int> {
        let pointer = rest.reduce(JSONPointer.root) { $0.appending($1) }
        guard !rest.isEmpty, let value = try? JSON5Reader.read(Array(source.bytes[part.value])) else {
            return part.value.isEmpty ? part.name : part.value
        }
        let inner = value.range(of: pointer).range
        return part.value.lowerBound + inner.lowerBound..<part.value.lowerBound + inner.upperBound
    }
}
