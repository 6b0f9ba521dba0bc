public import WidgetContract
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
    var ledgers: DeliveryLedgers
    /// As they were before the last batch, while another worker may be faster.
    var ledgersBefore: DeliveryLedgers?
    let sharing: StoreSharing
    /// Live widgets of the accounts whose number was asked for.
    private var liveWidgets: [String: Int] = [:]
    private var documents: [DocumentBuffer] = []
    private var readings: [MessageReading] = []
    private(set) var steadyNow: Int64 = 0
    private(set) var cacheHits = 0
    private(set) var cacheMisses = 0
    /// Of the batch before: the next one's are about as many.
    private var lastOutcomeBytes = 0
    private static let fewestOutcomeBytes = 16 * 1024
    private var random: any RandomNumberGenerator

    /// - Parameters:
    ///   - cachedWidgets: how many widgets stay in memory.
    ///   - sharing: whether what is cached stays true.
    ///   - queues: how many queues deliveries come from.
    ///   - prefetch: how many deliveries can be unacknowledged at once.
    ///   - pushes: gathers fan-outs; without it nothing is fanned out.
    ///   - notes: know at any time which message is in hand.
    ///   - random: makes the ids of rejections of messages that have none.
    public init(
        limits: MessageLimits, cachedWidgets: Int, sharing: StoreSharing = .none, queues: Int = 1,
        prefetch: Int = .max, pushes: PushSchedule? = nil, notes: any CrashNotes = NoCrashNotes(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.limits = limits
        self.pushes = pushes
        self.notes = notes
        self.random = random
        reader = MessageReader(limits: limits, notes: notes)
        cache = WidgetCache(capacity: cachedWidgets)
        ledgers = DeliveryLedgers(queues: queues, prefetch: prefetch)
        self.sharing = sharing
    }

    /// Decides messages in order. It throws only before the first decision, so the batch may be decided again.
    /// - Parameters:
    ///   - now: the clock, for each message of the batch.
    ///   - steadyNow: the clock that throttle windows go by, milliseconds since 1970.
    ///   - quarantined: refuse them unread.
    ///   - each: is given each message's verdict, in order, and the widget as it stands then, and writes its outcomes.
    public mutating func decide(
        _ messages: [Delivery], now: (Int) -> Timestamp, steadyNow: Int64 = 0,
        quarantined: Bool = false, store: any WidgetStore,
        each: (
            _ message: Message, _ verdict: Verdict, _ widget: Widget?, _ outcomes: inout OutcomeBatch
        ) -> Void
    ) throws -> StoreChanges {
        beginBatch(steadyNow: steadyNow)
        read(messages, quarantined)
        holdBatch()
        var inbox = try lookUp(messages, in: store)
        if sharing != .none { ledgersBefore = ledgers }
        ledgers.align(returns(among: messages, inbox))
        var changes = StoreChanges(now: messages.isEmpty ? 0 : now(0).milliseconds)
        var touched: [Int] = []
        changes.outcomes.reserve(lastOutcomeBytes + lastOutcomeBytes / 8)
        for index in messages.indices {
            let message = messages[index].message
            var verdict = Verdict(
                account: readings[index].account, slug: readings[index].slug, decidedAt: now(index).milliseconds)
            decide(messages[index], index, now(index), &inbox, &changes, &touched, &verdict)
            cache.lend(readings[index].slot, with: verdict) { each(message, $1, $0, &changes.outcomes) }
        }
        lastOutcomeBytes = max(Self.fewestOutcomeBytes, changes.outcomes.bytes.count)
        holdBatch()
        changes.widgets = touched.compactMap { cache.takeChange(of: $0) }
        (changes.inbox, changes.recounted) = inbox.written
        pushes?.store(in: &changes)
        return changes
    }

    /// What a message is known by before it is read.
    func fingerprint(of message: Message) -> Fingerprint { reader.fingerprint(of: message) }

    mutating func beginBatch(steadyNow: Int64) {
        ledgersBefore = nil
        self.steadyNow = steadyNow
        if sharing != .none { liveWidgets = [:] }
        if sharing == .widgets { cache.removeAll() } else { cache.trim() }
    }

    // MARK: Before the first decision

    private mutating func read(_ messages: [Delivery], _ quarantined: Bool) {
        while documents.count < messages.count { documents.append(DocumentBuffer()) }
        while readings.count < messages.count { readings.append(MessageReading()) }
        readings.removeLast(readings.count - messages.count)
        for index in messages.indices {
            if quarantined {
                readings[index] = reader.quarantine(messages[index].message)
            } else {
                reader.read(messages[index].message, into: &readings[index], documents[index])
            }
        }
    }

    /// Asks the store for all that the batch needs and the cache does not have.
    private mutating func lookUp(_ messages: [Delivery], in store: any WidgetStore) throws -> BatchInbox {
        var lookup = StoreLookup()
        var isListed: Set<WidgetAddress> = []
        var waiting: [Int] = []
        for index in readings.indices where readings[index].isWhole {
            if readings[index].find(in: &cache) {
                cacheHits += 1
            } else if let address = readings[index].address, address.isLegal {
                waiting.append(index)
                if isListed.insert(address).inserted { lookup.addresses.append(address) }
            }
        }
        for index in messages.indices where messages[index].message.messageID != nil {
            if let key = readings[index].inboxKey(of: messages[index].message) { lookup.keys.append(key) }
        }
        lookup.accounts = accountsToCount()
        guard !lookup.isEmpty else { return BatchInbox() }
        let found = try store.find(lookup)
        try cacheWidgets(lookup.addresses, found)
        cacheMisses += lookup.addresses.count
        cacheHits += waiting.count - lookup.addresses.count
        for index in waiting { _ = readings[index].find(in: &cache) }
        let now = steadyNow
        if sharing != .none { pushes?.adopt(found.pending, at: lookup.addresses, now: now) }
        for (account, count) in zip(lookup.accounts, found.liveWidgets) { liveWidgets[account] = count }
        return BatchInbox(known: found.entries, expecting: lookup.keys.count)
    }

    /// Caches what the store has at addresses that are not cached.
    mutating func cacheWidgets(_ addresses: [WidgetAddress], _ found: StoreFindings) throws {
        for (address, stored) in zip(addresses, found.widgets) {
            _ = cache.insert(
                try stored.map { try Widget($0, reader: reader.parser) }, pushedAt: stored?.pushedAt, at: address)
        }
    }

    private func accountsToCount() -> [String] {
        guard limits.mostWidgets > 0 else { return [] }
        var accounts: [String] = []
        for reading in readings where reading.kind == .create {
            guard let account = reading.account, liveWidgets[account] == nil, !accounts.contains(account),
                AddressPattern.account.matches(account)
            else { continue }
            accounts.append(account)
        }
        return accounts
    }

    private func returns(
        among messages: [Delivery], _ inbox: BatchInbox
    ) -> [(queue: Int, delivery: DeliveryLedger.Return)] {
        messages.indices.compactMap { index in
            guard messages[index].redelivered else { return nil }
            let isUndecided = readings[index].inboxKey(of: messages[index].message).map { inbox[$0] == nil } ?? false
            return (
                messages[index].queue,
                DeliveryLedger.Return(fingerprint: readings[index].fingerprint, isUndecided: isUndecided)
            )
        }
    }

    /// Between its messages a batch as a whole is in hand; one of a single message is that message.
    private func holdBatch() {
        notes.hold(readings.count == 1 ? .message(readings[0].fingerprint) : .batch)
    }

    // MARK: One message

    /// - Parameter verdict: filled where it stands, since a decision is large and its references many.
    private mutating func decide(
        _ delivery: Delivery, _ index: Int, _ now: Timestamp, _ inbox: inout BatchInbox,
        _ changes: inout StoreChanges, _ touched: inout [Int], _ verdict: inout Verdict
    ) {
        let fingerprint = readings[index].fingerprint
        notes.hold(.message(fingerprint))
        let isFirst = noteDelivery(fingerprint, delivery, &changes)
        let message = delivery.message
        guard let key = readings[index].inboxKey(of: message) else {
            guard isFirst else { return }
            let decision = decide(index, message, now, &verdict, &changes, &touched)
            return settle(decision, message, index, earlierRejections: 0, &verdict)
        }
        guard let known = inbox[key] else {
            let decision = decide(index, message, now, &verdict, &changes, &touched)
            settle(decision, message, index, earlierRejections: 0, &verdict)
            return inbox.write(cache.lend(readings[index].slot, with: verdict) { InboxEntry(key, fingerprint, $1, $0) })
        }
        guard known.fingerprint != fingerprint else {
            verdict.answer = .repeated(known.outcome)
            return
        }
        guard isFirst else { return }
        let conflict = Rejection(.idConflict, "message_id was used before for another type, address or body")
        settle(.rejected(conflict), message, index, earlierRejections: known.rejections, &verdict)
        inbox.write(known.countingRejection())
    }

    /// Whether the delivery is decided now, and not before, as far as its place among those that come back tells.
    private mutating func noteDelivery(
        _ fingerprint: Fingerprint, _ delivery: Delivery, _ changes: inout StoreChanges
    ) -> Bool {
        guard ledgers.recognises(queue: delivery.queue) else { return true }
        guard !ledgers.wasDecided(fingerprint, queue: delivery.queue, redelivered: delivery.redelivered) else {
            return false
        }
        changes.deliveries.append(DecidedDelivery(fingerprint, queue: delivery.queue))
        return true
    }

    private mutating func settle(
        _ decision: Decision, _ message: Message, _ index: Int, earlierRejections: Int, _ verdict: inout Verdict
    ) {
        if case .rejected(let rejection) = decision {
            let reading = readings[index]
            verdict.reject(
                rejection, message, messageID: message.messageID ?? Array(generatedID().utf8),
                earlier: earlierRejections, document: reading.hasDocument ? documents[index].document : nil,
                body: reading.readableBody(of: message))
        }
        verdict.answer = .decided(decision)
    }

    private mutating func decide(
        _ index: Int, _ message: Message, _ now: Timestamp, _ verdict: inout Verdict, _ changes: inout StoreChanges,
        _ touched: inout [Int]
    ) -> Decision {
        if !readings[index].isWhole, let fault = readings[index].earlyFault ?? readings[index].lateFault {
            return .rejected(fault)
        }
        guard let command = readings[index].command(message) else {
            return .rejected(Rejection(.addressMissing, "no slug and no account"))
        }
        let isFull =
            limits.mostWidgets > 0 && command.kind == .create
            && liveWidgets[command.address.account, default: 0] >= limits.mostWidgets
        guard let slot = readings[index].slot else {
            var nowhere: Widget?
            return decider.decide(
                current: &nowhere, command: command, body: documents[index].view, now: now, accountIsFull: { isFull })
        }
        let wasLive = cache.isLive(slot)
        let version = sharing == .none ? nil : cache.version(in: slot)
        let decision = cache.change(slot) { widget in
            decider.decide(
                current: &widget, command: command, body: documents[index].view, now: now, accountIsFull: { isFull })
        }
        guard case .accepted(let accepted) = decision else { return decision }
        let place = cache.noteChange(slot, next: touched.count)
        if place == touched.count {
            touched.append(slot)
            if sharing != .none { changes.replaced.append(version) }
        }
        verdict.statePlace = place
        verdict.push = schedule(accepted, of: message, in: slot, isFirst: !wasLive)
        let difference = (cache.isLive(slot) ? 1 : 0) - (wasLive ? 1 : 0)
        if difference != 0, let count = liveWidgets[command.address.account] {
            liveWidgets[command.address.account] = count + difference
        }
        return decision
    }

    private mutating func schedule(
        _ accepted: Accepted, of message: Message, in slot: Int, isFirst: Bool
    ) -> PushSchedule.Action {
        guard pushes != nil else { return .none }
        let pushedAt = cache.pushedAt(in: slot)
        let action = cache.lend(slot, with: message) { widget, message in
            pushes?.accept(accepted, of: message, for: widget, isFirst: isFirst, pushedAt: pushedAt, now: steadyNow)
        }
        if case .push = action { cache.notePush(slot, at: accepted.template == nil ? nil : steadyNow) }
        return action ?? .none
    }

    /// 128 random bits in hexadecimal.
    private mutating func generatedID() -> String {
        let digits = String(random.next() as UInt64, radix: 16) + String(random.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
