import WidgetWorker

/// The pipeline that answers a `StoreLookup`.
struct Lookup {
    private let lookup: StoreLookup
    private var commands: [Command] = []

    init(_ lookup: StoreLookup, _ keys: Keys) {
        self.lookup = lookup
        if !lookup.addresses.isEmpty {
            var states = Command("MGET")
            var pushes = Command("HMGET", keys.pending)
            for address in lookup.addresses {
                states.add(keys.widget(address))
                pushes.add(Member.bytes(address))
            }
            commands += [states, pushes]
        }
        if !lookup.keys.isEmpty {
            var entries = Command("MGET")
            for key in lookup.keys { entries.add(keys.entry(key)) }
            commands.append(entries)
        }
        for account in lookup.accounts {
            // Members are account, NUL, slug.
            commands.append(Command("ZLEXCOUNT", keys.index, "[\(account)\0", "(\(account)\u{1}"))
        }
    }

    func ask(_ session: Session, now: Int64) throws(RedisFault) -> StoreFindings {
        var findings = StoreFindings()
        guard !commands.isEmpty else { return findings }
        var replies = try session.call(commands)[...]
        if !lookup.addresses.isEmpty {
            let count = lookup.addresses.count
            let (states, pushes) = (
                try replies.removeFirst().list(count), try replies.removeFirst().list(count)
            )
            for (index, address) in lookup.addresses.enumerated() {
                let state = try states[index].optionalBytes()
                findings.widgets.append(
                    try Self.map(state) { (state) throws(RedisFault) in try StateValue.widget(state, at: address) })
                let push = try pushes[index].optionalBytes()
                findings.pending.append(
                    try Self.map(push) { (push) throws(RedisFault) in try PushValue.push(push, at: address) })
            }
        }
        if !lookup.keys.isEmpty {
            let entries = try replies.removeFirst().list(lookup.keys.count)
            for (index, key) in lookup.keys.enumerated() {
                guard let entry = try entries[index].optionalBytes() else {
                    findings.entries.append(nil)
                    continue
                }
                findings.entries.append(try EntryValue.entry(entry, under: key, at: now))
            }
        }
        for reply in replies { findings.liveWidgets.append(Int(try reply.integer())) }
        return findings
    }

    /// `Optional.map` hands on no typed errors.
    private static func map<Value>(
        _ bytes: [UInt8]?, _ read: ([UInt8]) throws(RedisFault) -> Value
    ) throws(RedisFault) -> Value? {
        guard let bytes else { return nil }
        return try read(bytes)
    }
}
