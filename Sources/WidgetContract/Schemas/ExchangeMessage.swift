/// A kind of message in the exchange.
struct ExchangeMessage: Sendable {
    /// The property `type`, which is also its name.
    let type: String
    private let summary: String
    /// The name of its body's schema.
    private let schema: String
    private let contentType: String
    private let headers: SchemaValue
    private let properties: SchemaValue

    static let create = inbound(.create, "create", "A widget in full.")
    static let patch = inbound(
        .patch, "patch",
        "A merge patch of a widget; {} and one that changes nothing are heartbeats. A message without type is"
            + " one, too.")
    static let delete = inbound(.delete, "delete", "The end of a widget.")

    static let accepted = ExchangeMessage(
        type: "widget.accepted", summary: "The state of a widget after updates.", schema: "accepted",
        headers: address.adding([
            "template": ["type": "string", "enum": .strings(Template.allCases.map(\.rawValue))],
            "revision": OutcomeSchema.revision,
            "min_app_version": text("the device build that the content needs; absent when every build draws it"),
        ]).adding(trace),
        optional: ["min_app_version"], properties: stateProperties)

    static let deleted = ExchangeMessage(
        type: "widget.deleted", summary: "A widget was deleted.", schema: "accepted",
        headers: address.adding(["revision": OutcomeSchema.revision]).adding(trace), optional: [],
        properties: stateProperties)

    static let rejected = ExchangeMessage(
        type: "widget.rejected", summary: "A message changed nothing.", schema: "rejected",
        contentType: "application/problem+json",
        headers: address.adding([
            "code": ["type": "string", "enum": .strings(RejectionCode.allCases.map(\.rawValue))]
        ]).adding(trace),
        optional: ["account", "slug"],
        properties: [
            "message_id": text("rejected:<message_id of the message>, else an id of its own; a repeat has the same"),
            "timestamp": seconds("when it was decided"),
        ])

    static let receipt = ExchangeMessage(
        type: "widget.receipt", summary: "The fate of one message.", schema: "receipt", headers: trace, optional: [],
        properties: [
            "message_id": text("receipt:<message_id of the message>; absent when that had none"),
            "correlation_id": text("the message's correlation_id, else its message_id"),
            "timestamp": seconds("when it was decided"),
        ])

    static let all = [create, patch, delete, accepted, deleted, rejected, receipt]

    private init(
        type: String, summary: String, schema: String, contentType: String = "application/json", headers: SchemaValue,
        optional: [String], properties: SchemaValue
    ) {
        self.type = type
        self.summary = summary
        self.schema = schema
        self.contentType = contentType
        self.headers = Self.headers(headers, optional: optional + Self.neverRequired)
        self.properties = SchemaValue.members([("type", .constant(type))]).adding(properties)
    }

    private static func inbound(_ kind: CommandKind, _ schema: String, _ summary: String) -> ExchangeMessage {
        ExchangeMessage(
            type: kind.rawValue, summary: summary, schema: schema,
            headers: SchemaValue.members([
                ("account", SchemaPattern.account),
                ("sequence", ["type": "integer", "description": "the producer's own count; it has to rise"]),
            ]).adding(trace),
            optional: ["account", "sequence"],
            properties: [
                "message_id": text("tells a repeat, together with the account"),
                "reply_to": text("the queue that gets the receipt"),
                "correlation_id": text("echoed in the receipt"),
                "content_type": text("absent, application/json, or any +json"),
                "content_encoding": ["enum": ["identity", "gzip"]],
                "timestamp": seconds("the sender's clock, which decides nothing"),
            ])
    }

    /// The message as AsyncAPI has it.
    var description: SchemaValue {
        [
            "name": .string(type), "summary": .string(summary), "contentType": .string(contentType), "headers": headers,
            "payload": [
                "schemaFormat": "application/schema+json;version=draft-2020-12",
                "schema": ["$ref": "./\(schema).json"],
            ],
            "bindings": ExchangeDescription.amqp(["messageType": .string(type)]),
            "x-properties": ["type": "object", "properties": properties],
        ]
    }

    // MARK: Parts

    private static let address: SchemaValue = ["account": SchemaPattern.account, "slug": SchemaPattern.slug]
    private static let trace: SchemaValue = [
        "traceparent": text("W3C trace context, carried from the message to its outcomes"),
        "tracestate": text("W3C trace context"),
    ]
    private static let neverRequired = ["traceparent", "tracestate"]
    private static let stateProperties: SchemaValue = [
        "message_id": text("<account>/<slug>@<revision>"), "timestamp": seconds("updated_at"),
    ]

    private static func text(_ says: String) -> SchemaValue { ["type": "string", "description": .string(says)] }
    private static func seconds(_ says: String) -> SchemaValue {
        ["type": "integer", "description": "whole seconds since 1970: \(says)"]
    }

    private static func headers(_ properties: SchemaValue, optional: [String]) -> SchemaValue {
        var schema: SchemaValue = ["type": "object", "properties": properties]
        let required = properties.names.filter { !optional.contains($0) }
        if !required.isEmpty { schema["required"] = .strings(required) }
        return schema
    }
}
