import WidgetAMQP
import WidgetAdmin
import WidgetTelemetry
import WidgetWorker

/// The admin address of a worker, as the options say.
enum Admin {
    /// - Returns: `nil` when it is off.
    static func server(
        _ values: OptionValues, store: StoreAddress, guarantees: Guarantees, limits: MessageLimits,
        source: AMQPDeliverySource, _ log: Log
    ) throws -> AdminServer? {
        guard let address = AdminAddress(try values.required("admin")) else { return nil }
        return AdminServer(
            AdminServer.Configuration(
                address: address, token: try values.text("admin-token"), version: Program.version,
                guarantees: guarantees.sentences, limits: limits, storeBytes: { store.bytes },
                certificateEnds: {
                    let ends = source.certificateEnds
                    return [("broker", ends.broker), ("client", ends.client)].compactMap { name, end in
                        end.map { (name, $0) }
                    }
                }),
            log: log, openReader: store.openReader)
    }

    /// Starts it. Where nobody asked for it, a port that is taken keeps no worker from its work.
    static func start(_ server: AdminServer?, isWanted: Bool, _ log: Log) throws {
        guard let server else { return }
        do {
            log.info("the admin address listens", ["port": Int(try server.start())])
        } catch let error as AdminError {
            guard !isWanted else { throw ProgramError.unavailable(error.description) }
            log.warning("there is no admin address", ["reason": error.description])
        }
    }
}
