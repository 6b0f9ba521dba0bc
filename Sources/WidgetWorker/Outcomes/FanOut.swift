import WidgetContract
import WidgetJSON
import WidgetTime

/// A push of a widget's state to the devices.
struct FanOut {
    let widget: Widget
    /// `nil` for a deletion.
    let template: Template?
    let changed: ChangedMembers
    let minAppVersion: String?
    /// How many updates before the newest one are in it, too.
    let coalesced: Int
    /// Of the newest update.
    let traceparent: String?
    let tracestate: String?

    /// Of an update that is pushed at once.
    init(_ accepted: Accepted, changed: ChangedMembers, coalesced: Int, of message: Message) {
        widget = accepted.widget
        template = accepted.template
        self.changed = changed
        minAppVersion = accepted.minAppVersion
        self.coalesced = coalesced
        traceparent = message.traceparent
        tracestate = message.tracestate
    }

    /// Of what was gathered; `nil` when the widget is deleted.
    init?(_ push: PendingPush, of widget: Widget) {
        guard let document = widget.document, let content = document.member("content"),
            let name = document.member("template", of: content).flatMap({ document.string(at: $0) }),
            let template = Template(rawValue: name)
        else { return nil }
        self.widget = widget
        self.template = template
        changed = push.changed
        minAppVersion = push.minAppVersion
        coalesced = push.updates - 1
        traceparent = push.traceparent
        tracestate = push.tracestate
    }

    func write(to outcomes: inout OutcomeBatch) {
        let address = widget.address
        let last = template?.rawValue ?? "deleted"
        var envelope = OutcomeEnvelope(
            destination: .accepted, routingKey: OutboundID.joined(address.account, ".", address.slug, ".", last))
        envelope.type = template == nil ? "widget.deleted" : "widget.accepted"
        envelope.messageID = OutboundID.joined(
            address.account, "/", address.slug, "@", widget.revision.description)
        envelope.timestamp = Timestamp(milliseconds: widget.updatedAt).seconds
        envelope.account = address.account
        envelope.slug = address.slug
        envelope.template = template?.rawValue
        envelope.revision = widget.revision
        envelope.coalesced = coalesced
        envelope.minAppVersion = minAppVersion
        envelope.traceparent = traceparent
        envelope.tracestate = tracestate
        outcomes.append(envelope) { AcceptedText.write(widget, changed: changed, to: &$0) }
    }
}
