import WidgetContract
import WidgetWorker

/// A batch's outcomes as a row of `outbox` holds them: those that tell a state which `recent_states` has under the same
/// number without what that tells.
///
/// One behind the other: an outcome whole, as `OutcomeBatch` lays it out and which begins with a length below 2^31; or a
/// state's fan-out, integers little-endian: 2^31 and the state's place in its row (u32), the members that changed (u64),
/// how many updates were gathered before the newest (u32), and the texts of `told`, each with its length (u16, 0xFFFF
/// where it is absent).
enum OutboxRow {
    private static let mark: UInt32 = 1 << 31
    private static let absent: UInt16 = .max
    private static let told: [OutcomeText] = [.minAppVersion, .traceparent, .tracestate]

    /// - Parameter places: of each widget of the batch its state's place in the row of `recent_states`, -1 for none.
    static func bytes(_ outcomes: OutcomeBatch, of widgets: [StoredWidget], at places: [Int]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(outcomes.bytes.count / 4)
        var copied = 0
        for fanOut in outcomes.repeatable {
            let place = places[fanOut.widget]
            guard place >= 0, fanOut.revision == widgets[fanOut.widget].revision else { continue }
            row.append(contentsOf: outcomes.bytes[copied..<fanOut.place.lowerBound])
            copied = fanOut.place.upperBound
            row.append(integer: mark | UInt32(place))
            row.append(integer: fanOut.changed.rawValue)
            row.append(integer: UInt32(clamping: fanOut.coalesced))
            let outcome = fanOut.tellsMore ? outcomes.outcome(at: fanOut.place.lowerBound) : nil
            for text in told {
                let text = outcome?[text]
                row.append(integer: text.map { UInt16($0.count) } ?? absent)
                if let text { row.append(contentsOf: text) }
            }
        }
        guard copied > 0 else { return outcomes.bytes }
        row.append(contentsOf: outcomes.bytes[copied...])
        return row
    }

    /// - Parameter states: of the row of `recent_states` with the same number.
    /// - Throws: `StoreError` when the row is not whole or a state is missing.
    static func outcomes(_ row: [UInt8], states: () throws -> [StoredWidget]) throws -> OutcomeBatch {
        var outcomes = OutcomeBatch()
        var known: [StoredWidget]?
        var reader = PackedReader(row[...], damage: damaged)
        while !reader.rest.isEmpty {
            let start = reader
            let first = try reader.integer(UInt32.self)
            guard first & mark != 0 else {
                reader = start
                let whole = try OutcomeBatch(stored: Array(try reader.take(Int(first))))
                whole.visit { outcomes.append($0) }
                continue
            }
            let states = try known ?? states()
            known = states
            guard states.indices.contains(Int(first & ~mark)) else { throw damaged }
            let changed = ChangedMembers(rawValue: try reader.integer(UInt64.self))
            let coalesced = Int(try reader.integer(UInt32.self))
            let texts = try told.map { _ in
                let length = try reader.integer(UInt16.self)
                return length == absent ? nil : try reader.text(Int(length))
            }
            try outcomes.appendFanOut(
                of: states[Int(first & ~mark)], changed: changed, coalesced: coalesced, minAppVersion: texts[0],
                traceparent: texts[1], tracestate: texts[2])
        }
        return outcomes
    }

    private static let damaged = StoreError(
        "the outbox of the store is damaged: a row does not fit its states", isTransient: false)
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(integer number: Number) {
        var number = number.littleEndian
        unsafe Swift.withUnsafeBytes(of: &number) { unsafe append(contentsOf: $0) }
    }
}
