/// What to do about a fault, to follow the words of the broker or the library; empty where they say it all.
enum AMQPAdvice {
    /// - Parameters:
    ///   - code: the broker's reply code (AMQP 0-9-1 section 1.1).
    ///   - words: the broker's.
    ///   - login: it was said to a login.
    static func text(code: Int, _ words: String, login: Bool) -> String {
        switch code {
        case 403 where login && words.contains("mechanism EXTERNAL"):
            "; the broker needs a user of the name in certfile (ssl_cert_login_from says which of its names)"
        case 403 where login: "; check user, password and authentication mechanism"
        case 403: "; give the user this permission"
        case 530 where login: "; check the virtual host and the user's access to it"
        default: ""
        }
    }

    /// - Parameters:
    ///   - words: those of librabbitmq and OpenSSL.
    ///   - operation: what failed.
    static func text(libraryStatus: Int, _ words: String, _ operation: String, usesTLS: Bool) -> String {
        guard let status = AMQPLibraryStatus(rawValue: libraryStatus) else { return "" }
        let isLogin = operation == "log in"
        let advice: String? =
            switch status {
            case .unsupportedMechanism:
                "the broker does not offer the mechanism that auth_mechanism names; external takes its plugin"
                    + " rabbitmq_auth_mechanism_ssl and a line in its auth_mechanisms"
            case .noSuchHost: "check the host's name"
            case .socketError where operation == "connect": "does a broker listen there?"
            case .socketError where isLogin && !usesTLS, .connectionClosed where isLogin && !usesTLS, .otherProtocol:
                "is it the broker's port for AMQP 0-9-1 without TLS? amqps:// is for the one with TLS"
            case .socketError, .connectionClosed: nil
            case .tlsFailed: isLogin ? first(of: ofOurCertificate, in: words) : nil
            case .handshakeFailed: first(of: ofHandshake, in: words)
            case .peerNotVerified, .nameNotVerified: first(of: ofBrokersCertificate, in: words)
            }
        return advice.map { "; " + $0 } ?? ""
    }

    private static func first(of table: [(word: String, advice: String)], in words: String) -> String? {
        table.first { words.contains($0.word) || $0.word.isEmpty }?.advice
    }

    /// By words of OpenSSL for a certificate that does not verify; the last row is for any other.
    private static let ofBrokersCertificate = [
        ("mismatch", "dial a name that it is for, or say in server_name_indication which one to expect"),
        ("expired", "the broker needs a new one, unless this machine's clock is wrong"),
        ("not yet valid", "this machine's clock may be wrong"),
        ("", "wanted one from an authority in the file that cacertfile names, else of the distribution's"),
    ]

    /// By words for the broker's alert (RFC 8446 section 6.2).
    private static let ofOurCertificate = [
        ("unknown ca", "the broker does not know the authority of our certificate (certfile)"),
        ("certificate expired", "our certificate (certfile) has ended: renew it"),
        ("", "the broker wants a client certificate that it trusts and that has not ended: see certfile and keyfile"),
    ]

    private static let ofHandshake = [
        ("protocol", "wanted TLS 1.2 or newer, which the broker's ssl_options.versions may leave out"),
        ("", "is it the broker's port for TLS?"),
    ]
}
