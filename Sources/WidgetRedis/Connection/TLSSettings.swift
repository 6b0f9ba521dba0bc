import COpenSSL

/// Whom to trust, and who we are.
public struct TLSSettings: Equatable, Sendable {
    /// PEM file of the authorities to trust; the distribution's bundle when `nil`.
    public var authoritiesFile: String?
    /// PEM files of the client's own certificate chain and key.
    public var certificateFile: String?
    public var keyFile: String?
    /// The name that the server's certificate must carry, when it is not the host's.
    public var verifyName: String?

    public init() {}
}

extension TLSSettings {
    func apply(to context: OpaquePointer) throws(RedisFault) {
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard unsafe copenssl_want_tls_1_2(context) == 1 else {
            throw TLSChannel.lastFault("TLS 1.2 is not there")
        }
        if let authoritiesFile {
            guard unsafe SSL_CTX_load_verify_locations(context, authoritiesFile, nil) == 1 else {
                throw Self.unreadable("the authorities", authoritiesFile, "cacertfile")
            }
        } else {
            _ = unsafe SSL_CTX_set_default_verify_paths(context)
        }
        guard let certificateFile, let keyFile else { return }
        guard unsafe SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            throw Self.unreadable("a certificate", certificateFile, "certfile")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw Self.unreadable("the certificate's key", keyFile, "keyfile")
        }
    }

    private static func unreadable(_ what: String, _ file: String, _ option: String) -> RedisFault {
        TLSChannel.lastFault("wanted \(what) as PEM in \(file) (\(option)), and could not read it")
    }
}
