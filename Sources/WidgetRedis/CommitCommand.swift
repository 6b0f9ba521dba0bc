import WidgetContract
import WidgetJSON
import WidgetWorker

/// The keys and arguments of `commit.lua`.
struct CommitCommand: Equatable {
    /// What of a batch is a queue's.
    struct Queue {
        /// Among those that the store was made for.
        var number: Int
        var name: String
        /// What its owner must be; `nil` where that is not compared.
        var owner: String?
        /// Deliveries up to this number are forgotten; `nil` for none since the last time.
        var forgotten: Int64?
        /// Decided, in their order.
        var deliveries: [Fingerprint]
    }

    /// Milliseconds.
    struct Lives {
        var lease: Int
        /// How long an attempt is known again.
        var attempt: Int
        /// Beyond the end of an entry's life, until the server deletes it: clocks differ.
        var entrySlack: Int64
    }

    /// Beside those that every commit has.
    private(set) var keys: Command
    private(set) var arguments = Command()

    init(_ changes: StoreChanges, queues: [Queue], keys names: Keys, worker: String, window: DedupeWindow, lives: Lives)
    {
        keys = Command(
            names.number, names.attempt(of: worker), names.workers, names.outbox, names.outboxOwners, names.index,
            names.due, names.pending)
        let end = window.end(ofEntriesFrom: changes.now)
        for number in [
            Int64(lives.lease), Int64(lives.attempt), changes.now, end - changes.now + lives.entrySlack,
            Int64(queues.count), Int64(changes.widgets.count), changes.replaced.isEmpty ? 0 : 1,
            Int64(changes.inbox.count), Int64(changes.recounted.count), Int64(changes.pending.count),
            Int64(changes.noLongerPending.count), Int64(changes.settled.count),
        ] { arguments.add(number) }
        for queue in queues { add(queue, names) }
        for (index, widget) in changes.widgets.enumerated() {
            keys.add(names.widget(widget.address))
            StateValue.add(changes.replaced.isEmpty ? nil : changes.replaced[index], to: &arguments)
            StateValue.add(widget, to: &arguments)
            arguments.add(Member.bytes(widget.address))
        }
        for entry in changes.inbox + changes.recounted {
            keys.add(names.entry(entry.key))
            EntryValue.add(entry, endingAt: end, to: &arguments)
        }
        for push in changes.pending {
            arguments.add(Member.bytes(push.address))
            arguments.add(push.dueAt)
            PushValue.add(push, to: &arguments)
        }
        for address in changes.noLongerPending { arguments.add(Member.bytes(address)) }
        for number in changes.settled { arguments.add(number) }
        arguments.add(changes.outcomes.bytes)
    }

    private mutating func add(_ queue: Queue, _ names: Keys) {
        keys.add(names.owner(of: queue.name))
        keys.add(names.deliveries(of: queue.name))
        arguments.add(queue.name)
        arguments.add(queue.owner ?? "")
        arguments.add(queue.forgotten.map { String($0) } ?? "")
        arguments.add(length: queue.deliveries.count * 16) { out in
            for fingerprint in queue.deliveries {
                out.putBytes(of: fingerprint.high)
                out.putBytes(of: fingerprint.low)
            }
        }
    }
}
