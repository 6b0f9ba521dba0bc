public import WidgetContract
import WidgetJSON

/// The JSON of receipts and of the lines of `apply`: the outcome of one message.
public enum ReceiptText {
    /// A receipt: for the sender, who knows what he sent.
    /// - Parameter widget: as it stands after the message.
    static func write(_ verdict: Verdict, _ widget: Widget?, to out: inout [UInt8]) {
        var json = JSONWriter()
        json.beginObject(&out)
        switch verdict.answer {
        case .decided(.accepted(let accepted)):
            guard let widget else { preconditionFailure("an accepted message has a widget") }
            accept(Outline(widget, accepted.changed), &json, &out)
        case .decided(.rejected), .decidedBefore:
            reject(verdict.problem, &json, &out)
        case .repeated(let outcome):
            repeated(outcome, account: verdict.account ?? "", &json, &out)
            json.name("duplicate", &out)
            json.boolean(true, &out)
        }
        json.endObject(&out)
    }

    /// A line of `apply`: the receipt with the whole widget, or with the rejection's original.
    ///
    /// A repeat carries the widget only while the widget is still as that message left it.
    /// - Parameter widget: as it stands after the message.
    public static func writeLine(_ verdict: Verdict, _ widget: Widget?, to out: inout [UInt8]) {
        var json = JSONWriter()
        json.beginObject(&out)
        switch verdict.answer {
        case .decided(.accepted(let accepted)):
            guard let widget else { preconditionFailure("an accepted message has a widget") }
            line(widget, accepted.changed, &json, &out)
        case .decided(.rejected), .decidedBefore:
            reject(verdict.problem, &json, &out)
            json.name("original", &out)
            json.raw(verdict.original[...], &out)
        case .repeated(let outcome):
            if case .accepted(_, let revision, _, let changed, _) = outcome, let widget, widget.revision == revision {
                line(widget, ChangedMembers(rawValue: changed), &json, &out)
            } else {
                repeated(outcome, account: verdict.account ?? "", &json, &out)
            }
            json.name("duplicate", &out)
            json.boolean(true, &out)
        }
        json.endObject(&out)
        out.append(0x0A)
    }

    private static func line(
        _ widget: Widget, _ changed: ChangedMembers, _ json: inout JSONWriter, _ out: inout [UInt8]
    ) {
        json.name("outcome", &out)
        json.string("accepted", &out)
        json.head(widget.address, revision: widget.revision, &out)
        json.name("widget", &out)
        json.raw([], &out)
        AcceptedText.write(widget, changed: changed, to: &out)
    }

    /// What an accepted outcome says without the widget.
    private struct Outline {
        var address: WidgetAddress
        var revision: Int64
        var updatedAt: Int64
        /// `nil` for a deletion.
        var changed: ChangedMembers?

        init(_ widget: Widget, _ changed: ChangedMembers) {
            address = widget.address
            revision = widget.revision
            updatedAt = widget.updatedAt
            self.changed = widget.document == nil ? nil : changed
        }

        init(address: WidgetAddress, revision: Int64, updatedAt: Int64, changed: ChangedMembers?) {
            self.address = address
            self.revision = revision
            self.updatedAt = updatedAt
            self.changed = changed
        }
    }

    private static func repeated(
        _ outcome: InboxEntry.Outcome, account: String, _ json: inout JSONWriter, _ out: inout [UInt8]
    ) {
        switch outcome {
        case .accepted(let slug, let revision, let updatedAt, let changed, let deleted):
            accept(
                Outline(
                    address: WidgetAddress(account: account, slug: slug), revision: revision, updatedAt: updatedAt,
                    changed: deleted ? nil : ChangedMembers(rawValue: changed)), &json, &out)
        case .rejected(let problem):
            reject(problem, &json, &out)
        }
    }

    private static func accept(_ outline: Outline, _ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.name("outcome", &out)
        json.string("accepted", &out)
        json.head(outline.address, revision: outline.revision, &out)
        json.name("updated_at", &out)
        json.date(outline.updatedAt, &out)
        if let changed = outline.changed { json.changed(changed, &out) }
    }

    private static func reject(_ problem: [UInt8], _ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.name("outcome", &out)
        json.string("rejected", &out)
        if problem.count > 2 { json.rawMembers(problem[1..<problem.count - 1], &out) }
    }
}
