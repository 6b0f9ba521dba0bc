/// Bytes to and from a server, without waiting.
protocol Channel: AnyObject {
    func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult
    func receive(into bytes: UnsafeMutableRawBufferPointer) -> ChannelResult
}

/// How an attempt to move bytes ended.
enum ChannelResult {
    case moved(Int)
    /// Try again once the socket can be read, or written.
    case wouldRead, wouldWrite
    /// The peer has closed the connection.
    case closed
    case failed(RedisFault)
}
