import Foundation
import Glibc
import Testing
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

@Suite struct TLSTests {
    init() {
        // As the program does.
        signal(SIGPIPE, SIG_IGN)
    }

    /// A server that speaks TLS alone, on the port that would be without.
    private func server(
        names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2, wantsCertificate: Bool = false
    ) throws -> (server: TLSServer, certificates: Certificates) {
        let server = try TLSServer(names: names, days: days, wantsCertificate: wantsCertificate)
        return (server, server.certificates)
    }

    private func fault(_ url: String) throws -> StoreError? {
        let address = try RedisAddress(url)
        return #expect(throws: StoreError.self) { try RedisStore(address: address, queues: []).widget("pages") }
    }

    @Test("a batch goes over TLS when the authority and the name are right, whatever its size")
    func right() throws {
        let (server, certificates) = try server()
        for host in ["localhost", "127.0.0.1"] {
            let address = try RedisAddress(
                "rediss://\(host):\(server.port)?prefix=\(host)&cacertfile=\(certificates.path("authority.pem"))")
            let store = RedisStore(address: address, queues: ["updates"])
            _ = try store.takeOver(queue: 0)
            var changes = StoreChanges(now: 0)
            changes.widgets = (0..<2_000).map {
                .sample("widget-\($0)", document: String(repeating: "x", count: 2_000))
            }
            _ = try store.commit(changes)
            #expect(try store.load(changes.widgets.map(\.address)) == changes.widgets)
            // Whole days that are left of two: two in its first second.
            let days = try #require(try RedisInspection(address: address).certificateDays)
            #expect((1...2).contains(days))
        }
    }

    @Test("another authority, another name, a certificate that has ended: each is refused and told")
    func wrong() throws {
        let (server, certificates) = try server()
        let stranger = try fault("rediss://localhost:\(server.port)?cacertfile=\(certificates.path("stranger.pem"))")
        #expect(stranger?.description.contains("its certificate is not to be trusted") == true)
        #expect(stranger?.isTransient == true)
        let bundle = try fault("rediss://localhost:\(server.port)")
        #expect(bundle?.description.contains("not to be trusted") == true)
        let authority = "cacertfile=\(certificates.path("authority.pem"))"
        let name = try fault(
            "rediss://localhost:\(server.port)?\(authority)&server_name_indication=redis.example")
        #expect(name?.description.contains("ostname mismatch") == true, "\(String(describing: name))")
        let missing = try fault("rediss://localhost:\(server.port)?cacertfile=/nowhere.pem")
        #expect(missing?.description.contains("wanted the authorities as PEM in /nowhere.pem") == true)

        let (ended, itsCertificates) = try self.server(days: -1)
        let expired = try fault("rediss://localhost:\(ended.port)?cacertfile=\(itsCertificates.path("authority.pem"))")
        #expect(expired?.description.contains("expired") == true, "\(String(describing: expired))")
    }

    @Test("a server that wants a certificate gets it, and is told about when it does not")
    func mutual() throws {
        let (server, certificates) = try server(wantsCertificate: true)
        try certificates.make("worker", names: "DNS:worker")
        let url = "rediss://localhost:\(server.port)?cacertfile=\(certificates.path("authority.pem"))"
        let (certificate, key) = (certificates.path("worker.pem"), certificates.path("worker.key"))
        let address = try RedisAddress("\(url)&certfile=\(certificate)&keyfile=\(key)")
        #expect(try RedisStore(address: address, queues: []).widget("pages") == nil)
        #expect(try fault(url)?.isTransient == true)
        let swapped = try fault("\(url)&certfile=\(key)&keyfile=\(certificate)")
        #expect(swapped?.description.contains("(certfile), and could not read it") == true)
    }

    @Test("TLS where there is none, and none where there is TLS, is told")
    func mismatch() throws {
        let (server, _) = try server()
        #expect(try fault("redis://localhost:\(server.port)?command_timeout=500") != nil)
        let plain = try RedisServer()
        let words = try fault("rediss://127.0.0.1:\(plain.port)?connection_timeout=500")?.description
        #expect(words?.contains("TLS") == true, "\(words ?? "")")
    }
}

/// A Redis server that speaks TLS alone.
private struct TLSServer {
    let server: RedisServer
    let port: Int
    let certificates: Certificates

    init(names: String, days: Int, wantsCertificate: Bool) throws {
        let (listener, port) = try Sockets.listen()
        Sockets.close(listener)
        var made: Certificates?
        server = try RedisServer { folder in
            let certificates = try Certificates(in: folder.appending(path: "tls"))
            try certificates.make("server", names: names, days: days)
            made = certificates
            return [
                "--tls-port", String(port), "--tls-cert-file", certificates.path("server.pem"), "--tls-key-file",
                certificates.path("server.key"), "--tls-ca-cert-file", certificates.path("authority.pem"),
                "--tls-auth-clients", wantsCertificate ? "yes" : "no",
            ]
        }
        self.port = port
        certificates = try #require(made)
    }
}
