/// Stored batches on their way through the publisher, oldest first. They leave in order, however confirms arrive.
struct InFlight {
    /// A `~Copyable` stage does not go into an array; its box does.
    private final class Box {
        let number: Int64
        var stage: Stored?
        var confirmations: Confirmations?

        init(_ stage: consuming Stored) {
            number = stage.batch.number
            self.stage = consume stage
        }
    }

    private var boxes: [Box] = []

    var count: Int { boxes.count }
    var isEmpty: Bool { boxes.isEmpty }

    func holds(_ number: Int64) -> Bool { boxes.contains { $0.number == number } }

    /// The batch goes to the publisher; one without outcomes has nothing to wait for but its turn.
    mutating func add(_ stage: consuming Stored, publishingBy publisher: any OutcomePublisher) {
        let batch = stage.batch
        let box = Box(stage)
        boxes.append(box)
        if batch.outcomes.isEmpty {
            box.confirmations = Confirmations(batch: batch.number, unroutable: [])
        } else {
            publisher.publish(batch)
        }
    }

    /// Notes a batch's confirmations.
    /// - Returns: the outcomes, when the batch is one of these.
    mutating func confirm(_ confirmations: Confirmations) -> OutcomeBatch? {
        for box in boxes {
            guard let stage = box.stage.take() else { continue }
            let batch = stage.batch
            box.stage = consume stage
            if batch.number == confirmations.batch {
                box.confirmations = confirmations
                return batch.outcomes
            }
        }
        return nil
    }

    /// The oldest batch, when it is published.
    mutating func next() -> Published? {
        guard let first = boxes.first, let confirmations = first.confirmations, let stage = first.stage.take() else {
            return nil
        }
        boxes.removeFirst()
        return stage.published(by: confirmations)
    }
}
