import COpenSSL
import WidgetURL

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
