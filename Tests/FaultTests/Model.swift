import RegexBuilder
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

/// The decisions of `apply` on the same updates, as they have to be found outside.
struct Model {
    /// Of fan-outs by their outbound id.
    private(set) var states: [String: String] = [:]
    /// Of rejections by their outbound id, where it comes from an inbound one.
    private(set) var rejections: [String: String] = [:]
    /// Of rejections with an outbound id of the worker's making.
    private(set) var namelessRejections: [String] = []
    /// Of receipts by the inbound id; a reused id has one of the conflict as well.
    private(set) var receipts: [String: Set<String>] = [:]
    /// How many answers each inbound id asked for.
    private(set) var asked: [String: Int] = [:]
    let widgets: [String]

    init(_ updates: [UpdateStream.Update]) throws {
        let folder = try TemporaryFolder()
        let store = folder.path("model.db")
        let run = try WidgetdProgram.run(
            ["apply", "--max-widgets", "0", "--store", "sqlite:\(store)"],
            input: updates.map(\.line).joined(separator: "\n") + "\n")
        widgets = try StoreFile(store).widgets()
        var rejected: [String: Int] = [:]
        for (update, text) in zip(updates, run.lines) {
            let line = try Document(json: text)
            if let id = update.id { asked[id, default: 0] += 1 }
            guard line.member("duplicate") == nil else { continue }
            if let id = update.id { receipts[id, default: []].insert(Self.receipt(line)) }
            if line.member("code") != nil {
                guard let id = update.id else {
                    namelessRejections.append(Self.problem(text))
                    continue
                }
                rejected[id, default: 0] += 1
                let suffix = rejected[id].flatMap { $0 > 1 ? "#\($0)" : nil } ?? ""
                rejections["rejected:\(id)\(suffix)"] = Self.problem(text)
            } else if let widget = line.member("widget"), !Self.isHeartbeat(line, widget) {
                let state = String(decoding: line.textOfValue(at: widget), as: UTF8.self)
                states[Self.stateID(line)] = Self.withoutTimes(state)
            }
        }
    }

    /// `<account>/<slug>@<revision>`
    private static func stateID(_ line: Document) -> String {
        "\(line.string("account") ?? "")/\(line.string("slug") ?? "")@\(revision(line))"
    }

    private static func revision(_ line: Document) -> String {
        line.member("revision").map { String(decoding: line.textOfValue(at: $0), as: UTF8.self) } ?? ""
    }

    /// None of the stream's widgets grows stale, so their heartbeats tell nobody anything.
    private static func isHeartbeat(_ line: Document, _ widget: Int) -> Bool {
        line.member("changed", of: widget).map { line.textOfValue(at: $0).elementsEqual("[]".utf8) } ?? false
    }

    /// What a receipt, or a line of `apply`, tells of a message's fate.
    static func receipt(_ line: Document) -> String {
        if let code = line.string("code") { return code }
        return "accepted as revision \(revision(line))"
    }

    /// A problem, as published or in a line of `apply`, without what `apply` cannot know.
    static func problem(_ text: String) -> String {
        withoutTimes(text.replacing(#"{"outcome":"rejected","#, with: "{", maxReplacements: 1))
            .replacing(/"exchange":"[^"]*","routing_key":"[^"]*",/, with: "", maxReplacements: 1)
    }

    static func withoutTimes(_ text: String) -> String {
        text.replacing(/"(created_at|updated_at|received_at)":"[^"]*",?/, with: "")
    }
}
