/// The exchange of messages as an AsyncAPI 3.0 document: who sends what where, with which headers and properties.
///
/// Exchanges and queues have the names that the worker gives them when nobody configures others.
enum ExchangeDescription {
    static func document() -> SchemaValue {
        [
            "asyncapi": "3.0.0",
            "x-comment": .string(SchemaFile.origin),
            "info": [
                "title": "widgetd", "version": "1.0.0",
                "description": "Judges updates of phone widgets, and publishes what is to be shown, or why not.",
            ],
            "defaultContentType": "application/json",
            "channels": .members(ExchangeChannel.all.map { ($0.name, $0.description) }),
            "operations": [
                "takeUpdates": [
                    "action": "receive", "summary": "Judge an update, and answer it when it asks for that.",
                    "channel": reference(.updates), "bindings": amqp(["ack": true]),
                    "reply": ["channel": reference(.reply)],
                ],
                "publishWidgets": send(
                    .accepted, "Publish the state of a widget that changed, or that it was deleted."),
                "publishRejections": send(.rejected, "Publish why a message changed nothing."),
            ],
            "components": ["messages": .members(ExchangeMessage.all.map { ($0.type, $0.description) })],
        ]
    }

    private static func send(_ channel: ExchangeChannel, _ summary: String) -> SchemaValue {
        [
            "action": "send", "summary": .string(summary), "channel": reference(channel),
            "bindings": amqp(["deliveryMode": 2, "mandatory": true, "timestamp": true]),
        ]
    }

    private static func reference(_ channel: ExchangeChannel) -> SchemaValue {
        ["$ref": .string("#/channels/\(channel.name)")]
    }

    /// Bindings of AMQP 0-9-1 in their third version.
    static func amqp(_ members: SchemaValue) -> SchemaValue {
        ["amqp": members.adding(["bindingVersion": "0.3.0"])]
    }
}
