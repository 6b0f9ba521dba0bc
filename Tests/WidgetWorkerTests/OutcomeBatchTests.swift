import Testing

@testable import WidgetWorker

struct OutcomeBatchTests {
    @Test("what was appended is read back, also from the stored bytes")
    func roundTrip() throws {
        var batch = OutcomeBatch()
        var envelope = OutcomeEnvelope(destination: .accepted, routingKey: "acme.pages.progress")
        envelope.messageID = Array("acme/pages@7".utf8)
        envelope.revision = 7
        batch.append(envelope) { $0.append(contentsOf: "{}".utf8) }
        envelope.coalesced = 3
        envelope.revision = 8
        batch.append(envelope) { $0.append(contentsOf: "[]".utf8) }
        batch.append(OutcomeEnvelope(destination: .reply, routingKey: "q")) { _ in }
        for copy in [batch, try OutcomeBatch(stored: batch.bytes)] {
            var seen: [String] = []
            copy.visit { outcome in
                let key = String(decoding: outcome[.routingKey] ?? [], as: UTF8.self)
                seen.append(
                    "\(outcome.destination) \(key) \(outcome.revision ?? -1) \(outcome.body.count) \(outcome.coalesced)"
                )
                #expect(outcome[.code] == nil)
            }
            #expect(
                seen == [
                    "accepted acme.pages.progress 7 2 0", "accepted acme.pages.progress 8 2 3", "reply q -1 0 0",
                ])
            #expect(copy.count == 3)
        }
    }

    @Test("damaged bytes are refused, wherever they are cut")
    func damaged() throws {
        var batch = OutcomeBatch()
        batch.append(OutcomeEnvelope(destination: .rejected, routingKey: "a.b.c")) { $0.append(1) }
        for length in 1..<batch.bytes.count {
            #expect(throws: StoreError.self) { try OutcomeBatch(stored: Array(batch.bytes[..<length])) }
        }
    }
}
