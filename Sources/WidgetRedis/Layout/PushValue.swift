import WidgetContract
import WidgetJSON
import WidgetWorker

/// A pending fan-out as a field of a hash.
///
/// Layout, integers little-endian: due, window (i64 each), changed members (u64), updates (u32), and behind their lengths
/// (u32) the build, traceparent and tracestate.
enum PushValue {
    static func add(_ push: PendingPush, to command: inout Command) {
        let texts = [push.minAppVersion, push.traceparent, push.tracestate]
        let length = texts.reduce(0) { $0 + 4 + ($1?.utf8.count ?? 0) }
        command.add(length: 8 + 8 + 8 + 4 + length) { out in
            out.putBytes(of: push.dueAt)
            out.putBytes(of: push.window)
            out.putBytes(of: push.changed.rawValue)
            out.putBytes(of: UInt32(clamping: push.updates))
            for text in texts {
                out.putBytes(of: text.map { UInt32($0.utf8.count) } ?? ValueReader.absentLength)
                if let text { out.put(text: text) }
            }
        }
    }

    static func push(_ bytes: [UInt8], at address: WidgetAddress) throws(RedisFault) -> PendingPush {
        var reader = ValueReader(bytes, "a pending fan-out")
        return PendingPush(
            address: address, dueAt: try reader.integer(), window: try reader.integer(),
            changed: ChangedMembers(rawValue: try reader.integer()), updates: Int(try reader.integer(UInt32.self)),
            minAppVersion: try reader.optionalText(), traceparent: try reader.optionalText(),
            tracestate: try reader.optionalText())
    }
}
