import Testing
import WidgetAMQP
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

/// What workers left behind against what `apply` makes of the same updates.
extension FaultTrial {
    /// Records an issue for each promise that was broken.
    func compare(with model: Model) throws -> FaultReport.Row {
        let place: Comment = "\(fault.name), seed \(FaultPlan.fromEnvironment.seed)"
        var row = FaultReport.Row(fault: fault.name, injected: injected, messages: published.count)

        let states = try outcomes(in: worker.fanout, Model.withoutTimes)
        let rejections = try outcomes(in: worker.rejections, Model.problem)
        row.duplicates = states.repeats + rejections.repeats
        let quarantined = rejections.texts.filter { $0.value.contains(#""code":"message.quarantined""#) }.keys
        #expect(Set(quarantined) == Set(deadly.map { "rejected:\($0)" }), place)
        let others = rejections.texts.filter { !quarantined.contains($0.key) }
        let named = others.filter { $0.key.hasPrefix("rejected:m") }
        let nameless = others.filter { named[$0.key] == nil }.values.sorted()
        let differences =
            Self.differences(states.texts, model.states) + Self.differences(named, model.rejections)
            + Self.differences(nameless, model.namelessRejections.sorted())
        row.lost = differences.count { $0.hasPrefix("lost") }
        #expect(differences.isEmpty, place)
        if !fault.comesLate { #expect(risingFaults(in: states.order).isEmpty, place) }
        #expect(try receiptFaults(model).isEmpty, place)

        #expect(try store.widgets() == model.widgets, place)
        // One entry for each id, whatever came back; a message that nobody can read has none.
        let ids = Set(published.compactMap(\.id)).count
        #expect(try store.messageIDs() == ids, place)
        #expect(try store.unsettled() == 0, place)
        for queue in worker.updatesQueues + [worker.fanout, worker.rejections, receipts] {
            #expect(try worker.client.status(ofQueue: queue).messages == 0, "\(place): \(queue)")
        }
        return row
    }

    /// Distinct outcomes by id, ids in the order of their first coming, and how often one came again.
    private func outcomes(
        in queue: String, _ normal: (String) -> String
    ) throws -> (texts: [String: String], order: [String], repeats: Int) {
        var bodies: [String: [UInt8]] = [:]
        var order: [String] = []
        for message in taken[queue] ?? [] {
            let id = try #require(message.messageID)
            if let body = bodies[id] {
                #expect(body == message.body, "two bodies for \(id)")
            } else {
                bodies[id] = message.body
                order.append(id)
            }
        }
        let repeats = (taken[queue] ?? []).count - order.count
        return (bodies.mapValues { normal(String(decoding: $0, as: UTF8.self)) }, order, repeats)
    }

    private static func differences(_ found: [String: String], _ wanted: [String: String]) -> [String] {
        Set(found.keys).union(wanted.keys).sorted().compactMap { id in
            switch (found[id], wanted[id]) {
            case (nil, let text?): "lost \(id): \(text)"
            case (let text?, nil): "unexpected \(id): \(text)"
            case (let text?, let other?): text == other ? nil : "\(id) is \(text) instead of \(other)"
            case (nil, nil): nil
            }
        }
    }

    /// Of outcomes without a name, each as often as it is wanted.
    private static func differences(_ found: [String], _ wanted: [String]) -> [String] {
        found.difference(from: wanted).map { change in
            switch change {
            case .insert(_, let text, _): "unexpected \(text)"
            case .remove(_, let text, _): "lost \(text)"
            }
        }
    }

    /// States that came for the first time after a newer one of their widget.
    private func risingFaults(in ids: [String]) -> [String] {
        var newest: [Substring: Int] = [:]
        return ids.filter { id in
            let parts = id.split(separator: "@")
            guard parts.count == 2, let revision = Int(parts[1]) else { return true }
            defer { newest[parts[0]] = max(revision, newest[parts[0], default: 0]) }
            return revision < newest[parts[0], default: 0]
        }
    }

    /// Who asked is answered, as often as he asked, and always the same.
    private func receiptFaults(_ model: Model) throws -> [String] {
        var found: [String: Set<String>] = [:]
        var counts: [String: Int] = [:]
        for receipt in taken[receipts] ?? [] {
            let id = receipt.correlationID ?? ""
            found[id, default: []].insert(
                Model.receipt(try Document(json: String(decoding: receipt.body, as: UTF8.self))))
            counts[id, default: 0] += 1
        }
        return Set(found.keys).union(model.asked.keys).sorted().filter { id in
            found[id] != model.receipts[id] || counts[id, default: 0] < model.asked[id, default: 0]
        }.map { "\($0): \(found[$0] ?? []), \(counts[$0] ?? 0) of \(model.asked[$0] ?? 0)" }
    }
}
