import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime
import WidgetWorker

/// Holds payloads against the contract without a broker or a store: widget bodies and lines of `apply`, alone or a line
/// each. Lines are decided one after the other, as `apply` does; a patch of a widget that the input does not create is
/// judged by itself, without what only the whole widget could tell.
struct PayloadCheck {
    private let now: Timestamp
    private let limits: MessageLimits
    /// What a body alone is meant for; `nil` to guess.
    private let bodyKind: CommandKind?
    private let parser = DocumentReader()
    private var reader: ApplyLineReader
    private var judge: PayloadJudge
    private(set) var messages = 0

    init(_ values: OptionValues) throws {
        var limits = MessageLimits()
        limits.largestBody = try values.integer("max-body")
        limits.defaultAccount = try values.required("default-account")
        limits.mostWidgets = 0
        self.limits = limits
        now = try values.text("now").flatMap { DateTimeText.read(Array($0.utf8)[...]) } ?? WorkerClock.system.now()
        bodyKind = try values.text("type").flatMap { CommandKind(rawValue: $0) }
        reader = ApplyLineReader(limits: limits)
        judge = PayloadJudge(limits: limits)
    }

    /// Visits every fault of a file's text.
    mutating func check(_ source: SourceText, _ visit: (TextFault) throws -> Void) throws {
        guard Self.holdsLines(source) else { return try checkMessage(source, visit) }
        for (index, line) in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where !Self.isBlank(line) {
            try checkMessage(SourceText(name: source.name, bytes: Array(line), firstLine: index + 1), visit)
        }
    }

    /// The first two lines that are not blank are each an object, as far as their ends tell.
    private static func holdsLines(_ source: SourceText) -> Bool {
        if source.name.hasSuffix(".ndjson") || source.name.hasSuffix(".jsonl") { return true }
        let lines = source.bytes.split(separator: 0x0A).lazy.filter { !isBlank($0) }.prefix(2)
        return lines.count == 2
            && lines.allSatisfy { line in
                line.first { !isSpace($0) } == UInt8(ascii: "{") && line.last { !isSpace($0) } == UInt8(ascii: "}")
            }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy(isSpace) }

    // MARK: One message

    private mutating func checkMessage(_ source: SourceText, _ visit: (TextFault) throws -> Void) throws {
        messages += 1
        let document: Document
        do {
            document = try parser.read(source.bytes, depth: limits.deepest + 1)
        } catch {
            let start = min(error.offset, max(0, source.bytes.count - 1))
            return try visit(
                TextFault(
                    source: source, range: start..<min(start + 1, source.bytes.count),
                    message: "not JSON by RFC 8259: \(error.reason.rawValue)"))
        }
        guard document[0].kind == .object else {
            return try visit(
                TextFault(source: source, range: 0..<source.bytes.count, message: "must be a JSON object"))
        }
        let findings = try Self.isLine(document) ? lineFindings(source, document) : bodyFindings(source, document)
        guard !findings.isEmpty else { return }
        let locator = try PayloadLocator(source)
        for fault in findings.map(locator.fault).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            try visit(fault)
        }
    }

    private static let lineMarks = ["body", "raw", "raw_base64", "type"]
    private static let bodyMarks = ["name", "content", "push_throttle", "stale_after"]

    /// A line of `apply`, not a widget's body; `slug` is a member of both.
    private static func isLine(_ document: Document) -> Bool {
        func hasAny(_ names: [String]) -> Bool { names.contains { document.member($0) != nil } }
        return hasAny(lineMarks) || !hasAny(bodyMarks) && hasAny(ApplyLineReader.members.filter { $0 != "slug" })
    }

    private mutating func lineFindings(_ source: SourceText, _ document: Document) throws -> [PayloadFinding] {
        // `apply` looks at the members it knows; a mistyped one would go unnoticed.
        let unknown = document.members(of: 0).compactMap { member -> PayloadFinding? in
            let name = document.string(at: member.name) ?? ""
            guard !ApplyLineReader.members.contains(name) else { return nil }
            return PayloadFinding(
                .root.appending(name), isName: true,
                "\(name) is no member of a line" + Suggestion.question(name, in: ApplyLineReader.members))
        }
        let line = reader.read(source.bytes[...])
        if let fault = line.fault { return unknown + [PayloadFinding(line.faultLocation, fault.detail)] }
        let body = ["raw", "raw_base64"].first { document.member($0) != nil } ?? "body"
        return unknown + (try judge.findings(line.message, at: line.at ?? now, body: .root.appending(body)))
    }

    private func bodyFindings(_ source: SourceText, _ document: Document) throws -> [PayloadFinding] {
        let namesTemplate = document.member("content").flatMap { document.member("template", of: $0) } != nil
        var message = Message()
        message.type = (bodyKind ?? (namesTemplate ? .create : .patch)).rawValue
        message.body = source.bytes
        // A body has its slug from the routing key.
        if document.member("slug") == nil { message.slug = "slug" }
        // Each body stands for itself.
        var judge = PayloadJudge(limits: limits)
        return try judge.findings(message, at: now, body: .root)
    }
}
