import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetURL
import WidgetWorker
import WorkerTestSupport

extension AgainstABroker {
    @Suite(.row(10), .enabled(if: PrivateBroker.isPossible, PrivateBroker.absence), WithTLSBroker())
    struct `Over TLS` {
        private let subject: TLSBroker

        init() throws {
            subject = try #require(TLSBroker.current)
        }

        /// Why a client does not get in.
        private func refusal(_ address: AMQPAddress) throws -> AMQPError {
            try #require(throws: AMQPError.self) { try AMQPClient(address).close() }
        }

        private func connects(_ address: AMQPAddress) throws -> Bool {
            let client = try AMQPClient(address)
            defer { client.close() }
            return try client.declareQueue(exclusive: true).messages == 0
        }

        @Test(arguments: ["localhost", "127.0.0.1"])
        func `a certificate for the dialled name or address is good`(host: String) throws {
            try subject.show("right")
            #expect(try connects(subject.address(host)))
        }

        @Test func `updates come in and outcomes go out`() throws {
            try subject.show("right")
            var topology = Broker.topology("tls")
            topology.queueType = .quorum
            let events = Events()
            let source = AMQPDeliverySource(addresses: [try subject.address()], topology: topology, prefetch: 10)
            let publisher = AMQPPublisher(addresses: [try subject.address()], topology: topology)
            source.start(reportingTo: events.mailbox)
            publisher.start(reportingTo: events.mailbox)
            defer {
                source.close()
                publisher.close()
            }
            #expect(events.waitUntil { !Events.generations($0).isEmpty })
            let client = try AMQPClient(subject.address())
            defer { client.close() }
            let large = [UInt8](repeating: 7, count: 200_000)
            #expect(
                try client.publish([
                    AMQPMessage(exchange: topology.updatesExchange, routingKey: "acme.one", body: [1]),
                    AMQPMessage(exchange: topology.updatesExchange, routingKey: "acme.one", body: large),
                ]) == [.confirmed, .confirmed])
            #expect(events.waitUntil { Events.deliveries($0).map(\.message.body) == [[1], large] })
            source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 2))
            var batch = OutcomeBatch()
            for number in 0..<50 {
                batch.append(OutcomeEnvelope(destination: .accepted, routingKey: "a.\(number)")) { $0 += large }
            }
            publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            #expect(events.waitUntil { Events.confirmations($0).map(\.batch) == [1] })
            #expect(try client.status(ofQueue: topology.fanoutQueue).messages == 50)
            source.close()
            #expect(try eventually { try client.status(ofQueue: topology.updatesQueue).messages == 0 })
        }

        @Test(arguments: [
            (
                "elsewhere",
                "mismatch (wanted 127.0.0.1, it is for DNS:broker.example, IP Address:192.0.2.1); dial a name"
            ),
            ("expired", "has expired (it ended "),
            ("strange", "issuer certificate (issued by /CN=stranger); wanted one from an authority in the file that"),
        ])
        func `a certificate that is not good is refused, with what was wanted, found and is to do`(
            name: String, reason: String
        ) throws {
            try subject.show(name)
            let refusal = try refusal(subject.address())
            #expect(refusal.next == .giveUp)
            #expect(refusal.description.contains(reason), "\(refusal)")
        }

        @Test func `the name to verify may be another than the dialled one`() throws {
            try subject.show("elsewhere")
            #expect(try connects(subject.address(options: "&server_name_indication=broker.example")))
            #expect(try connects(subject.address(options: "&server_name_indication=192.0.2.1")))
            try subject.show("right")
            let refusal = try refusal(subject.address(options: "&server_name_indication=broker.example"))
            #expect(
                refusal.description.contains("wanted broker.example, it is for DNS:localhost, IP Address:127.0.0.1"),
                "\(refusal)")
        }

        @Test func `a broker with TLS 1.1 alone is refused, and told from one without TLS`() throws {
            try subject.withOption("versions", "['tlsv1.1']") {
                let refusal = try refusal(subject.address())
                // "protocol version" is the broker's alert, "unsupported protocol" our own end's.
                #expect(refusal.description.contains("protocol"), "\(refusal)")
                #expect(refusal.description.contains("; wanted TLS 1.2 or newer"), "\(refusal)")
            }
        }

        @Test func `without cacertfile the distribution's authorities are trusted, and no others`() throws {
            try subject.show("right")
            var address = try subject.address()
            address.security?.authoritiesFile = nil
            let refusal = try refusal(address)
            #expect(refusal.next == .giveUp)
            #expect(refusal.description.contains("self-signed certificate"), "\(refusal)")
        }

        @Test func `files that cannot be used are named, with the reason`() throws {
            var address = try subject.address(client: "worker")
            address.security?.authoritiesFile = "/nowhere/authorities.pem"
            let missing = try refusal(address)
            #expect(missing.next == .giveUp)
            #expect(missing.description.hasSuffix("from /nowhere/authorities.pem: No such file or directory"))
            address.security?.authoritiesFile = subject.certificates.path("worker.key")
            #expect(try refusal(address).description.contains("worker.key: no certificate"))
            address = try subject.address(client: "worker")
            address.security?.keyFile = subject.certificates.path("right.key")
            let other = try refusal(address)
            #expect(other.description.contains("worker.pem"))
            #expect(other.description.hasSuffix("right.key: key values mismatch"), "\(other)")
        }

        @Test func `nobody falls back to an open connection`() throws {
            var address = try subject.address()
            address.port = try AMQPAddress(subject.broker.url).port
            let refusal = try refusal(address)
            #expect(refusal.description.contains("is it the broker's port for TLS?"), "\(refusal)")
            var plain = try AMQPAddress(subject.broker.url)
            plain.port = subject.port
            let reverse = try self.refusal(plain)
            #expect(reverse.description.contains("amqps:// is for the one with TLS"), "\(reverse)")
        }

        @Test func `a broker that demands a certificate gets ours, and no stranger in`() throws {
            try subject.show("right")
            try subject.withOption("fail_if_no_peer_cert", "true") {
                #expect(try connects(subject.address(client: "worker")))
                for client in [nil, "intruder", "ended"] {
                    // The broker's alert comes after the handshake (RFC 8446 section 4.4.2.4), and may be overtaken by the end.
                    let refusal = try refusal(subject.address(client: client))
                    #expect(refusal.description.contains("certfile"), "\(refusal)")
                }
            }
        }

        @Test func `the client's certificate says who it is, where the address asks for that`() throws {
            try subject.show("right")
            try subject.broker.control("add_user", "worker", "unused")
            try subject.broker.control("clear_password", "worker")
            try subject.broker.control("set_permissions", "worker", ".*", ".*", ".*")
            let client = try AMQPClient(subject.address(client: "worker", options: "&auth_mechanism=external"))
            defer { client.close() }
            // The broker closes the channel on a user_id that is not the connection's.
            var message = AMQPMessage(routingKey: try client.declareQueue(exclusive: true).name, body: [1])
            message.userID = "worker"
            #expect(try client.publish(message) == .confirmed)
            let nobody = try refusal(subject.address(client: "right", options: "&auth_mechanism=external"))
            #expect(nobody.isLoginRefused && nobody.next == .giveUp)
            #expect(nobody.description.contains("right.pem") && nobody.description.contains("needs a user of the name"))
        }

        @Test func `a broker without EXTERNAL is told with what it lacks`() throws {
            try subject.show("right")
            try subject.withMechanisms("'PLAIN'") {
                let refusal = try refusal(subject.address(client: "worker", options: "&auth_mechanism=external"))
                #expect(refusal.next == .giveUp)
                #expect(refusal.description.contains("rabbitmq_auth_mechanism_ssl"), "\(refusal)")
            }
        }

        @Test func `the days that both certificates have left are told`() throws {
            try subject.show("right")
            let client = try AMQPClient(subject.address(client: "worker"))
            defer { client.close() }
            #expect(client.certificateDays == 1 && client.ownCertificateDays == 1)
            let other = try AMQPClient(subject.address())
            defer { other.close() }
            #expect(other.ownCertificateDays == nil)
        }
    }
}
