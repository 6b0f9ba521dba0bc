import Glibc
import WidgetAMQP
import WidgetTestSupport

/// Publishes with header tables that no decent client would make: frames by hand on a plain socket (AMQP 0-9-1
/// section 4.2).
struct RawPublisher {
    struct Fault: Error {
        let description: String
    }

    private let socket: Int32

    init(_ address: AMQPAddress) throws {
        socket = try Sockets.connect(port: address.port)
        try send(Array("AMQP".utf8) + [0, 0, 9, 1])
        _ = try receive()
        // connection.start-ok: no client properties.
        try sendMethod(
            0,
            short(10) + short(11) + long(0) + shortText("PLAIN")
                + longText([0] + Array(address.user.utf8) + [0] + Array(address.password.utf8)) + shortText("en_US"))
        _ = try receive()
        try sendMethod(0, short(10) + short(31) + short(8) + long(131_072) + short(0))
        try sendMethod(0, short(10) + short(40) + shortText(address.virtualHost) + shortText("") + [0])
        _ = try receive()
        try sendMethod(1, short(20) + short(10) + shortText(""))
        _ = try receive()
    }

    /// Publishes to the default exchange and waits until the broker has taken it.
    /// - Parameter headers: the encoded table, without its length.
    func publish(queue: String, headers: [UInt8], body: [UInt8]) throws {
        try sendMethod(1, short(60) + short(40) + short(0) + shortText("") + shortText(queue) + [0])
        let flags: [UInt8] = short(1 << 13)
        try sendFrame(
            2, 1,
            short(60) + short(0) + long(0) + long(UInt32(body.count)) + flags + long(UInt32(headers.count)) + headers)
        if !body.isEmpty { try sendFrame(3, 1, body) }
        // channel.close is answered after what came before it.
        try sendMethod(1, short(20) + short(40) + short(200) + shortText("") + short(0) + short(0))
        guard try receive().starts(with: short(20) + short(41)) else {
            throw Fault(description: "the broker did not take the message")
        }
        close(socket)
    }

    /// A table in a table in a table: the encoded entries of the outermost.
    static func nested(levels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for level in 0..<levels {
            bytes += [0, UInt8(ascii: "F")]
            let left = UInt32((levels - level - 1) * 6)
            bytes += [UInt8(left >> 24), UInt8(left >> 16 & 255), UInt8(left >> 8 & 255), UInt8(left & 255)]
        }
        return bytes
    }

    private func short(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

    private func long(_ number: UInt32) -> [UInt8] {
        short(UInt16(number >> 16)) + short(UInt16(number & 0xFFFF))
    }

    private func shortText(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    private func longText(_ bytes: [UInt8]) -> [UInt8] { long(UInt32(bytes.count)) + bytes }

    private func sendMethod(_ channel: UInt16, _ payload: [UInt8]) throws { try sendFrame(1, channel, payload) }

    private func sendFrame(_ type: UInt8, _ channel: UInt16, _ payload: [UInt8]) throws {
        try send([type] + short(channel) + long(UInt32(payload.count)) + payload + [0xCE])
    }

    private func send(_ bytes: [UInt8]) throws {
        guard Sockets.send(socket, bytes) else { throw Fault(description: "the broker took nothing") }
    }

    /// The payload of the next frame that is no heartbeat.
    private func receive() throws -> [UInt8] {
        while true {
            let start = try read(7)
            let count = start[3...6].reduce(0) { $0 << 8 | Int($1) }
            let payload = try read(count + 1)
            if start[0] != 8 { return Array(payload.dropLast()) }
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        guard let bytes = Sockets.receive(socket, count) else { throw Fault(description: "the broker has hung up") }
        return bytes
    }
}
