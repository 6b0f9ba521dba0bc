import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime

/// Holds what was accepted against the decider once more.
struct AcceptedJudge {
    private var decider = Decider()
    private let reader = DocumentReader()

    /// - Parameter widget: as the accepted command left it.
    mutating func check(_ accepted: Accepted, _ widget: Widget) throws {
        guard let document = widget.document else {
            return try hold(accepted.changed.isEmpty && accepted.template == nil, "a deletion changes no member")
        }
        let text = shown(document.text)
        try hold(try reader.read(document.text) == document, "a stored document is read as it was", text)
        let (created, copy) = try decide(widget, nil, .create, document)
        try hold(
            copy?.document == document && created.template == accepted.template
                && created.needsNewBuild == accepted.needsNewBuild,
            "accepted content is accepted again, as it is", text)
        for (patch, name) in [(Document(), "an empty patch"), (document, "a patch with what is there")] {
            let (patched, after) = try decide(widget, widget, .patch, patch)
            try hold(
                after?.document == document && patched.changed.isEmpty, "\(name) changes nothing",
                "\(text), \(patched.changed.locations)")
        }
    }

    private mutating func decide(
        _ widget: Widget, _ current: Widget?, _ kind: CommandKind, _ body: Document
    ) throws -> (Accepted, Widget?) {
        var after = current
        let decision = decider.decide(
            current: &after, command: Command(kind: kind, address: widget.address), body: body,
            now: Timestamp(milliseconds: widget.updatedAt), accountIsFull: { false })
        switch decision {
        case .accepted(let accepted): return (accepted, after)
        case .rejected(let rejection):
            throw BrokenProperty(
                description: "what was accepted is legal: \(rejection.detail), \(shown(body.text))")
        }
    }
}
