import WidgetAMQP
import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime
import WidgetWorker

/// Publishes updates of one widget and waits for the worker's word on each, on one connection.
///
/// Receipts and the widget's fan-outs come to one exclusive queue, which goes with the connection: a receipt does not
/// hold the merged content, a fan-out does, and on its way the worker puts it before the receipt.
struct UpdateSender {
    /// What is sent.
    struct Update {
        let kind: CommandKind
        let body: [UInt8]
        /// A random one where the sender has said none.
        var messageID: String?
        var sequence: Int64?
    }

    let address: WidgetAddress
    private let topology: Topology
    private let seconds: Int
    private let client: AMQPClient
    private let queue: String
    private let reader = DocumentReader()
    private var newest: (revision: Int64, widget: Document)?

    private static let largestBody = 1 << 20
    private static let purpose = "to send the update and read its receipt"

    /// - Throws: `ProgramError` when the broker is not there, or refuses something.
    init(to address: WidgetAddress, _ values: OptionValues) throws {
        self.address = address
        var topology = Topology()
        topology.updatesExchange = try values.required("updates-exchange")
        topology.updatesQueue = try values.required("queue")
        topology.acceptedExchange = try values.required("accepted-exchange")
        self.topology = topology
        seconds = try values.integer("timeout")
        var settings = ConnectionSettings(name: "widgetd send")
        settings.maximumBody = Self.largestBody
        settings.callTimeout = seconds * 1000
        var brokers = try AMQPAddress.list(values)
        for index in brokers.indices { brokers[index].connectTimeout = min(brokers[index].connectTimeout, seconds) }
        do {
            client = try AMQPClient.connect(to: brokers, settings: settings)
        } catch {
            throw ProgramError.broker(error)
        }
        do {
            queue = try client.declareQueue(exclusive: true, autoDelete: true).name
            try client.bindQueue(
                queue, to: topology.acceptedExchange, key: "\(address.account).\(address.slug).#")
            try client.consume(from: queue, tag: "widgetd-send", exclusive: true)
        } catch {
            throw ProgramError.broker(error, for: Self.purpose)
        }
    }

    func close() { client.close() }

    /// Publishes an update and waits for its receipt.
    /// - Throws: `ProgramError` when the broker does not take it, no queue is there for it, or no worker answers.
    mutating func send(_ update: Update) throws -> Receipt {
        let id = update.messageID ?? "send-" + Self.randomWord() + Self.randomWord()
        var message = AMQPMessage(
            exchange: topology.updatesExchange, routingKey: "\(address.account).\(address.slug)", body: update.body)
        message.type = update.kind.rawValue
        message.contentType = "application/json"
        message.messageID = id
        message.correlationID = id
        message.replyTo = queue
        message.timestamp = WorkerClock.system.now().seconds
        if let sequence = update.sequence { message.headers.append(AMQPHeader("sequence", .integer(sequence))) }
        do {
            switch try client.publish(message) {
            case .confirmed: break
            case .unroutable:
                throw ProgramError.unavailable(
                    "no queue takes updates from the exchange \(topology.updatesExchange): \(topology.updatesQueue) is"
                        + " not there, or not bound to it; `widgetd run` declares both, `widgetd check --online` looks")
            case .refused:
                throw ProgramError.unavailable(
                    "the broker could not take the update; its log and `widgetd check --online` tell more")
            }
            guard let receipt = try receive(milliseconds: seconds * 1000, until: { $0.correlationID == id }) else {
                throw noReceipt()
            }
            return receipt
        } catch let error as AMQPError {
            throw ProgramError.broker(error, for: Self.purpose)
        }
    }

    /// The newest state of the widget that was fanned out, if it is as new as that revision.
    mutating func widget(ofRevision revision: Int64, waitingMilliseconds milliseconds: Int) throws -> Document? {
        let end = WorkerClock.system.monotonicMilliseconds() + milliseconds
        let exchange = topology.acceptedExchange
        while newest.map({ $0.revision < revision }) ?? true {
            let left = end - WorkerClock.system.monotonicMilliseconds()
            guard left > 0 else { return nil }
            do {
                _ = try receive(milliseconds: left, until: { $0.exchange == exchange })
            } catch let error as AMQPError {
                throw ProgramError.broker(error)
            }
        }
        return newest?.widget
    }

    /// Takes what comes until there is a message that is waited for; fan-outs are kept on the way.
    /// - Returns: its body; `nil` when the time is over.
    private mutating func receive(
        milliseconds: Int, until isWaitedFor: (AMQPMessage) -> Bool
    ) throws -> Receipt? {
        let end = WorkerClock.system.monotonicMilliseconds() + milliseconds
        while true {
            let left = max(0, end - WorkerClock.system.monotonicMilliseconds())
            guard let delivery = try client.receive(waitingMilliseconds: left) else { return nil }
            try client.acknowledge(delivery)
            let message = delivery.message
            guard let document = try? reader.read(message.body, depth: 40) else { continue }
            if message.exchange == topology.acceptedExchange, let revision = document.integer("revision"),
                newest.map({ $0.revision < revision }) ?? true
            {
                newest = (revision, document)
            }
            if isWaitedFor(message) { return Receipt(document: document) }
        }
    }

    private func noReceipt() -> ProgramError {
        var consumers = ""
        if let status = try? client.status(ofQueue: topology.updatesQueue) {
            consumers =
                " The queue \(topology.updatesQueue) has \(Words.count(status.consumers, "consumer")) and"
                + " \(Words.count(status.messages, "message")) waiting."
        }
        return .unavailable(
            "no worker has answered within \(seconds) s; the update is in the queue and may yet be applied.\(consumers)"
                + " Is `widgetd run` up? Its log and /readyz tell; --timeout waits longer")
    }

    private static func randomWord() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
