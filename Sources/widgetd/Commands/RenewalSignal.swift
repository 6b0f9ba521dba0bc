import Dispatch
import Glibc
import WidgetAMQP
import WidgetTelemetry

/// SIGHUP: the files of secrets and certificates are read again, and the broker's connections renewed with them.
///
/// What is new is tried first, with a connection of its own: a certificate that the broker refuses costs nothing but a
/// line in the log.
final class RenewalSignal {
    private let source: any DispatchSourceSignal

    /// - Parameter renew: is given the brokers' addresses when one of them lets us in.
    init(_ values: OptionValues, _ log: Log, renew: @escaping @Sendable ([AMQPAddress]) -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "widgetd.renewal"))
        source.setEventHandler { @Sendable in
            do {
                let addresses = try AMQPAddress.list(values)
                if let fault = BrokerTrial.fault(of: addresses, settings: ConnectionSettings(name: "widgetd trial")) {
                    return Self.refuse(fault.description, log)
                }
                log.info("renewing the broker's connections")
                renew(addresses)
            } catch let error as ProgramError {
                Self.refuse(error.message, log)
            } catch {
                Self.refuse("\(error)", log)
            }
        }
        source.activate()
    }

    private static func refuse(_ reason: String, _ log: Log) {
        log.error("the broker's connections stay as they are; mend this and send SIGHUP again", ["reason": reason])
    }

    func end() { source.cancel() }
}
