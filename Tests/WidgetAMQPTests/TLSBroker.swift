import Foundation
import Testing
import WidgetAMQP
import WidgetTestSupport

/// A broker with a listener for TLS that shows one certificate after the other, for the tests of one suite.
final class TLSBroker: Sendable {
    @TaskLocal static var current: TLSBroker?

    let broker: PrivateBroker
    let certificates: Certificates
    let port: Int

    init() throws {
        let free = Self.freePort()
        port = free
        var made: Certificates?
        broker = try PrivateBroker(plugins: ["rabbitmq_auth_mechanism_ssl"]) { folder in
            let certificates = try Self.certificates(in: folder.appending(path: "tls"))
            made = certificates
            return """
                listeners.ssl.1 = 127.0.0.1:\(free)
                ssl_options.cacertfile = \(certificates.path("authority.pem"))
                ssl_options.certfile = \(certificates.path("shown.pem"))
                ssl_options.keyfile = \(certificates.path("shown.key"))
                ssl_options.verify = verify_peer
                ssl_options.fail_if_no_peer_cert = false
                auth_mechanisms.1 = PLAIN
                auth_mechanisms.2 = EXTERNAL
                ssl_cert_login_from = common_name

                """
        }
        certificates = try #require(made)
        try waitForListener()
    }

    /// Below the range that outgoing connections take.
    private static func freePort() -> Int {
        while true {
            let port = Int.random(in: 20_000..<32_000)
            guard let socket = try? Sockets.connect(port: port) else { return port }
            Sockets.close(socket)
        }
    }

    /// The node counts as started when it listens without TLS, a moment earlier.
    private func waitForListener() throws {
        let listens = eventually {
            guard let socket = try? Sockets.connect(port: port) else { return false }
            Sockets.close(socket)
            return true
        }
        try #require(listens, "\(broker.log)")
    }

    private static func certificates(in folder: URL) throws -> Certificates {
        let certificates = try Certificates(in: folder)
        try certificates.make("right", names: "DNS:localhost,IP:127.0.0.1")
        try certificates.make("elsewhere", names: "DNS:broker.example,IP:192.0.2.1")
        try certificates.make("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
        try certificates.make("strange", names: "DNS:localhost,IP:127.0.0.1", by: "stranger")
        try certificates.make("worker", names: "DNS:worker")
        try certificates.make("intruder", names: "DNS:worker", by: "stranger")
        try show("right", of: certificates)
        return certificates
    }

    private static func show(_ name: String, of certificates: Certificates) throws {
        for kind in ["pem", "key"] {
            try Data(contentsOf: URL(filePath: certificates.path("\(name).\(kind)")))
                .write(to: URL(filePath: certificates.path("shown.\(kind)")))
        }
    }

    /// From now on the broker shows this certificate.
    func show(_ name: String) throws {
        try Self.show(name, of: certificates)
        try broker.control("eval", "ssl:clear_pem_cache().")
    }

    /// Whether clients must show a certificate.
    func demandCertificates(_ demanded: Bool) throws {
        let path = broker.folder.appending(path: "rabbitmq.conf")
        let option = "ssl_options.fail_if_no_peer_cert = "
        try String(contentsOf: path, encoding: .utf8)
            .replacingOccurrences(of: "\(option)\(!demanded)", with: "\(option)\(demanded)")
            .write(to: path, atomically: true, encoding: .utf8)
        try broker.restart()
        try waitForListener()
    }

    /// - Parameters:
    ///   - host: what is dialled.
    ///   - client: the certificate that the client shows; none when `nil`.
    ///   - options: further ones, each with its `&` in front.
    func address(_ host: String = "127.0.0.1", client: String? = nil, options: String = "") throws -> AMQPAddress {
        let own = client.map { "&certfile=\(certificates.path($0)).pem&keyfile=\(certificates.path($0)).key" } ?? ""
        return try AMQPAddress(
            "amqps://guest:guest@\(host):\(port)/%2f?cacertfile=\(certificates.path("authority.pem"))\(own)\(options)")
    }
}

/// Gives a suite its `TLSBroker`.
struct WithTLSBroker: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await TLSBroker.$current.withValue(TLSBroker()) { try await function() }
    }
}
