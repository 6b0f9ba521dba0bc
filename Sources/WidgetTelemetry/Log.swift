import Glibc
import Synchronization

/// A structured log on standard error: constant text, data in named keys, payloads stay out.
public struct Log: Sendable {
    public enum Level: Int, Comparable, CaseIterable, Sendable {
        case debug, info, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    public enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    private let format: Format
    private let lowest: Level
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - lowest: entries below it are dropped.
    ///   - write: takes a line without its end; standard error when not given.
    public init(
        format: Format = .text, lowest: Level = .info,
        write: @escaping @Sendable (String) -> Void = Log.writeToStandardError
    ) {
        self.format = format
        self.lowest = lowest
        self.write = write
    }

    /// Whether entries of this level are written.
    public func keeps(_ level: Level) -> Bool { level >= lowest }

    /// A log that keeps nothing.
    public static let none = Log(lowest: .error, write: { _ in })

    public func debug(_ message: StaticString, _ data: KeyValuePairs<StaticString, any CustomStringConvertible> = [:]) {
        record(.debug, message, data)
    }

    public func info(_ message: StaticString, _ data: KeyValuePairs<StaticString, any CustomStringConvertible> = [:]) {
        record(.info, message, data)
    }

    public func warning(_ message: StaticString, _ data: KeyValuePairs<StaticString, any CustomStringConvertible> = [:])
    {
        record(.warning, message, data)
    }

    public func error(_ message: StaticString, _ data: KeyValuePairs<StaticString, any CustomStringConvertible> = [:]) {
        record(.error, message, data)
    }

    private func record(
        _ level: Level, _ message: StaticString, _ data: KeyValuePairs<StaticString, any CustomStringConvertible>
    ) {
        guard keeps(level) else { return }
        switch format {
        case .text:
            var line = "\(Self.clock()) \(level) \(message)"
            for (key, value) in data {
                line += " \(key)=\(Self.quoted(value.description, always: false))"
            }
            write(line)
        case .json:
            var line = "{\"time\":\"\(Self.clock())\",\"level\":\"\(level)\",\"message\":"
            line += Self.quoted(message.description, always: true)
            for (key, value) in data {
                line += ",\"\(key)\":"
                line += value is any BinaryInteger ? value.description : Self.quoted(value.description, always: true)
            }
            write(line + "}")
        }
    }

    /// A JSON string; plain words stay bare unless `always`. Control characters are escaped, so an entry is one line.
    private static func quoted(_ text: String, always: Bool) -> String {
        let bare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x5C && $0 < 0x7F }
        if bare && !always { return text }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The wall clock as `2026-11-30T12:03:10.250Z`.
    private static func clock() -> String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var parts = unsafe tm()
        unsafe gmtime_r(&now.tv_sec, &parts)
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { padded($0, 2) }
        let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }
        return date.joined(separator: "-") + "T" + time.joined(separator: ":")
            + "." + padded(Int32(now.tv_nsec / 1_000_000), 3) + "Z"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let standardErrorIsInUse = Mutex(())

    /// Writes a whole line at once, so that lines of several threads do not mix.
    public static let writeToStandardError: @Sendable (String) -> Void = { line in
        var bytes = Array(line.utf8)
        bytes.append(0x0A)
        standardErrorIsInUse.withLock { _ in
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe Glibc.write(STDERR_FILENO, buffer.baseAddress! + written, buffer.count - written)
                }
                guard count > 0 || errno == EINTR else { return }
                written += max(0, count)
            }
        }
    }
}
