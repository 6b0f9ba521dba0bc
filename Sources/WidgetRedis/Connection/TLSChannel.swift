import COpenSSL
import Glibc
import WidgetURL

/// TLS over a socket, chain and name of the server's certificate always verified.
///
/// OpenSSL writes without MSG_NOSIGNAL: the program has to ignore SIGPIPE.
@safe final class TLSChannel: Channel {
    private let context: OpaquePointer
    private let session: OpaquePointer
    private let socket: Socket

    /// - Parameter name: the one that the certificate must carry: a host's, or an address.
    init(_ settings: TLSSettings, name: String, over socket: Socket, by deadline: Deadline) throws(RedisFault) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw Self.lastFault("TLS cannot begin") }
        guard let session = try unsafe Self.session(context, settings, name) else {
            unsafe SSL_CTX_free(context)
            throw Self.lastFault("TLS cannot begin")
        }
        unsafe self.context = context
        unsafe self.session = session
        self.socket = socket
        unsafe SSL_set_fd(session, socket.descriptor)
        try handshake(by: deadline)
    }

    deinit {
        unsafe SSL_free(session)
        unsafe SSL_CTX_free(context)
    }

    private static func session(
        _ context: OpaquePointer, _ settings: TLSSettings, _ name: String
    ) throws(RedisFault) -> OpaquePointer? {
        do {
            try unsafe settings.apply(to: context)
        } catch {
            unsafe SSL_CTX_free(context)
            throw error
        }
        guard let session = unsafe SSL_new(context) else { return nil }
        unsafe copenssl_write_in_parts(session)
        let parameters = unsafe SSL_get0_param(session)
        var address = in6_addr()
        if unsafe inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1 {
            unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, name)
        } else {
            // RFC 6125 section 6.4.3.
            unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            unsafe X509_VERIFY_PARAM_set1_host(parameters, name, 0)
            _ = unsafe copenssl_tell_name(session, name)
        }
        return unsafe session
    }

    private func handshake(by deadline: Deadline) throws(RedisFault) {
        while true {
            ERR_clear_error()
            let code = unsafe SSL_connect(session)
            if code == 1 { return }
            let events: Int32
            switch result(code, during: "TLS") {
            case .wouldRead: events = POLLIN
            case .wouldWrite: events = POLLOUT
            case .failed(let fault): throw fault
            case .closed, .moved:
                throw RedisFault(
                    .needsSomebody,
                    "ends the connection during the TLS handshake: does it speak TLS on this port,"
                        + " and does it want a client certificate (certfile and keyfile)?")
            }
            guard Socket.wait(socket.descriptor, events, by: deadline) else {
                throw RedisFault(.surroundings, "does not answer to TLS: does it speak TLS on this port?")
            }
        }
    }

    /// Days until the first certificate of the peer's chain ends.
    var certificateDays: Int? {
        let chain = unsafe SSL_get0_verified_chain(session)
        return unsafe (0..<OPENSSL_sk_num(chain)).compactMap { place -> Int? in
            guard let certificate = unsafe OPENSSL_sk_value(chain, place) else { return nil }
            var (days, seconds): (Int32, Int32) = (0, 0)
            let end = unsafe X509_get0_notAfter(OpaquePointer(certificate))
            return unsafe ASN1_TIME_diff(&days, &seconds, nil, end) == 1 ? Int(days) : nil
        }.min()
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult {
        ERR_clear_error()
        return result(unsafe SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)), during: "sending")
    }

    func receive(into bytes: UnsafeMutableRawBufferPointer) -> ChannelResult {
        ERR_clear_error()
        return result(
            unsafe SSL_read(session, bytes.baseAddress, Int32(clamping: bytes.count)), during: "receiving")
    }

    private func result(_ code: Int32, during step: String) -> ChannelResult {
        guard code <= 0 else { return .moved(Int(code)) }
        switch unsafe SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .wouldRead
        case SSL_ERROR_WANT_WRITE: return .wouldWrite
        case SSL_ERROR_ZERO_RETURN, SSL_ERROR_SYSCALL: return .closed
        default:
            let verified = unsafe SSL_get_verify_result(session)
            guard verified == Int(X509_V_OK) else {
                let reason = unsafe String(cString: X509_verify_cert_error_string(verified))
                return .failed(
                    RedisFault(
                        .needsSomebody,
                        "its certificate is not to be trusted: \(reason); look at cacertfile, at the"
                            + " certificate's names and dates, and at server_name_indication"))
            }
            return .failed(Self.lastFault("\(step) failed"))
        }
    }

    static func lastFault(_ what: String) -> RedisFault {
        let code = ERR_get_error()
        let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "no reason is told"
        return RedisFault(.needsSomebody, "\(what): \(reason)")
    }
}
