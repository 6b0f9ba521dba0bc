import Glibc

/// A TCP connection.
final class Socket: Channel {
    let descriptor: Int32

    /// - Throws: `RedisFault` when no address of the host takes a connection by the deadline.
    init(_ endpoint: Endpoint, by deadline: Deadline) throws(RedisFault) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        guard code == 0 else {
            throw RedisFault(
                .surroundings, "the name \(endpoint.host) is not found: \(unsafe String(cString: gai_strerror(code)))")
        }
        defer { unsafe freeaddrinfo(list) }
        var reason = "no address"
        var next = unsafe list
        while let address = unsafe next {
            switch unsafe Self.connect(to: address.pointee, by: deadline) {
            case .success(let descriptor):
                self.descriptor = descriptor
                return
            case .failure(let fault): reason = fault.text
            }
            unsafe next = unsafe address.pointee.ai_next
        }
        throw RedisFault(.surroundings, "takes no connection: \(reason)")
    }

    deinit { Glibc.close(descriptor) }

    private static func connect(to address: addrinfo, by deadline: Deadline) -> Result<Int32, RedisFault> {
        let type = unsafe address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, type, address.ai_protocol)
        guard descriptor >= 0 else { return .failure(fault(errno)) }
        var number: Int32 = 0
        if unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
            number = errno
            if number == EINPROGRESS {
                number = wait(descriptor, POLLOUT, by: deadline) ? error(of: descriptor) : ETIMEDOUT
            }
        }
        guard number == 0 else {
            Glibc.close(descriptor)
            return .failure(fault(number))
        }
        for (level, option) in [(Int32(IPPROTO_TCP), TCP_NODELAY), (SOL_SOCKET, SO_KEEPALIVE)] {
            var on: Int32 = 1
            unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        return .success(descriptor)
    }

    private static func error(of descriptor: Int32) -> Int32 {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        return number
    }

    private static func fault(_ number: Int32) -> RedisFault {
        RedisFault(.surroundings, unsafe String(cString: strerror(number)))
    }

    /// Waits until the socket is ready for one of these.
    /// - Returns: false when the time is over first.
    static func wait(_ descriptor: Int32, _ events: Int32, by deadline: Deadline) -> Bool {
        var waited = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let found = unsafe poll(&waited, 1, Int32(clamping: deadline.left))
            if found > 0 { return true }
            if found == 0 || errno != EINTR { return false }
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult {
        let count = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count >= 0 ? .moved(count) : Self.result(errno, .wouldWrite)
    }

    func receive(into bytes: UnsafeMutableRawBufferPointer) -> ChannelResult {
        let count = unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        return count > 0 ? .moved(count) : count == 0 ? .closed : Self.result(errno, .wouldRead)
    }

    private static func result(_ number: Int32, _ wait: ChannelResult) -> ChannelResult {
        switch number {
        case EAGAIN, EINTR: wait
        case EPIPE, ECONNRESET: .closed
        default: .failed(fault(number))
        }
    }
}
