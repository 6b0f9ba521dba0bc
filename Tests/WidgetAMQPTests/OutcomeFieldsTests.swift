import Testing
import WidgetWorker

@testable import WidgetAMQP

struct `An outcome's fields` {
    @Test func `are read as the batch wrote them`() {
        var full = OutcomeEnvelope(destination: .rejected, routingKey: "acme.one.code")
        full.type = "widget.rejected"
        full.messageID = [0, 255, 7]
        full.correlationID = Array("c".utf8)
        full.revision = -3
        full.coalesced = 4
        full.timestamp = 1_700_000_000
        full.account = "acme"
        full.slug = ""
        full.template = "progress"
        full.code = "code"
        full.minAppVersion = "1.6"
        full.traceparent = "p"
        full.tracestate = "s"
        var batch = OutcomeBatch()
        batch.append(full) { $0 += [1, 2, 3] }
        batch.append(OutcomeEnvelope(destination: .reply, routingKey: "replies")) { _ in }
        batch.append(OutcomeEnvelope(destination: .accepted, routingKey: "")) {
            $0 += Array(repeating: 9, count: 70_000)
        }

        var queue = OutcomeQueue()
        #expect(queue.add(batch) == 3)
        var index = 0
        func check(_ outcome: Outcome) {
            queue.withFields(ConfirmLedger.Position(batch: 0, outcome: index)) { fields in
                #expect(fields.destination == outcome.destination)
                #expect(fields.revision == outcome.revision)
                #expect(fields.timestamp == outcome.timestamp)
                #expect(fields.coalesced == outcome.coalesced)
                let texts: [(OutcomeText, [UInt8]?)] = [
                    (.routingKey, fields.routingKey.array), (.type, fields.type.array),
                    (.messageID, fields.messageID.array), (.correlationID, fields.correlationID.array),
                    (.account, fields.account.array), (.slug, fields.slug.array), (.template, fields.template.array),
                    (.code, fields.code.array), (.minAppVersion, fields.minAppVersion.array),
                    (.traceparent, fields.traceparent.array), (.tracestate, fields.tracestate.array),
                ]
                #expect(texts.map(\.0) == OutcomeText.allCases)
                for (text, value) in texts {
                    #expect(value == outcome[text].map { Array($0) })
                }
                #expect(fields.body.array == Array(outcome.body))
            }
            index += 1
        }
        batch.visit(check)
        #expect(index == 3)
    }

    @Test(arguments: 1...4) func `choose a channel, which the widgets share evenly`(count: Int) {
        var batch = OutcomeBatch()
        for number in 0..<1_000 {
            var envelope = OutcomeEnvelope(destination: .accepted, routingKey: "")
            (envelope.account, envelope.slug) = ("acme", "widget-\(number)")
            batch.append(envelope) { _ in }
        }
        var queue = OutcomeQueue()
        _ = queue.add(batch)
        var shares = Array(repeating: 0, count: count)
        for outcome in 0..<1_000 {
            queue.withFields(ConfirmLedger.Position(batch: 0, outcome: outcome)) { fields in
                shares[PublisherChannels(count: count).channel(of: fields)] += count
            }
        }
        #expect(shares.allSatisfy { (850...1_150).contains($0) }, "\(shares)")
    }

    @Test func `of later batches stay when earlier ones are forgotten`() {
        var queue = OutcomeQueue()
        for key in ["a", "b", "c"] {
            var batch = OutcomeBatch()
            batch.append(OutcomeEnvelope(destination: .reply, routingKey: key)) { _ in }
            #expect(queue.add(batch) == 1)
        }
        queue.forget(before: 2)
        queue.withFields(ConfirmLedger.Position(batch: 2, outcome: 0)) { fields in
            #expect(fields.routingKey.text == "c")
        }
    }
}
