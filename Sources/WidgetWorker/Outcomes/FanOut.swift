import WidgetContract
import WidgetJSON
import WidgetTime

/// A push of a widget's state to the devices: all but the state itself.
struct FanOut: ~Copyable {
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
        template = accepted.template
        self.changed = changed
        minAppVersion = accepted.minAppVersion
        self.coalesced = coalesced
        traceparent = message.traceparent
        tracestate = message.tracestate
    }

    /// Of what was gathered; `nil` when the widget is deleted.
    init?(_ push: PendingPush, of widget: Widget) {
        guard widget.document != nil else { return nil }
        self.init(
            of: widget, changed: push.changed, minAppVersion: push.minAppVersion, coalesced: push.updates - 1,
            traceparent: push.traceparent, tracestate: push.tracestate)
    }

    /// Of a state with what else it tells; `nil` when its content has no template.
    init?(
        of widget: Widget, changed: ChangedMembers, minAppVersion: String?, coalesced: Int, traceparent: String?,
        tracestate: String?
    ) {
        if let document = widget.document {
            guard let content = document.member("content"),
                let name = document.member("template", of: content).flatMap({ document.string(at: $0) }),
                let template = Template(rawValue: name)
            else { return nil }
            self.template = template
        } else {
            template = nil
        }
        self.changed = changed
        self.minAppVersion = minAppVersion
        self.coalesced = coalesced
        self.traceparent = traceparent
        self.tracestate = tracestate
    }

    /// - Parameter place: the widget's in `StoreChanges.widgets`.
    func write(_ widget: Widget, storedAt place: Int? = nil, to outcomes: inout OutcomeBatch) {
        let start = outcomes.bytes.count
        let head = OutcomeHead(
            destination: .accepted, revision: widget.revision,
            timestamp: Timestamp(milliseconds: widget.updatedAt).seconds, coalesced: coalesced)
        let most = AcceptedText.mostBytes(of: widget) + mostTextBytes(widget.address)
        unsafe widget.address.withBytes { account, slug in
            outcomes.append(head, atMost: most) { texts in
                unsafe put(account, slug, widget.revision, to: &texts)
            } body: {
                unsafe AcceptedText.write(widget, account, slug, changed: changed, to: &$0)
            }
        }
        guard let place else { return }
        outcomes.note(
            RepeatableFanOut(
                place: start..<outcomes.bytes.count, widget: place, revision: widget.revision, changed: changed,
                coalesced: coalesced, tellsMore: minAppVersion != nil || traceparent != nil || tracestate != nil))
    }

    private func put(
        _ account: UnsafeRawBufferPointer, _ slug: UnsafeRawBufferPointer, _ revision: Int64,
        to texts: inout OutcomeTexts
    ) {
        let template = template?.rawValue
        texts.put(.routingKey) { out in
            unsafe out.put(account)
            out.put(".")
            unsafe out.put(slug)
            out.put(".")
            out.put(text: template ?? "deleted")
        }
        texts.put(.type) { $0.put(template == nil ? "widget.deleted" : "widget.accepted") }
        texts.put(.messageID) { out in
            unsafe out.put(account)
            out.put("/")
            unsafe out.put(slug)
            out.put("@")
            out.putDecimal(revision)
        }
        texts.put(.account) { unsafe $0.put(account) }
        texts.put(.slug) { unsafe $0.put(slug) }
        texts.put(.template, template)
        texts.put(.minAppVersion, minAppVersion)
        texts.put(.traceparent, traceparent)
        texts.put(.tracestate, tracestate)
    }

    /// Bytes of the texts, at most.
    private func mostTextBytes(_ address: WidgetAddress) -> Int {
        // Type, template twice, revision and version are short.
        128 + 3 * (address.account.utf8.count + address.slug.utf8.count)
            + (traceparent?.utf8.count ?? 0) + (tracestate?.utf8.count ?? 0)
    }
}
