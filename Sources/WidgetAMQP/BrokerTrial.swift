internal import Synchronization

/// A login for the sake of knowing whether it works.
public final class BrokerTrial: Sendable {
    private let fault = Mutex<AMQPError?>(nil)

    private init() {}

    /// Logs in to the first of the addresses that answers, and out again, on a thread with the stack that librabbitmq needs.
    /// - Returns: why none lets us in; `nil` when one does.
    public static func fault(of addresses: [AMQPAddress], settings: ConnectionSettings) -> AMQPError? {
        let trial = BrokerTrial()
        let thread = ConnectionThread(name: "amqp-trial") {
            do throws(AMQPError) {
                try AMQPClient.connect(to: addresses, settings: settings).close()
            } catch {
                trial.fault.withLock { $0 = error }
            }
        }
        guard let thread else { return AMQPError("connect: the system gives no thread", next: .reconnect) }
        thread.join()
        return trial.fault.withLock { $0 }
    }
}
