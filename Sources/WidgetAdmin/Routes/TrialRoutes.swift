import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetPresentation
import WidgetTime
import WidgetWorker

/// What would become of a message, and what a device would show.
struct TrialRoutes: Sendable {
    let store: StoreView
    let limits: MessageLimits
    let clock: WorkerClock

    /// A line of `apply`, judged against the stored state of its widget: the outcome line, and nothing is stored.
    func check(_ request: Request) throws -> Response {
        var reader = ApplyLineReader(limits: limits)
        let line = reader.read(request.body[...])
        let now = line.at ?? clock.now()
        let (verdict, widget): (Verdict, Widget?)
        if let fault = line.fault {
            (verdict, widget) = (.refusal(of: line.message, fault, decidedAt: now.milliseconds), nil)
        } else if !store.canBeRead, line.message.type == CommandKind.create.rawValue {
            // A create replaces whatever is there, so its content can be judged without it.
            (verdict, widget) = try DryRun.verdict(on: line.message, at: now, limits: limits, reader: nil)
        } else {
            (verdict, widget) = try store.look {
                try DryRun.verdict(on: line.message, at: now, limits: limits, reader: $0)
            }
        }
        var out: [UInt8] = []
        ReceiptText.writeLine(verdict, widget, to: &out)
        return .json(PublicText.redacted(out[...]))
    }

    /// `{content, name?, updated_at?, stale_after?, now?, build?, family?}`: the presentation in that family, or an array
    /// of all; `build` is `1.6` unless it is said.
    func present(_ request: Request) -> Response {
        let document: Document
        do {
            document = try DocumentReader().read(request.body, depth: limits.deepest)
        } catch {
            return .problem(400, "Bad Request", "the body is not JSON by RFC 8259: \(error)")
        }
        guard document[0].kind == .object else { return .problem(400, "Bad Request", "the body must be a JSON object") }
        do throws(Unusable) {
            return try present(document)
        } catch {
            return .problem(422, "Unprocessable Content", error.reason)
        }
    }

    private struct Unusable: Error {
        let reason: String
    }

    private static let kinds: [(name: String, kind: Node.Kind, inWords: String)] = [
        ("content", .object, "an object"), ("name", .string, "a string"), ("updated_at", .string, "a string"),
        ("stale_after", .number, "a number"), ("now", .string, "a string"), ("build", .string, "a string"),
        ("family", .string, "a string"),
    ]

    private func present(_ document: Document) throws(Unusable) -> Response {
        for (name, value) in document.members(of: 0) {
            let member = document.string(at: name) ?? ""
            guard let known = Self.kinds.first(where: { $0.name.utf8.elementsEqual(member.utf8) }) else {
                let names = Self.kinds.map(\.name).joined(separator: ", ")
                throw Unusable(reason: "\"\(member)\" is none of the members, which are \(names)")
            }
            guard document[value].kind == known.kind || document[value].kind == .null else {
                throw Unusable(reason: "\(known.name) must be \(known.inWords)")
            }
        }
        guard let content = document.member("content"), document[content].kind == .object else {
            throw Unusable(reason: "content must be there: the object that a device is to show")
        }
        let widget = PresentableWidget(widget: document, updatedAt: try date("updated_at", document))
        let now = try date("now", document) ?? clock.now()
        let build = try word("build", DeviceBuild.self, document) ?? .from16
        var out: [UInt8] = []
        if let family = try word("family", Family.self, document) {
            Presentation(of: widget, on: Device(build, family), at: now).writeJSON(to: &out)
        } else {
            for (index, family) in Family.allCases.enumerated() {
                out.append(UInt8(ascii: index == 0 ? "[" : ","))
                Presentation(of: widget, on: Device(build, family), at: now).writeJSON(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        }
        return .json(out)
    }

    private func text(_ name: String, _ document: Document) -> String? {
        document.member(name).flatMap { document.string(at: $0) }
    }

    private func date(_ name: String, _ document: Document) throws(Unusable) -> Timestamp? {
        guard let text = text(name, document) else { return nil }
        guard let date = DateTimeText.read(Array(text.utf8)[...]) else {
            throw Unusable(reason: "\(name) must be an RFC 3339 date-time, and is \"\(text)\"")
        }
        return date
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type, _ document: Document
    ) throws(Unusable) -> Word? where Word.RawValue == String {
        guard let text = text(name, document) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw Unusable(reason: "\(name) must be one of \(words), and is \"\(text)\"")
        }
        return word
    }
}
