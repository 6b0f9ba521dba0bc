import WidgetAMQP
import WorkerTestSupport

/// Updates of one widget, `acme/pages`, as a test sends them to a worker.
enum Update {
    static let creation = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#

    static func create(_ worker: WorkerProcess) -> AMQPMessage {
        patch(worker, creation, type: "widget.create")
    }

    static func patch(_ worker: WorkerProcess, _ body: String, type: String = "widget.patch") -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: "acme.pages", body: Array(body.utf8))
        message.type = type
        return message
    }

    /// Patches of which each gives the widget another subtitle, from 1 on.
    static func patches(_ worker: WorkerProcess, _ count: Int) -> [AMQPMessage] {
        (1...count).map { patch(worker, #"{"content":{"subtitle":"\#($0)"}}"#) }
    }

    /// The ids of the widget's states up to a revision.
    static func ids(_ revision: Int) -> [String] { (1...revision).map { "acme/pages@\($0)" } }
}
