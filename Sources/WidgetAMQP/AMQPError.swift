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
    /// - Parameters:
    ///   - subject: to what it was done, such as a queue's name or the broker's address.
    ///   - usesTLS: the connection does.
    init(_ fault: camqp_error, subject: String, usesTLS: Bool) {
        let operation = unsafe String(cString: fault.operation)
        // Some of the broker's are sentences, and more is to follow.
        let said = unsafe String(cString: fault.text)
        let words = said.hasSuffix(".") ? String(said.dropLast()) : said
        let (status, code) = unsafe (fault.status, Int(fault.code))
        let (classID, methodID) = unsafe (fault.class_id, fault.method_id)
        let doing = subject.isEmpty ? operation : "\(operation) \(subject)"
        if status == CAMQP_CHANNEL_CLOSED || status == CAMQP_CONNECTION_CLOSED {
            let login = operation == "log in"
            self.init(
                "\(doing): the broker says \(code) \(words)" + AMQPAdvice.text(code: code, words, login: login),
                next: Self.next(code: code, classID: classID, methodID: methodID, login: login), code: code,
                isLoginRefused: login && code == 403)
        } else if status == CAMQP_INVALID {
            self.init("\(doing): \(words); nothing was sent", next: .retry)
        } else {
            self.init(
                "\(doing): \(words)" + AMQPAdvice.text(libraryStatus: code, words, operation, usesTLS: usesTLS),
                next: Self.next(operation, code))
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

    private static func next(_ operation: String, _ libraryStatus: Int) -> Next {
        switch AMQPLibraryStatus(rawValue: libraryStatus) {
        case .unsupportedMechanism, .peerNotVerified, .nameNotVerified: .giveUp
        default: operation == "prepare TLS" ? .giveUp : .reconnect
        }
    }
}
