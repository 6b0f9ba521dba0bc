internal import Glibc

/// Sockets: one that listens, and one that asks it.
enum AdminSocket {
    struct Fault: Error {
        let reason: String
    }

    /// - Returns: the socket, and the port that it got.
    static func listening(at address: AdminAddress) throws(Fault) -> (descriptor: Int32, port: UInt16) {
        let found = unsafe try resolve(address, flags: AI_PASSIVE)
        defer { unsafe freeaddrinfo(found) }
        let descriptor = unsafe try open(found)
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 64) == 0
        else {
            let fault = fault()
            close(descriptor)
            throw fault
        }
        return (descriptor, port(of: descriptor))
    }

    /// - Parameter seconds: how long each of connecting, sending and receiving may take.
    /// - Returns: a socket that is connected.
    static func connection(to address: AdminAddress, seconds: Int) throws(Fault) -> Int32 {
        let found = unsafe try resolve(address, flags: 0)
        defer { unsafe freeaddrinfo(found) }
        let descriptor = unsafe try open(found)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for direction in [SO_SNDTIMEO, SO_RCVTIMEO] {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, direction, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard unsafe connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
            let fault = fault()
            close(descriptor)
            throw fault
        }
        return descriptor
    }

    /// - Returns: what getaddrinfo(3) found, the caller's to free.
    private static func resolve(
        _ address: AdminAddress, flags: Int32
    ) throws(Fault) -> UnsafeMutablePointer<addrinfo> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &found)
        guard code == 0, let first = unsafe found else {
            throw Fault(reason: unsafe String(cString: gai_strerror(code)))
        }
        return unsafe first
    }

    private static func open(_ found: UnsafeMutablePointer<addrinfo>) throws(Fault) -> Int32 {
        let descriptor = unsafe Glibc.socket(
            found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            found.pointee.ai_protocol)
        guard descriptor >= 0 else { throw fault() }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe getsockname(descriptor, address, &size)
            }
            // The port stands at the same place for both families (netinet/in.h).
            return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe in_port_t(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    static func fault() -> Fault { Fault(reason: unsafe String(cString: strerror(errno))) }
}
