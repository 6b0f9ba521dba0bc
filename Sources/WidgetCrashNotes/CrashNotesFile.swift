internal import CCrashNotes
import Glibc
public import WidgetWorker

/// Crash notes in a file: a line for each crash, `message` and a fingerprint in hexadecimal, or `batch`.
///
/// The file belongs to one process at a time, and to one thread in it: the worker's, which calls `coverThread` first.
public struct CrashNotesFile: CrashNotes {
    private let path: String
    private let descriptor: Int32

    /// Opens the file, or makes it, and catches the fatal signals of the process; for as long as the process lives.
    /// - Throws: `CrashNotesError` when it cannot be written.
    public init(path: String) throws {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CrashNotesError(path: path, errno: errno) }
        let fault = crash_notes_begin(descriptor)
        guard fault == 0 else { throw CrashNotesError(path: path, errno: fault) }
        self.path = path
        self.descriptor = descriptor
    }

    /// Lets even an overflow of the calling thread's stack be noted.
    public func coverThread() {
        _ = crash_notes_cover_thread()
    }

    public func crashes() -> [InHand] {
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).compactMap(Self.read)
    }

    public func hold(_ hand: InHand) {
        switch hand {
        case .nothing: crash_notes_hold(CRASH_NOTES_NOTHING, 0, 0)
        case .batch: crash_notes_hold(CRASH_NOTES_BATCH, 0, 0)
        case .message(let fingerprint): crash_notes_hold(CRASH_NOTES_MESSAGE, fingerprint.high, fingerprint.low)
        }
    }

    public func clear() {
        ftruncate(descriptor, 0)
    }

    /// As much as counts of a file that nobody has cleared: more than a thousand crashes.
    private static let longest = 64 * 1024

    private static func read(_ line: ArraySlice<UInt8>) -> InHand? {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        switch (words.first, words.count) {
        case ("batch", 1): return .batch
        case ("message", 2):
            guard words[1].utf8.count == 32, let high = UInt64(words[1].prefix(16), radix: 16),
                let low = UInt64(words[1].suffix(16), radix: 16)
            else { return nil }
            return .message(Fingerprint(high: high, low: low))
        default: return nil
        }
    }
}

/// The notes' file cannot be used.
public struct CrashNotesError: Error, CustomStringConvertible {
    public let description: String

    init(path: String, errno: Int32) {
        let reason = unsafe String(cString: strerror(errno))
        description = "the crash notes \(path) cannot be written: \(reason); make the folder writable for the worker"
    }
}
