package import WidgetContract
import WidgetJSON
import WidgetTime

/// Writes a verdict's outcomes into a batch: the fan-out or the rejection, and the receipt when one was asked for.
package enum OutcomeWriter {
    /// Property `type` of a rejection.
    static let rejectionType = "widget.rejected"

    /// - Parameter widget: as it stands after the message.
    package static func write(
        _ verdict: Verdict, of message: Message, _ widget: Widget?, to outcomes: inout OutcomeBatch
    ) {
        switch verdict.answer {
        case .decided(.accepted(let accepted)):
            if case .push(let changed, let coalesced) = verdict.push {
                guard let widget else { preconditionFailure("an accepted message has a widget") }
                FanOut(accepted, changed: changed, coalesced: coalesced, of: message).write(
                    widget, storedAt: verdict.statePlace, to: &outcomes)
            }
        case .decided(.rejected(let rejection)):
            write(rejection, verdict, message, to: &outcomes)
        case .repeated:
            break
        case .decidedBefore:
            return
        }
        if let replyTo = message.replyTo, !replyTo.isEmpty {
            write(verdict, message, widget, replyTo, to: &outcomes)
        }
    }

    private static func write(
        _ rejection: Rejection, _ verdict: Verdict, _ message: Message, to outcomes: inout OutcomeBatch
    ) {
        let (account, slug) = verdict.legalAddress
        let code = rejection.code.rawValue
        var envelope = OutcomeEnvelope(
            destination: .rejected, routingKey: OutboundID.joined(account ?? "_", ".", slug ?? "_", ".", code))
        envelope.type = rejectionType
        envelope.messageID = verdict.rejectionID
        envelope.timestamp = Timestamp(milliseconds: verdict.decidedAt).seconds
        envelope.account = account
        envelope.slug = slug
        envelope.code = code
        envelope.traceparent = message.traceparent
        envelope.tracestate = message.tracestate
        outcomes.append(envelope) { out in
            var json = JSONWriter()
            json.beginObject(&out)
            json.rawMembers(verdict.problem[1..<verdict.problem.count - 1], &out)
            json.name("original", &out)
            json.raw(verdict.original[...], &out)
            json.endObject(&out)
        }
    }

    private static func write(
        _ verdict: Verdict, _ message: Message, _ widget: Widget?, _ replyTo: String, to outcomes: inout OutcomeBatch
    ) {
        var envelope = OutcomeEnvelope(destination: .reply, routingKey: Array(replyTo.utf8))
        envelope.type = "widget.receipt"
        envelope.messageID = message.messageID.map { OutboundID.make("receipt:", $0) }
        envelope.correlationID = message.correlationID ?? message.messageID
        envelope.timestamp = Timestamp(milliseconds: verdict.decidedAt).seconds
        // Not sent: they keep the receipt behind the widget's other outcomes.
        (envelope.account, envelope.slug) = verdict.legalAddress
        envelope.traceparent = message.traceparent
        envelope.tracestate = message.tracestate
        outcomes.append(envelope) { ReceiptText.write(verdict, widget, to: &$0) }
    }
}

extension Verdict {
    /// Account and slug, where they are legal words.
    fileprivate var legalAddress: (account: String?, slug: String?) {
        (
            account.flatMap { AddressPattern.account.matches($0) ? $0 : nil },
            slug.flatMap { AddressPattern.slug.matches($0) ? $0 : nil }
        )
    }
}
