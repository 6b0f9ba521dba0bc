import WidgetJSON

/// Finds in a payload's text what a finding is about.
struct PayloadLocator {
    private let source: SourceText
    private let root: JSON5Value

    /// - Throws: `ProgramError` when the text is not what was read before.
    init(_ source: SourceText) throws {
        self.source = source
        do {
            root = try JSON5Reader.read(source.bytes)
        } catch {
            throw ProgramError.usage("\(source.name) is not JSON: \(error.message)")
        }
    }

    func fault(_ finding: PayloadFinding) -> TextFault {
        TextFault(source: source, range: range(of: finding), message: finding.message)
    }

    private func range(of finding: PayloadFinding) -> Range<Int> {
        if finding.isName, let name = root.nameRange(of: finding.location) { return name }
        let (range, isThere) = root.range(of: finding.location)
        // Account and slug may stand beside the body in place of in it.
        if !isThere, let word = finding.location.tokens.last, let member = root.member(word) {
            return member.value.range
        }
        return range
    }
}
