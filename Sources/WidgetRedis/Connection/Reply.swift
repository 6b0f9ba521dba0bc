import CHiredis

/// What a server answers to one command (RESP2), copied out of the library's memory.
enum Reply: Equatable {
    case nothing
    case integer(Int64)
    case status(String)
    /// A word in capitals, then a sentence.
    case failure(String)
    case bytes([UInt8])
    case list([Reply])
}

extension Reply {
    init(_ reply: UnsafePointer<redisReply>) {
        let reply = unsafe reply.pointee
        switch unsafe reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(unsafe reply.integer)
        case REDIS_REPLY_STATUS: self = unsafe .status(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = unsafe .failure(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_STRING: self = .bytes(unsafe Array(Self.bytes(reply)))
        case REDIS_REPLY_ARRAY:
            self = .list(
                (0..<(unsafe reply.elements)).map { index in
                    guard let element = unsafe reply.element[index] else { return .nothing }
                    return unsafe Reply(UnsafePointer(element))
                })
        default: self = .nothing
        }
    }

    private static func bytes(_ reply: redisReply) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: reply.str, count: reply.len)
    }
}
