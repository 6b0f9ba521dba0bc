/// One of the documents that describe what the worker takes and gives, made from the rule tables.
public struct SchemaFile: Sendable {
    /// Its path in the folder of schemas, without the ending: `create`, `content/gauge`.
    public let name: String
    /// One line on what it describes.
    public let summary: String
    private let make: @Sendable () -> SchemaValue

    init(_ name: String, _ summary: String, _ make: @escaping @Sendable () -> SchemaValue) {
        self.name = name
        self.summary = summary
        self.make = make
    }

    /// Its path in the folder of schemas.
    public var path: String { name + ".json" }

    /// The document: JSON with two spaces a level and a line feed in the end; the same every time.
    public func text() -> String { SchemaText.text(of: make()) }

    /// All of them, in the order in which a message meets them.
    public static let all: [SchemaFile] =
        [
            SchemaFile("create", "the body of widget.create", BodySchema.create),
            SchemaFile("patch", "the body of widget.patch", BodySchema.patch),
            SchemaFile("delete", "the body of widget.delete", BodySchema.delete),
            SchemaFile("accepted", "the state of a widget, or that it was deleted", OutcomeSchema.accepted),
            SchemaFile("rejected", "a rejection: problem details (RFC 9457)", OutcomeSchema.rejected),
            SchemaFile("receipt", "the answer to a message with reply_to", OutcomeSchema.receipt),
        ]
        + Template.allCases.map { template in
            SchemaFile("content/\(template.rawValue)", "the content of template \(template.rawValue)") {
                BodySchema.content(template)
            }
        }
        + [SchemaFile("asyncapi", "the whole exchange of messages (AsyncAPI 3.0)", ExchangeDescription.document)]

    /// What every document says about its making.
    static let origin = "Made by `widgetd schema` from the contract's tables of rules; not to be edited by hand."

    /// The members with which every JSON Schema begins.
    static func head(_ title: String, _ description: String) -> SchemaValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": .string(origin),
            "title": .string(title), "description": .string(description),
        ]
    }
}
