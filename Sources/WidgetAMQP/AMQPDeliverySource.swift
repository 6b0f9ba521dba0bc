internal import Synchronization
public import WidgetTelemetry
public import WidgetWorker

/// Updates from RabbitMQ, on a connection and a thread of its own.
///
/// It reconnects by itself, declares the topology again each time and counts its connections: an acknowledgement of an
/// older connection is dropped, for the broker has taken those deliveries back.
public final class AMQPDeliverySource: DeliverySource {
    private let configuration: SourceConfiguration
    private let requests = SourceRequests()
    private let thread = Mutex<ConnectionThread?>(nil)

    /// Of the last connection that was made.
    public var certificateEnds: CertificateEnds { configuration.certificateEnds.value }

    /// - Parameters:
    ///   - addresses: tried in turn; at least one.
    ///   - prefetch: deliveries in hand at most, over all queues that are consumed from, yet one of each at least.
    public init(
        addresses: [AMQPAddress], topology: Topology, prefetch: Int,
        settings: ConnectionSettings = ConnectionSettings(),
        backoff: Backoff = Backoff(), log: Log = .none
    ) {
        configuration = SourceConfiguration(
            addresses: addresses.isEmpty ? [AMQPAddress()] : addresses, topology: topology,
            consumers: SourceConsumers(topology, prefetch: prefetch),
            settings: settings.named("consumer"), backoff: backoff, log: log)
    }

    /// How many queues updates are spread over, whichever it consumes from; `Delivery.queue` is below it.
    public var queueCount: Int { configuration.consumers.queues.count }

    /// Unacknowledged deliveries of one queue at most.
    public var mostInHandOfQueue: Int { configuration.consumers.prefetch }

    /// Unacknowledged deliveries at most, over all queues.
    public var mostInHand: Int { mostInHandOfQueue * configuration.consumers.numbers.count }

    public func start(reportingTo events: Mailbox<WorkerEvent>) {
        let (configuration, requests) = (configuration, requests)
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = ConnectionThread(name: "amqp-consumer") {
                var loop = SourceLoop(configuration, requests, events)
                loop.run()
            }
            if thread == nil { events.post(.refused(reason: "the system gives no thread for the broker's connection")) }
        }
    }

    public func acknowledge(upTo position: DeliveryPosition) { requests.acknowledge(position) }

    public func reconnect() { requests.reconnect() }

    public func cancel() { requests.cancel() }

    /// Ends the connection in order, when all that was handed over on it is acknowledged, and connects anew: to these
    /// addresses, with the certificates that are in their files by then. Without a connection it tries at once.
    /// - Parameter addresses: at least one.
    public func renew(_ addresses: [AMQPAddress]) { requests.renew(addresses) }

    public func close() {
        requests.close()
        let ending = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        ending?.join()
    }
}

struct SourceConfiguration: Sendable {
    let addresses: [AMQPAddress]
    let topology: Topology
    let consumers: SourceConsumers
    let settings: ConnectionSettings
    let backoff: Backoff
    let log: Log
    let certificateEnds = NewestCertificateEnds()
}
