internal import Synchronization

/// When certificates of a connection to the broker end, seconds since 1970; `nil` without TLS, or where the TLS library
/// does not tell.
public struct CertificateEnds: Equatable, Sendable {
    /// The first to end of the broker's chain.
    public var broker: Int64?
    /// Our own.
    public var client: Int64?
}

/// Those of the newest connection, for other threads than the connection's.
final class NewestCertificateEnds: Sendable {
    private let ends = Mutex(CertificateEnds())

    var value: CertificateEnds {
        get { ends.withLock { $0 } }
        set { ends.withLock { $0 = newValue } }
    }
}
