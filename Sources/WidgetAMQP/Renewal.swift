/// A connection's duty to give way to a new one, with the certificates and addresses of that moment, once what it has in
/// hand is finished.
struct Renewal {
    /// What is not finished by then comes again on the new connection, as after a lost one. Milliseconds.
    private static let patience = 30_000

    let addresses: [AMQPAddress]
    private let deadline: Int

    init(_ addresses: [AMQPAddress], now: Int) {
        self.addresses = addresses
        deadline = now + Self.patience
    }

    /// Milliseconds that are left for it; never less than 0.
    func left(now: Int) -> Int { max(0, deadline - now) }
}

/// How the work on a connection ends without a fault.
enum SessionEnd {
    case closed, renewal
}
