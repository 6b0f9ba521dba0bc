import Glibc

/// Lines of files or of standard input, one after the other.
struct LineSource {
    private let descriptors: [Int32]
    private var current = 0
    private var buffer: [UInt8] = []
    private var position = 0
    /// Bytes that were read.
    private var read = 0
    /// Bytes of all inputs; `nil` when one is no regular file, and so has no end that is known.
    private let total: Int?

    init(descriptors: [Int32]) {
        self.descriptors = descriptors
        let sizes = descriptors.map(Self.bytesLeft)
        total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    }

    /// How much of the input is behind the last line, from 0 to 1; `nil` where its end is not known.
    var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? Double(read - (buffer.count - position)) / Double(total) : 1
    }

    private static func bytesLeft(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size) - Int(lseek(descriptor, 0, SEEK_CUR))
    }

    /// The next line without its end; `nil` after the last.
    /// - Throws: `ProgramError` when reading fails.
    mutating func next() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[position...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return buffer[position..<end]
            }
            guard current < descriptors.count else { return rest() }
            guard let chunk = TextFile.readChunk(descriptors[current]) else {
                throw ProgramError.unavailable("the input cannot be read")
            }
            if chunk.isEmpty {
                current += 1
                if let line = rest() { return line }
            } else {
                buffer.removeSubrange(..<position)
                position = 0
                buffer += chunk
                read += chunk.count
            }
        }
    }

    /// What stands behind the last end of a line.
    private mutating func rest() -> ArraySlice<UInt8>? {
        guard position < buffer.count else { return nil }
        defer { position = buffer.count }
        return buffer[position...]
    }
}
