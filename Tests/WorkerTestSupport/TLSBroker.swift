import Foundation
package import Testing
package import WidgetAMQP
package import WidgetTestSupport

/// A broker with a listener for TLS that shows one certificate after the other, for the tests of one suite.
package final class TLSBroker: Sendable {
    @TaskLocal package static var current: TLSBroker?

    package let broker: PrivateBroker
    package let certificates: Certificates
    package let port: Int

    package init() throws {
        let free = Self.freePort()
        port = free
        var made: Certificates?
        broker = try PrivateBroker(plugins: ["rabbitmq_auth_mechanism_ssl"]) { folder in
            let certificates = try Self.certificates(in: folder.appending(path: "tls"))
            made = certificates
            return """
                listeners.ssl.1 = 127.0.0.1:\(free)
                ssl_options.cacertfile = \(certificates.path("trusted.pem"))
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
        let listens = Poll.until(seconds: 20) {
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
        try certificates.make("renewed", names: "DNS:worker", by: "stranger", commonName: "worker")
        try certificates.make("ended", names: "DNS:worker", days: -1)
        try certificates.copy("right", over: "shown")
        try certificates.copy("authority", over: "trusted")
        return certificates
    }

    /// From now on the broker shows this certificate.
    package func show(_ name: String) throws {
        try certificates.copy(name, over: "shown")
        try forgetCertificates()
    }

    /// From now on the broker takes certificates of this authority alone.
    package func trust(_ authority: String) throws {
        try certificates.copy(authority, over: "trusted")
        try forgetCertificates()
    }

    private func forgetCertificates() throws { try broker.control("eval", "ssl:clear_pem_cache().") }

    /// Runs the body while the listener for TLS has another option (ssl(3erl)); the connections that are there stay.
    package func withOption(_ name: String, _ term: String, _ body: () throws -> Void) throws {
        let other = "lists:keystore(\(name), 1, S, {\(name), \(term)})"
        let options = try changeOptions(to: other, tellingBefore: true)
        defer { _ = try? changeOptions(to: options, tellingBefore: false) }
        try body()
    }

    /// A restart would take much longer.
    private func changeOptions(to term: String, tellingBefore: Bool) throws -> String {
        try broker.control(
            "eval",
            """
            [R] = [R || {R, #{transport := ranch_ssl}} <- maps:to_list(ranch:info())],
            ok = ranch:suspend_listener(R),
            O = #{socket_opts := S} = ranch:get_transport_options(R),
            ok = ranch:set_transport_options(R, O#{socket_opts => \(term)}),
            ok = ranch:resume_listener(R), \(tellingBefore ? "S" : "ok").
            """)
    }

    /// Runs the body while the broker offers these mechanisms alone.
    package func withMechanisms(_ names: String, _ body: () throws -> Void) throws {
        func set(_ names: String) throws {
            try broker.control("eval", "application:set_env(rabbit, auth_mechanisms, [\(names)]).")
        }
        try set(names)
        defer { try? set("'PLAIN', 'EXTERNAL'") }
        try body()
    }

    /// - Parameters:
    ///   - host: what is dialled.
    ///   - client: the certificate that the client shows; none when `nil`.
    ///   - options: further ones, each with its `&` in front.
    package func address(
        _ host: String = "127.0.0.1", client: String? = nil, options: String = ""
    ) throws -> AMQPAddress {
        let own = client.map { "&certfile=\(certificates.path($0)).pem&keyfile=\(certificates.path($0)).key" } ?? ""
        return try AMQPAddress(
            "amqps://guest:guest@\(host):\(port)/%2f?cacertfile=\(certificates.path("authority.pem"))\(own)\(options)")
    }
}

/// Gives a suite its `TLSBroker`.
package struct WithTLSBroker: SuiteTrait, TestScoping {
    package init() {}

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await TLSBroker.$current.withValue(TLSBroker()) { try await function() }
    }
}
