import CHiredis

/// Makes replies of what arrives.
@safe final class ReplyReader {
    /// The buffer is kept up to this size while nothing is in it.
    private static let keptBytes = 1 << 20

    private let reader: UnsafeMutablePointer<redisReader>

    init() {
        guard let reader = unsafe redisReaderCreate() else { preconditionFailure("no memory for a reader") }
        unsafe reader.pointee.maxbuf = Self.keptBytes
        unsafe self.reader = unsafe reader
    }

    deinit { unsafe redisReaderFree(reader) }

    func feed(_ bytes: UnsafeRawBufferPointer) throws(RedisFault) {
        let status = unsafe redisReaderFeed(
            reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        guard status == REDIS_OK else { throw broken }
    }

    /// The next reply, when it is there as a whole.
    func next() throws(RedisFault) -> Reply? {
        var found: UnsafeMutableRawPointer?
        guard unsafe redisReaderGetReply(reader, &found) == REDIS_OK else { throw broken }
        guard let found = unsafe found else { return nil }
        defer { unsafe freeReplyObject(found) }
        return unsafe Reply(found.assumingMemoryBound(to: redisReply.self))
    }

    private var broken: RedisFault {
        let words = unsafe withUnsafeBytes(of: reader.pointee.errstr) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        return RedisFault(.surroundings, "does not answer as Redis does (\(words)): is another service there?")
    }
}
