internal import Glibc

/// Asks the admin address of a worker on this machine.
public struct AdminClient {
    public struct Answer: Sendable {
        /// The HTTP status.
        public let status: Int
        public let body: String
    }

    private let address: AdminAddress
    private let token: String?

    /// Seconds that the worker has for a step: a probe that waits longer is of no use.
    private static let patience = 5

    /// - Parameters:
    ///   - address: where the worker listens. One for every address of the machine (`0.0.0.0`, `::`) is asked on loopback,
    ///     where connect(2) leads for it.
    ///   - token: the worker's `--admin-token`.
    public init(_ address: AdminAddress, token: String?) {
        self.address = address
        self.token = token
    }

    /// - Parameter path: `/livez`, for example.
    /// - Throws: `AdminError` when nobody answers.
    public func get(_ path: String) throws -> Answer {
        do throws(AdminSocket.Fault) {
            let socket = try AdminSocket.connection(to: address, seconds: Self.patience)
            defer { close(socket) }
            try send(path, to: socket)
            return try Self.answer(in: Self.readAll(socket))
        } catch {
            throw AdminError("no worker answers at \(address.host):\(address.port): \(error.reason)")
        }
    }

    private func send(_ path: String, to socket: Int32) throws(AdminSocket.Fault) {
        // HTTP/1.0 ends the answer with the connection. The name is the one that a worker on loopback wants.
        var request = "GET \(path) HTTP/1.0\r\nHost: localhost\r\n"
        if let token { request += "Authorization: Bearer \(token)\r\n" }
        let bytes = Array((request + "\r\n").utf8)
        let sent = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, 0) }
        guard sent == bytes.count else { throw AdminSocket.fault() }
    }

    private static func readAll(_ socket: Int32) throws(AdminSocket.Fault) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                all += chunk[..<count]
            } else if count == 0 {
                return all
            } else if errno != EINTR {
                throw AdminSocket.fault()
            }
        }
    }

    private static let noHTTP = AdminSocket.Fault(reason: "what answers there speaks no HTTP")

    /// The status line is `HTTP/1.1 200 OK` (RFC 9112 section 4).
    private static func answer(in bytes: [UInt8]) throws(AdminSocket.Fault) -> Answer {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Self.noHTTP }
        let words = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else { throw Self.noHTTP }
        return Answer(status: status, body: String(decoding: bytes[end.upperBound...], as: UTF8.self))
    }
}
