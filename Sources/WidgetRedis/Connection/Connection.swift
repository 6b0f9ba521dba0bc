import Glibc
import WidgetURL

/// A connection to one server: commands out, their replies in, by a deadline.
final class Connection {
    let endpoint: Endpoint
    private let socket: Socket
    private let channel: any Channel
    private let reader = ReplyReader()
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// - Parameter security: for TLS.
    init(_ endpoint: Endpoint, _ security: TLSSettings?, by deadline: Deadline) throws(RedisFault) {
        self.endpoint = endpoint
        socket = try Socket(endpoint, by: deadline)
        if let security {
            channel = try TLSChannel(
                security, name: security.verifyName ?? endpoint.host, over: socket, by: deadline)
        } else {
            channel = socket
        }
    }

    /// Days until the first certificate of the server's chain ends; `nil` without TLS.
    var certificateDays: Int? { (channel as? TLSChannel)?.certificateDays }

    /// Sends commands in one go and waits for all their replies.
    /// - Throws: `RedisFault`; the connection is of no further use then.
    func call(_ commands: [Command], by deadline: Deadline) throws(RedisFault) -> [Reply] {
        var request: [UInt8] = []
        request.reserveCapacity(commands.reduce(0) { $0 + 32 + $1.arguments.count })
        for command in commands { command.write(to: &request) }
        try send(request, by: deadline)
        var replies: [Reply] = []
        while true {
            while let reply = try reader.next() {
                replies.append(reply)
                if replies.count == commands.count { return replies }
            }
            try receive(by: deadline)
        }
    }

    private func send(_ request: [UInt8], by deadline: Deadline) throws(RedisFault) {
        var sent = 0
        while sent < request.count {
            let result = unsafe request.withUnsafeBytes { bytes in
                unsafe channel.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
            sent += try moved(result, by: deadline)
        }
    }

    private func receive(by deadline: Deadline) throws(RedisFault) {
        let result = unsafe buffer.withUnsafeMutableBytes { unsafe channel.receive(into: $0) }
        let count = try moved(result, by: deadline)
        guard count > 0 else { return }
        let fault: RedisFault? = unsafe buffer.withUnsafeBytes { bytes in
            do throws(RedisFault) {
                try unsafe reader.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }

    /// How many bytes were moved; 0 after a wait.
    private func moved(_ result: ChannelResult, by deadline: Deadline) throws(RedisFault) -> Int {
        let events: Int32
        switch result {
        case .moved(let count): return count
        case .closed: throw RedisFault(.closed, "has closed the connection")
        case .failed(let fault): throw fault
        case .wouldRead: events = POLLIN
        case .wouldWrite: events = POLLOUT
        }
        guard Socket.wait(socket.descriptor, events, by: deadline) else {
            throw RedisFault(.surroundings, "does not answer in time: is it stopped, overloaded or cut off?")
        }
        return 0
    }
}
