import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

@testable import WidgetWorker

/// A hundred thousand random sequences of patches, each of a widget of its own and within one throttle window.
@Suite(.row(28)) struct `Patches gathered in a window` {
    @Test(arguments: Array(1...100) as [UInt64])
    func `are fanned out as what the reference merges step by step`(_ seed: UInt64) throws {
        let window = try Window(widgets: 1_000, seed: seed)
        for _ in 0..<3 { try window.patch() }
        let pushed = try window.end()
        #expect(pushed.count > 500, "seed \(seed)")
        for (slug, widget) in window.models {
            #expect((pushed[slug] != nil) == widget.isChanged, "seed \(seed): \(slug)")
            guard let body = pushed[slug] else { continue }
            let wanted = Array(
                #"{"account":"acme","slug":"\#(slug)","revision":\#(widget.revision),\#(widget.state.text.dropFirst())"#
                    .utf8.dropLast())
            #expect(Array(body.prefix(wanted.count)) == wanted, "seed \(seed): \(slug)")
        }
    }
}

/// A decider whose widgets all have the same open window.
private final class Window {
    /// A widget as the reference has it.
    struct Model {
        var state = JSONTree.object([
            ("name", .string("n")), ("content", .object([("template", .string("value"))])),
        ])
        var revision = 1
        /// An accepted patch has changed it, or told of it a device that waits for news.
        var isChanged = false

        mutating func take(_ patch: JSONTree, isTold: Bool) {
            state = state.merged(with: patch).merged(with: .object([("slug", .null)]))
            revision += 1
            if isTold { isChanged = true }
        }
    }

    private(set) var models: [String: Model] = [:]
    private var decider: BatchDecider
    private var random: SeededRandom
    private let store = MemoryStore()
    private let now = Trial.moment(Vector.clock)

    init(widgets: Int, seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        var limits = MessageLimits()
        limits.mostWidgets = 0
        decider = BatchDecider(
            limits: limits, cachedWidgets: widgets, pushes: PushSchedule(throttleSeconds: 15))
        for number in 0..<widgets { models["w\(number)"] = Model() }
        let body = Model().state.text
        try decide(models.keys.map { .sample(body, key: "acme.\($0)", type: "widget.create") }) { _, _, _ in }
    }

    /// Gives most widgets their next patch, in one batch.
    func patch() throws {
        var (messages, patches): ([Message], [(slug: String, patch: JSONTree)]) = ([], [])
        for slug in models.keys.sorted() where !random.oneIn(4) {
            let patch = JSONTree.widgetPatch(of: slug, &random)
            patches.append((slug, patch))
            messages.append(.sample(patch.text, key: "acme.\(slug)"))
        }
        var accepted: [(slug: String, patch: JSONTree, isTold: Bool)] = []
        try decide(messages) { index, verdict, widget in
            guard case .decided(.accepted(let update)) = verdict.answer else { return }
            let isTold = !update.changed.isEmpty || widget?.document?.member("stale_after") != nil
            accepted.append((patches[index].slug, patches[index].patch, isTold))
        }
        for (slug, patch, isTold) in accepted {
            models[slug]?.take(patch, isTold: isTold)
        }
    }

    private func decide(_ messages: [Message], each: (Int, Verdict, Widget?) -> Void) throws {
        var index = 0
        let changes = try decider.decide(
            messages.map { Delivery($0) }, now: { _ in now }, store: store,
            each: { _, verdict, widget, _ in
                each(index, verdict, widget)
                index += 1
            })
        _ = store.commit(changes)
    }

    /// The bodies of what is fanned out when the window ends, by slug.
    func end() throws -> [String: [UInt8]] {
        var pushed: [String: [UInt8]] = [:]
        let changes = try decider.pushDue(now: now, steadyNow: 15_000, limit: .max, store: store)
        changes?.outcomes.visit { outcome in
            pushed[String(decoding: outcome[.slug] ?? [], as: UTF8.self)] = Array(outcome.body)
        }
        return pushed
    }
}
