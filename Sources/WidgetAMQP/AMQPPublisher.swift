internal import Synchronization
public import WidgetTelemetry
public import WidgetWorker

/// Outcomes to RabbitMQ with confirms, on a connection and a thread of its own.
public final class AMQPPublisher: OutcomePublisher {
    private let configuration: PublisherConfiguration
    private let requests = PublisherRequests()
    private let thread = Mutex<ConnectionThread?>(nil)

    /// - Parameters:
    ///   - addresses: tried in turn; at least one.
    ///   - confirmDeadline: milliseconds without any confirm after which the connection is given up.
    ///   - refusalPause: milliseconds before an outcome that the broker has refused (nack) is published again.
    public init(
        addresses: [AMQPAddress], topology: Topology, settings: ConnectionSettings = ConnectionSettings(),
        backoff: Backoff = Backoff(), confirmDeadline: Int = 30_000, refusalPause: Int = 500, log: Log = .none
    ) {
        configuration = PublisherConfiguration(
            addresses: addresses.isEmpty ? [AMQPAddress()] : addresses, topology: topology,
            settings: settings.named("publisher"), backoff: backoff, confirmDeadline: confirmDeadline,
            refusalPause: refusalPause, log: log)
    }

    public func start(reportingTo events: Mailbox<WorkerEvent>) {
        let (configuration, requests) = (configuration, requests)
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = ConnectionThread(name: "amqp-publisher") {
                var loop = PublisherLoop(configuration, requests, events)
                loop.run()
            }
            if thread == nil { events.post(.refused(reason: "the system gives no thread for the broker's connection")) }
        }
    }

    public func publish(_ batch: NumberedOutcomes) { requests.publish(batch) }

    /// Ends the connection in order, when all that was published on it is confirmed, and connects anew: to these
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

struct PublisherConfiguration: Sendable {
    let addresses: [AMQPAddress]
    let topology: Topology
    let settings: ConnectionSettings
    let backoff: Backoff
    let confirmDeadline: Int
    let refusalPause: Int
    let log: Log
}
