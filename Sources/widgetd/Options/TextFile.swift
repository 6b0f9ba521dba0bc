import Glibc

/// Whole files and standard streams, read and written without a framework.
enum TextFile {
    /// The file's bytes; `nil` when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor: descriptor)
    }

    /// All that is left of it; `nil` for a fault.
    static func read(descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let chunk = readChunk(descriptor) {
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        return nil
    }

    /// Why the last call to the system failed.
    static var reason: String { unsafe String(cString: strerror(errno)) }

    /// The next bytes, none at the end; `nil` for a fault.
    static func readChunk(_ descriptor: Int32, size: Int = 1 << 18) -> [UInt8]? {
        while true {
            var count = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
                initialized = max(0, count)
            }
            if count >= 0 { return chunk }
            guard errno == EINTR else { return nil }
        }
    }

    /// Writes all of it.
    /// - Returns: false when the other end is gone.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
            }
            if count < 0 && errno != EINTR { return false }
            written += max(0, count)
        }
        return true
    }

    static func write(line: String, to descriptor: Int32) {
        write(Array(line.utf8) + [0x0A], to: descriptor)
    }
}
