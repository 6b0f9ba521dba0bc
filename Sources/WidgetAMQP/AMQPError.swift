internal import CAMQPShim

/// A fault of the broker, of the way to it, or of what was asked of it.
public struct AMQPError: Error, CustomStringConvertible, Sendable {
    /// What helps.
    public enum Next: Sendable {
        /// The connection lives: the same may work when asked again.
        case retry
        /// A new connection.
        case reconnect
        /// Nothing that a program can do: a password, a permission, a setting has to change first.
        case giveUp
    }

    /// What was wanted, what came instead, what to do.
    public let description: String
    public let next: Next
    /// The broker's reply code (AMQP 0-9-1 section 1.1), such as 404; 0 when it was not the broker who said no.
    public let code: Int
    /// The broker refused user and password, or the certificate in their place.
    public let isLoginRefused: Bool

    public init(_ description: String, next: Next, code: Int = 0, isLoginRefused: Bool = false) {
        self.description = description
        self.next = next
        self.code = code
        self.isLoginRefused = isLoginRefused
    }
}

extension AMQPError {
    /// From the shim's last error.
    /// - Parameter subject: to what it was done, such as a queue's name or the broker's address.
    init(_ fault: camqp_error, subject: String) {
        let operation = unsafe String(cString: fault.operation)
        let words = unsafe String(cString: fault.text)
        let (status, code) = unsafe (fault.status, Int(fault.code))
        let (classID, methodID) = unsafe (fault.class_id, fault.method_id)
        let doing = subject.isEmpty ? operation : "\(operation) \(subject)"
        if status == CAMQP_CHANNEL_CLOSED || status == CAMQP_CONNECTION_CLOSED {
            let login = operation == "log in"
            self.init(
                "\(doing): the broker says \(code) \(words)" + Self.advice(code: code, login: login),
                next: Self.next(code: code, classID: classID, methodID: methodID, login: login), code: code,
                isLoginRefused: login && code == 403)
        } else if status == CAMQP_INVALID {
            self.init("\(doing): \(words); nothing was sent", next: .retry)
        } else {
            self.init(
                "\(doing): \(words)" + Self.advice(libraryStatus: code, operation), next: Self.next(operation, code))
        }
    }

    private static func next(code: Int, classID: UInt16, methodID: UInt16, login: Bool) -> Next {
        // exchange.declare (40, 10) and queue.declare (50, 10): another kind is there under that name.
        let declares = (classID == 40 || classID == 50) && methodID == 10
        return switch code {
        case 403: .giveUp
        case 406 where declares: .giveUp
        case 402, 530: login ? .giveUp : .reconnect
        default: .reconnect
        }
    }

    private static func advice(code: Int, login: Bool) -> String {
        switch code {
        case 403 where login: "; check user, password and authentication mechanism"
        case 403: "; give the user this permission"
        case 530 where login: "; check the virtual host and the user's access to it"
        default: ""
        }
    }

    // Statuses of amqp.h, amqp_status_enum.
    private static let unsupportedMechanism = -0x0013
    private static let peerNotVerified = -0x0202
    private static let nameNotVerified = -0x0201
    private static let socketError = -0x0009
    private static let tlsFailed = -0x0200
    private static let handshakeFailed = -0x0203

    private static func next(_ operation: String, _ libraryStatus: Int) -> Next {
        switch libraryStatus {
        case unsupportedMechanism, peerNotVerified, nameNotVerified: .giveUp
        default: operation == "prepare TLS" ? .giveUp : .reconnect
        }
    }

    private static func advice(libraryStatus: Int, _ operation: String) -> String {
        switch libraryStatus {
        case unsupportedMechanism: "; the broker offers no such mechanism: set auth_mechanism"
        case socketError where operation == "connect": "; does a broker listen there?"
        case tlsFailed where operation == "log in": "; does the broker want a client certificate (certfile, keyfile)?"
        case handshakeFailed: "; is it the broker's port for TLS, and does it speak TLS 1.2 or newer?"
        case peerNotVerified, nameNotVerified:
            "; wanted a valid certificate for the host, or for server_name_indication, from an authority in cacertfile"
        default: ""
        }
    }
}
