import WidgetContract
import WidgetJSON
public import WidgetTime

/// Decides batches of messages: reads them, looks up what is known, decides one after the other, and gathers what the
/// store has to keep. It answers from its cache and asks the store for the rest, all of a batch at once.
public struct BatchDecider {
    let reader: MessageReader
    private let limits: MessageLimits
    private let notes: any CrashNotes
    private var decider = Decider()
    var cache: WidgetCache
    var pushes: PushSchedule?
    private var ledger: DeliveryLedger
    /// Live widgets of the accounts whose number was asked for.
    private var liveWidgets: [String: Int] = [:]
    private var documents: [Document] = []
    private var readings: [MessageReading] = []
    private(set) var batch = 0
    private var steadyNow: Int64 = 0
    private var random: any RandomNumberGenerator

    /// - Parameters:
    ///   - cachedWidgets: how many widgets stay in memory.
    ///   - remembered: the store's `rememberedDeliveries`.
    ///   - prefetch: how many deliveries can be unacknowledged at once.
    ///   - pushes: gathers fan-outs; without it nothing is fanned out.
    ///   - notes: know at any time which message is in hand.
    ///   - random: makes the ids of rejections of messages that have none.
    public init(
        limits: MessageLimits, cachedWidgets: Int, remembered: [Fingerprint] = [], prefetch: Int = .max,
        pushes: PushSchedule? = nil, notes: any CrashNotes = NoCrashNotes(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.limits = limits
        self.pushes = pushes
        self.notes = notes
        self.random = random
        reader = MessageReader(limits: limits, notes: notes)
        cache = WidgetCache(capacity: cachedWidgets)
        ledger = DeliveryLedger(remembered, prefetch: prefetch)
    }

    /// Decides messages in order. It throws only before the first decision, so the batch may be decided again.
    /// - Parameters:
    ///   - now: the clock, for each message of the batch.
    ///   - steadyNow: the clock that throttle windows go by, milliseconds since 1970.
    ///   - quarantined: refuse them unread.
    ///   - each: is given each message's verdict, in order, and writes its outcomes.
    public mutating func decide(
        _ messages: [(message: Message, redelivered: Bool)], now: (Int) -> Timestamp, steadyNow: Int64 = 0,
        quarantined: Bool = false, store: any WidgetStore,
        each: (_ message: Message, _ verdict: Verdict, _ outcomes: inout OutcomeBatch) -> Void
    ) throws -> StoreChanges {
        beginBatch(steadyNow: steadyNow)
        read(messages, quarantined)
        holdBatch()
        try load(from: store)
        var inbox = try recall(messages, from: store)
        try countWidgets(in: store)
        ledger.align(returns(among: messages, inbox))
        var changes = StoreChanges(now: messages.isEmpty ? 0 : now(0).milliseconds)
        var touched: [Int] = []
        for (index, (message, redelivered)) in messages.enumerated() {
            let verdict = decide(message, redelivered, index, now(index), &inbox, &changes, &touched)
            each(message, verdict, &changes.outcomes)
        }
        holdBatch()
        changes.widgets = touched.compactMap { cache.stored(in: $0) }
        changes.inbox = inbox.written
        pushes?.store(in: &changes)
        return changes
    }

    /// What a message is known by before it is read.
    func fingerprint(of message: Message) -> Fingerprint { reader.fingerprint(of: message) }

    mutating func beginBatch(steadyNow: Int64) {
        batch += 1
        self.steadyNow = steadyNow
        cache.trim()
    }

    /// Deliveries come from a new connection from now on: what was decided before may come back.
    public mutating func connectionChanged() {
        ledger.connectionChanged()
    }

    /// Forgets deliveries of this connection that the broker can no longer hand out again.
    /// - Parameter returnsHaveCome: nothing of earlier connections is to come back any more.
    public mutating func forget(_ deliveries: [Fingerprint], returnsHaveCome: Bool) {
        ledger.forget(deliveries, returnsHaveCome: returnsHaveCome)
    }

    // MARK: Before the first decision

    private mutating func read(_ messages: [(message: Message, redelivered: Bool)], _ quarantined: Bool) {
        readings.removeAll(keepingCapacity: true)
        for (index, (message, _)) in messages.enumerated() {
            if index == documents.count { documents.append(Document()) }
            readings.append(
                quarantined ? reader.quarantine(message) : reader.read(message, into: &documents[index]))
        }
    }

    private mutating func load(from store: any WidgetStore) throws {
        var missing: [WidgetAddress] = []
        var isListed: Set<WidgetAddress> = []
        for reading in readings where reading.earlyFault == nil && reading.lateFault == nil {
            guard let address = reading.address, address.isLegal, cache.slot(of: address) == nil,
                isListed.insert(address).inserted
            else { continue }
            missing.append(address)
        }
        try fill(missing, from: store)
    }

    /// Caches what the store has at addresses that are not cached.
    mutating func fill(_ missing: [WidgetAddress], from store: any WidgetStore) throws {
        guard !missing.isEmpty else { return }
        for (address, stored) in zip(missing, try store.load(missing)) {
            _ = cache.insert(
                try stored.map { try Widget($0, reader: reader.parser) }, pushedAt: stored?.pushedAt, at: address)
        }
    }

    private func recall(
        _ messages: [(message: Message, redelivered: Bool)], from store: any WidgetStore
    ) throws -> BatchInbox {
        var keys: [InboxKey] = []
        for (index, (message, _)) in messages.enumerated() where readings[index].earlyFault == nil {
            if let key = message.inboxKey(readings[index]) { keys.append(key) }
        }
        guard !keys.isEmpty else { return BatchInbox() }
        return BatchInbox(known: try store.recall(keys))
    }

    /// The redelivered messages that no id identifies: they have none, or one that another message had before.
    private func returns(
        among messages: [(message: Message, redelivered: Bool)], _ inbox: BatchInbox
    ) -> [Fingerprint] {
        messages.indices.compactMap { index in
            guard messages[index].redelivered else { return nil }
            let reading = readings[index]
            if reading.earlyFault == nil, let key = messages[index].message.inboxKey(reading) {
                guard let known = inbox[key], known.fingerprint != reading.fingerprint else { return nil }
            }
            return reading.fingerprint
        }
    }

    private mutating func countWidgets(in store: any WidgetStore) throws {
        guard limits.mostWidgets > 0 else { return }
        for reading in readings where reading.kind == .create {
            guard let account = reading.account, liveWidgets[account] == nil, AddressPattern.account.matches(account)
            else { continue }
            liveWidgets[account] = try store.liveWidgets(in: account)
        }
    }

    /// Between its messages a batch as a whole is in hand; one of a single message is that message.
    private func holdBatch() {
        notes.hold(readings.count == 1 ? .message(readings[0].fingerprint) : .batch)
    }

    // MARK: One message

    private mutating func decide(
        _ message: Message, _ redelivered: Bool, _ index: Int, _ now: Timestamp, _ inbox: inout BatchInbox,
        _ changes: inout StoreChanges, _ touched: inout [Int]
    ) -> Verdict {
        let reading = readings[index]
        notes.hold(.message(reading.fingerprint))
        var verdict = Verdict(reading, decidedAt: now.milliseconds)
        let key = reading.earlyFault == nil ? message.inboxKey(reading) : nil
        let known = key.flatMap { inbox[$0] }
        if let known, known.fingerprint == reading.fingerprint {
            verdict.answer = .repeated(known.outcome, current: current(reading))
            return verdict
        }
        let hasOwnID = key != nil && known == nil
        if !hasOwnID {
            if ledger.wasDecided(reading.fingerprint, redelivered: redelivered) {
                verdict.answer = .decidedBefore
                return verdict
            }
            changes.deliveries.append(reading.fingerprint)
        }
        let decision =
            known == nil
            ? decide(reading, index, message, now, &verdict.push, &touched)
            : .rejected(Rejection(.idConflict, "message_id was used before for another type, address or body"))
        verdict.answer = .decided(decision)
        if case .rejected(let rejection) = decision {
            let rejections = known?.rejections ?? 0
            verdict.reject(
                rejection, message, messageID: message.messageID ?? Array(generatedID().utf8), earlier: rejections,
                document: reading.hasDocument ? documents[index] : nil, body: reading.readableBody(of: message))
        }
        if let key { inbox.write(InboxEntry(key, reading.fingerprint, known, decision, verdict)) }
        return verdict
    }

    private mutating func decide(
        _ reading: MessageReading, _ index: Int, _ message: Message, _ now: Timestamp,
        _ push: inout PushSchedule.Action, _ touched: inout [Int]
    ) -> Decision {
        if let fault = reading.earlyFault ?? reading.lateFault { return .rejected(fault) }
        guard let kind = reading.kind, let address = reading.address else {
            return .rejected(Rejection(.addressMissing, "no slug and no account"))
        }
        let slot = address.isLegal ? cache.slot(of: address) : nil
        let current = slot.flatMap { cache.widget(in: $0) }
        let isFull =
            limits.mostWidgets > 0 && kind == .create && liveWidgets[address.account, default: 0] >= limits.mostWidgets
        let decision = decider.decide(
            current: current, command: Command(kind: kind, address: address, sequence: message.sequence),
            body: documents[index], now: now, accountIsFull: { isFull })
        if case .accepted(let accepted) = decision, let slot {
            if cache.update(slot, to: accepted.widget, in: batch) { touched.append(slot) }
            push = schedule(accepted, of: message, in: slot, isFirst: current?.document == nil)
            let difference = (accepted.widget.document == nil ? 0 : 1) - (current?.document == nil ? 0 : 1)
            if difference != 0, let count = liveWidgets[address.account] {
                liveWidgets[address.account] = count + difference
            }
        }
        return decision
    }

    private mutating func schedule(
        _ accepted: Accepted, of message: Message, in slot: Int, isFirst: Bool
    ) -> PushSchedule.Action {
        let action = pushes?.accept(
            accepted, of: message, isFirst: isFirst, pushedAt: cache.pushedAt(in: slot), now: steadyNow)
        if case .push = action { cache.notePush(slot, at: accepted.widget.document == nil ? nil : steadyNow) }
        return action ?? .none
    }

    private mutating func current(_ reading: MessageReading) -> Widget? {
        guard let address = reading.address, address.isLegal, let slot = cache.slot(of: address) else { return nil }
        return cache.widget(in: slot)
    }

    /// 128 random bits in hexadecimal.
    private mutating func generatedID() -> String {
        let digits = String(random.next() as UInt64, radix: 16) + String(random.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}

extension Message {
    /// The idempotency key, when the message has an id.
    fileprivate func inboxKey(_ reading: MessageReading) -> InboxKey? {
        messageID.flatMap { $0.isEmpty ? nil : InboxKey(account: reading.account ?? "_", messageID: $0) }
    }
}

extension InboxEntry {
    /// What is to be remembered of a decision: for a known id only that one more rejection went out under it.
    fileprivate init(
        _ key: InboxKey, _ fingerprint: Fingerprint, _ known: InboxEntry?, _ decision: Decision, _ verdict: Verdict
    ) {
        if let known {
            self = known
            rejections += 1
            return
        }
        switch decision {
        case .accepted(let accepted):
            let widget = accepted.widget
            self.init(
                key: key, fingerprint: fingerprint,
                outcome: .accepted(
                    slug: widget.address.slug, revision: widget.revision, updatedAt: widget.updatedAt,
                    changed: accepted.changed.rawValue, deleted: widget.document == nil),
                rejections: 0)
        case .rejected:
            self.init(
                key: key, fingerprint: fingerprint, outcome: .rejected(problem: verdict.problem), rejections: 1)
        }
    }
}
