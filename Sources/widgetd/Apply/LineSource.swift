/// Lines of files or of standard input, one after the other.
struct LineSource {
    private let descriptors: [Int32]
    private var current = 0
    private var buffer: [UInt8] = []
    private var position = 0

    init(descriptors: [Int32]) {
        self.descriptors = descriptors
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
