public import WidgetContract
public import WidgetJSON
import WidgetJSONParsing
public import WidgetTime

/// A line of `apply`: a message and the clock it is decided at.
public struct ApplyLine: Sendable {
    public internal(set) var message = Message()
    /// `nil`: the run's clock.
    public internal(set) var at: Timestamp?
    /// The line is no message.
    public internal(set) var fault: Rejection?
    /// Where in the line the fault is.
    public internal(set) var faultLocation = JSONPointer.root
}

/// Reads lines, one after the other with the same memory.
public struct ApplyLineReader {
    private let parser = DocumentReader()
    private var document = Document()
    /// The message's own object is one level above its body's.
    private let depth: Int

    /// What a line may have.
    public static let members = [
        "type", "account", "slug", "message_id", "sequence", "at", "body", "raw", "raw_base64",
    ]

    public init(limits: MessageLimits) {
        depth = limits.deepest + 1
    }

    public mutating func read(_ text: ArraySlice<UInt8>) -> ApplyLine {
        var line = ApplyLine()
        guard text.count <= Node.longestDocument else {
            line.fault = Rejection(.tooLarge, "the line has \(text.count) bytes, at most \(Node.longestDocument)")
            return line
        }
        let bytes = Array(text)
        do {
            document = try parser.read(bytes, depth: depth)
        } catch {
            line.message.body = bytes
            line.fault = Rejection(.malformed, "the line is not JSON by RFC 8259: \(error)")
            return line
        }
        do throws(LineFault) {
            try readMembers(into: &line)
        } catch {
            line.message.body = bytes
            line.fault = Rejection(.malformed, error.message)
            if let member = error.member { line.faultLocation = .root.appending(member) }
        }
        return line
    }

    private struct LineFault: Error {
        var member: String?
        let message: String
    }

    private func readMembers(into line: inout ApplyLine) throws(LineFault) {
        guard document[0].kind == .object else { throw LineFault(message: "the line must be a JSON object") }
        line.message.type = try string("type")
        line.message.accountHeader = try string("account")
        line.message.slug = try string("slug")
        line.message.messageID = try string("message_id").map { Array($0.utf8) }
        if let position = member("sequence") {
            guard let number = document.number(at: position), let sequence = Int64(exactly: number) else {
                throw LineFault(member: "sequence", message: "sequence must be a whole number")
            }
            line.message.sequence = sequence
        }
        if let at = try string("at") {
            guard let time = DateTimeText.read(Array(at.utf8)[...]) else {
                throw LineFault(member: "at", message: "at must be an RFC 3339 date-time, and is \"\(at)\"")
            }
            line.at = time
        }
        line.message.body = try body()
    }

    private func member(_ name: String) -> Int? {
        document.member(name).flatMap { document[$0].kind == .null ? nil : $0 }
    }

    private func string(_ name: String) throws(LineFault) -> String? {
        guard let position = member(name) else { return nil }
        guard let text = document.string(at: position) else {
            throw LineFault(member: name, message: "\(name) must be a string")
        }
        return text
    }

    /// `body` as JSON, or the bytes of `raw` or `raw_base64`; nothing when there is none of them.
    private func body() throws(LineFault) -> [UInt8] {
        let body = document.member("body")
        let raw = try string("raw")
        let packed = try string("raw_base64")
        guard [body != nil, raw != nil, packed != nil].filter({ $0 }).count <= 1 else {
            throw LineFault(message: "only one of body, raw and raw_base64 may be there")
        }
        if let body { return Array(document.textOfValue(at: body)) }
        if let packed {
            guard let bytes = Base64.decode(packed) else {
                throw LineFault(member: "raw_base64", message: "raw_base64 must be base64")
            }
            return bytes
        }
        return raw.map { Array($0.utf8) } ?? []
    }
}
