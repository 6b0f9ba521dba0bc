internal import CMicroHTTPD
internal import Glibc
import Synchronization

/// HTTP over libmicrohttpd, on one thread of the library's own: a slow client waits alone.
///
/// Owns the daemon; ends it, with every connection, in `stop`.
@safe final class Server: Sendable {
    typealias Answer = @Sendable (Request) -> Response

    /// Bytes of a request's body.
    private static let largestBody = 1024 * 1024
    private static let limits = microhttpd_limits(
        connections: 64, connections_of_one_address: 48, timeout_seconds: 15, memory_of_connection: 64 * 1024)

    @safe private struct Daemon: @unchecked Sendable {
        // MHD_stop_daemon is called once, under the lock; nothing else uses the pointer.
        var pointer: OpaquePointer?
    }

    private let answer: Answer
    private let daemon = unsafe Mutex(Daemon(pointer: nil))

    /// - Parameter answer: called on the server's thread, for one request at a time.
    init(answer: @escaping Answer) {
        self.answer = answer
    }

    /// - Parameter socket: bound and listening; the server closes it.
    /// - Returns: whether the library could start.
    func start(on socket: Int32) -> Bool {
        // The daemon holds the server until `stop`, which the owner calls.
        let closure = unsafe Unmanaged.passUnretained(self).toOpaque()
        let started = unsafe microhttpd_start(
            socket, Self.limits,
            { closure, connection, url, method, _, upload, uploadSize, slot in
                guard let closure = unsafe closure, let connection = unsafe connection else { return .NO }
                let server = unsafe Unmanaged<Server>.fromOpaque(closure).takeUnretainedValue()
                return unsafe server.handle(connection, url, method, upload, uploadSize, slot)
            },
            { _, _, slot, _ in
                guard let state = unsafe slot?.pointee else { return }
                unsafe Unmanaged<Exchange>.fromOpaque(state).release()
                unsafe slot?.pointee = nil
            }, closure)
        daemon.withLock { unsafe $0.pointer = started }
        return unsafe started != nil
    }

    /// Takes a connection over, beside those that come from the listening socket.
    /// - Parameter socket: connected; the library closes it, also when it does not take it.
    /// - Returns: whether it is served.
    func serve(_ socket: Int32) -> Bool {
        daemon.withLock { daemon in
            guard let pointer = unsafe daemon.pointer else {
                close(socket)
                return false
            }
            var address = sockaddr()
            address.sa_family = sa_family_t(AF_UNIX)
            return unsafe MHD_add_connection(
                pointer, socket, &address, socklen_t(MemoryLayout<sockaddr>.size)) == .YES
        }
    }

    func stop() {
        let running = daemon.withLock { daemon in
            defer { unsafe daemon.pointer = nil }
            return unsafe Daemon(pointer: daemon.pointer)
        }
        if let pointer = unsafe running.pointer { unsafe MHD_stop_daemon(pointer) }
    }

    /// A request under way; the library keeps it in the request's slot.
    private final class Exchange {
        var body: [UInt8] = []
        var isTooLarge = false
        var stream: EventStream?
    }

    private func handle(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let url = unsafe url, let method = unsafe method, let slot = unsafe slot,
            let uploadSize = unsafe uploadSize
        else { return .NO }
        guard let state = unsafe slot.pointee else {
            unsafe slot.pointee = unsafe Unmanaged.passRetained(Exchange()).toOpaque()
            return .YES
        }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(state).takeUnretainedValue()
        let count = unsafe uploadSize.pointee
        if count > 0 {
            if exchange.body.count + count > Self.largestBody { exchange.isTooLarge = true }
            if !exchange.isTooLarge, let upload = unsafe upload {
                unsafe exchange.body += UnsafeRawBufferPointer(start: upload, count: count)
            }
            unsafe uploadSize.pointee = 0
            return .YES
        }
        let request = unsafe Request(
            method: String(cString: method), path: String(cString: url), query: query(of: connection),
            headers: headers(of: connection), body: exchange.body)
        let response =
            exchange.isTooLarge
            ? Response.problem(
                413, "Content Too Large", "a body may have \(Self.largestBody) bytes, and this one has more")
            : answer(request)
        return unsafe queue(response, on: connection, for: exchange)
    }

    private func queue(_ response: Response, on connection: OpaquePointer, for exchange: Exchange) -> MHD_Result {
        let made: OpaquePointer?
        switch response.content {
        case .whole(let bytes):
            // It is sent after this call, so the library keeps a copy.
            unsafe made = bytes.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .events(let stream):
            // The exchange holds the stream for as long as the library reads from it.
            exchange.stream = stream
            unsafe stream.begin(connection)
            unsafe made = microhttpd_stream(
                { closure, _, buffer, count in
                    guard let closure = unsafe closure, let buffer = unsafe buffer else {
                        return microhttpd_end_of_stream()
                    }
                    let stream = unsafe Unmanaged<EventStream>.fromOpaque(closure).takeUnretainedValue()
                    return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
                        ?? microhttpd_end_of_stream()
                }, unsafe Unmanaged.passUnretained(stream).toOpaque())
        }
        guard let made = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(made) }
        for (name, value) in Response.standardHeaders + [("Content-Type", response.type)] + response.headers {
            _ = unsafe MHD_add_response_header(made, name, value)
        }
        return unsafe MHD_queue_response(connection, response.status, made)
    }

    private func query(of connection: OpaquePointer) -> [String: String] {
        let gathered = Gathered()
        unsafe MHD_get_connection_values(
            connection, .GET_ARGUMENT_KIND,
            { closure, _, name, value in
                guard let closure = unsafe closure, let name = unsafe name else { return .YES }
                let gathered = unsafe Unmanaged<Gathered>.fromOpaque(closure).takeUnretainedValue()
                unsafe gathered.values[String(cString: name)] = unsafe value.map { unsafe String(cString: $0) } ?? ""
                return .YES
            }, unsafe Unmanaged.passUnretained(gathered).toOpaque())
        return gathered.values
    }

    private final class Gathered {
        var values: [String: String] = [:]
    }

    private func headers(of connection: OpaquePointer) -> Request.Headers {
        func header(_ name: String) -> String? {
            unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { unsafe String(cString: $0) }
        }
        return Request.Headers(
            authorization: header("Authorization"), host: header("Host"), origin: header("Origin"),
            lastEventID: header("Last-Event-ID"))
    }
}
