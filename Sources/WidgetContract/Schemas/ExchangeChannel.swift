/// Where messages of the exchange go through.
struct ExchangeChannel: Sendable {
    let name: String
    private let says: String
    /// The queue that is bound to it with `#` by default; `nil` when the channel is a queue itself.
    private let queue: String?
    /// The routing key, with parameters in braces; `nil` for a queue that the sender names.
    private let routingKey: String?
    private let parameters: SchemaValue
    private let messages: [ExchangeMessage]

    static let updates = ExchangeChannel(
        name: "widgets.updates",
        says: "Updates of widgets. Through the default exchange the routing key says nothing: there the header account"
            + " and the slug in the body address the widget.",
        queue: "widgets.updates", routingKey: "{account}.{slug}", parameters: [account, slug],
        messages: [.create, .patch, .delete])

    static let accepted = ExchangeChannel(
        name: "widgets.accepted",
        says: "The state of widgets, at least once and in rising revisions; keep the highest one seen.",
        queue: "widgets.fanout", routingKey: "{account}.{slug}.{template}",
        parameters: [
            account, slug,
            Parameter("template", "deleted for a deletion", Template.allCases.map(\.rawValue) + ["deleted"]),
        ], messages: [.accepted, .deleted])

    static let rejected = ExchangeChannel(
        name: "widgets.rejected", says: "Messages that changed nothing, and why.",
        queue: "widgets.rejections", routingKey: "{account}.{slug}.{code}",
        parameters: [
            Parameter("account", "_ when it is unknown or no legal word"),
            Parameter("slug", "_ when it is unknown or no legal word"),
            Parameter("code", "two words with a dot between them", RejectionCode.allCases.map(\.rawValue)),
        ], messages: [.rejected])

    static let reply = ExchangeChannel(
        name: "reply", says: "The queue that a message names in its property reply_to, through the default exchange.",
        queue: nil, routingKey: nil, parameters: [], messages: [.receipt])

    static let all = [updates, accepted, rejected, reply]

    private init(
        name: String, says: String, queue: String?, routingKey: String?, parameters: [Parameter],
        messages: [ExchangeMessage]
    ) {
        self.name = name
        self.says = says
        self.queue = queue
        self.routingKey = routingKey
        self.parameters = .members(parameters.map { ($0.name, $0.description) })
        self.messages = messages
    }

    /// The channel as AsyncAPI has it.
    var description: SchemaValue {
        var channel: SchemaValue = [
            "address": routingKey.map(SchemaValue.string) ?? .null, "description": .string(says),
            "messages": .members(messages.map { ($0.type, ["$ref": .string("#/components/messages/\($0.type)")]) }),
        ]
        if !parameters.isEmpty { channel["parameters"] = parameters }
        channel["bindings"] = ExchangeDescription.amqp(
            routingKey == nil
                ? ["is": "queue", "queue": ["vhost": "/"]]
                : [
                    "is": "routingKey",
                    "exchange": [
                        "name": .string(name), "type": "topic", "durable": true, "autoDelete": false, "vhost": "/",
                    ],
                ])
        if let queue { channel["x-queue"] = ["name": .string(queue), "durable": true, "bound-with": "#"] }
        return channel
    }

    // MARK: Parameters

    private static let account = Parameter("account", "matches \(AddressPattern.account.expression)")
    private static let slug = Parameter("slug", "matches \(AddressPattern.slug.expression)")

    /// A part of a routing key.
    private struct Parameter {
        let name: String
        let description: SchemaValue

        init(_ name: String, _ says: String, _ words: [String] = []) {
            self.name = name
            var description: SchemaValue = ["description": .string(says)]
            if !words.isEmpty { description["enum"] = .strings(words) }
            self.description = description
        }
    }
}
