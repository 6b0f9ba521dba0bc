import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

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
            ("elsewhere", "mismatch"), ("expired", "expired"), ("strange", "issuer"),
        ])
        func `a certificate that is not good is refused, and the reason told`(name: String, reason: String) throws {
            try subject.show(name)
            let refusal = try refusal(subject.address())
            #expect(refusal.next == .giveUp)
            #expect(refusal.description.contains(reason) && refusal.description.contains("cacertfile"), "\(refusal)")
        }

        @Test func `the name to verify may be another than the dialled one`() throws {
            try subject.show("elsewhere")
            #expect(try connects(subject.address(options: "&server_name_indication=broker.example")))
            #expect(try connects(subject.address(options: "&server_name_indication=192.0.2.1")))
            try subject.show("right")
            let refusal = try refusal(subject.address(options: "&server_name_indication=broker.example"))
            #expect(refusal.description.contains("mismatch"), "\(refusal)")
        }

        @Test func `without cacertfile the distribution's authorities are trusted, and no others`() throws {
            try subject.show("right")
            var address = try subject.address()
            address.authoritiesFile = nil
            let refusal = try refusal(address)
            #expect(refusal.next == .giveUp)
            #expect(refusal.description.contains("self-signed certificate"), "\(refusal)")
        }

        @Test func `a file of authorities that is not there is named`() throws {
            var address = try subject.address()
            address.authoritiesFile = "/nowhere/authorities.pem"
            #expect(try refusal(address).description.contains("/nowhere/authorities.pem"))
        }

        @Test func `nobody falls back to an open connection`() throws {
            var address = try subject.address()
            address.port = try AMQPAddress(subject.broker.url).port
            let refusal = try refusal(address)
            #expect(refusal.description.contains("is it the broker's port for TLS, "), "\(refusal)")
        }

        @Test func `a broker that demands a certificate gets ours, and no stranger in`() throws {
            try subject.show("right")
            try subject.demandCertificates(true)
            defer { try? subject.demandCertificates(false) }
            #expect(try connects(subject.address(client: "worker")))
            let without = try refusal(subject.address())
            #expect(without.description.contains("certfile"), "\(without)")
            #expect(throws: AMQPError.self) { try connects(subject.address(client: "intruder")) }
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
            let guest = try refusal(subject.address(client: "right", options: "&auth_mechanism=external"))
            #expect(guest.isLoginRefused, "\(guest)")
        }
    }
}
