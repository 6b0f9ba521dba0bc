internal import Glibc

/// A listening socket.
enum Listening {
    struct Fault: Error {
        let reason: String
    }

    /// - Returns: the socket, and the port that it got.
    static func socket(at address: AdminAddress) throws(Fault) -> (descriptor: Int32, port: UInt16) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &found)
        guard code == 0, let first = unsafe found else {
            throw Fault(reason: unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(first) }
        let descriptor = unsafe Glibc.socket(
            first.pointee.ai_family, first.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            first.pointee.ai_protocol)
        guard descriptor >= 0 else { throw fault() }
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, 64) == 0
        else {
            let fault = fault()
            close(descriptor)
            throw fault
        }
        return (descriptor, port(of: descriptor))
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

    private static func fault() -> Fault { Fault(reason: unsafe String(cString: strerror(errno))) }
}
