import WidgetJSON

/// Schemas of what the worker publishes.
enum OutcomeSchema {
    static func accepted() -> SchemaValue {
        var builder = SchemaBuilder()
        var widget = builder.object(.widget, .stored)
        let own = widget["properties"] ?? [:]
        let properties = head.adding(own).adding(["created_at": time, "updated_at": time, "changed": changed])
        widget["title"] = "the state of a widget"
        widget["properties"] = properties
        let optional = Contract.object(.widget).members.filter { !$0.isRequired }.map(\.name)
        widget["required"] = .strings(properties.names.filter { !optional.contains($0) })
        let deletion = closed(head.adding(["deleted": ["const": true], "updated_at": time]))
        return SchemaFile.head("widget.accepted, widget.deleted", "The state of a widget, or that it was deleted.")
            .adding([
                "oneOf": [widget, deletion.adding(["title": "a deletion"])], "$defs": builder.definitions,
            ])
    }

    static func rejected() -> SchemaValue {
        let properties = problem.adding(["original": original])
        return SchemaFile.head("widget.rejected", "Why a message changed nothing (RFC 9457), and that message.")
            .adding(closed(properties, optional: optionalInProblem))
            .adding(["allOf": .array(codes)])
    }

    static func receipt() -> SchemaValue {
        let accepted = SchemaValue.members([("outcome", .constant("accepted"))]).adding(head)
            .adding(["updated_at": time, "changed": changed, "duplicate": ["const": true]])
        let rejected = SchemaValue.members([("outcome", .constant("rejected"))]).adding(problem)
            .adding(["duplicate": ["const": true]])
        return SchemaFile.head("widget.receipt", "The fate of one message, for its sender.")
            .adding([
                "oneOf": [
                    closed(accepted, optional: ["changed", "duplicate"])
                        .adding(["title": "accepted; a deletion has no changed"]),
                    closed(rejected, optional: optionalInProblem + ["duplicate"])
                        .adding(["title": "rejected", "allOf": .array(codes)]),
                ]
            ])
    }

    // MARK: Parts

    static let revision: SchemaValue = ["type": "integer", "minimum": 1]
    private static let head: SchemaValue = [
        "account": SchemaPattern.account, "slug": SchemaPattern.slug, "revision": revision,
    ]
    private static let time = SchemaPattern.whole(SchemaPattern.outcomeTime).adding(["format": "date-time"])
    private static let changed: SchemaValue = [
        "type": "array", "uniqueItems": true,
        "items": ["enum": .strings(ChangedMembers.pointers.map(\.description))],
    ]

    /// Problem details without the original. Account and slug stand there as the sender wrote them.
    private static let problem: SchemaValue = [
        "type": ["const": "about:blank"],
        "title": ["type": "string"],
        "status": ["type": "integer"],
        "code": ["enum": .strings(RejectionCode.allCases.map(\.rawValue))],
        "detail": ["type": "string"],
        "errors": ["type": "array", "minItems": 1, "items": violation],
        "account": ["type": "string"],
        "slug": ["type": "string"],
        "message_id": ["type": "string"],
        "received_at": time,
    ]
    private static let optionalInProblem = ["errors", "account", "slug", "message_id"]

    private static let violation = closed(
        [
            "location": ["type": "string", "format": "json-pointer", "pattern": "^(?:/(?:[^/~]|~[01])*)*$"],
            "rule": ["enum": .strings(RuleWord.allCases.map(\.rawValue))],
            "message": ["type": "string"],
            "value": ["type": ["string", "number", "boolean", "null"]],
            "stored": ["const": true],
        ], optional: ["value", "stored"])

    /// The body as JSON, or its bytes; only bytes are ever cut.
    private static let original: SchemaValue = closed(
        [
            "type": ["type": "string"], "exchange": ["type": "string"], "routing_key": ["type": "string"], "body": true,
            "body_base64": ["type": "string", "contentEncoding": "base64", "pattern": "^[A-Za-z0-9+/]*={0,2}$"],
            "truncated": ["const": true],
        ], optional: ["body", "body_base64", "truncated"]
    ).adding([
        "oneOf": [["required": ["body"]], ["required": ["body_base64"]]],
        "dependentRequired": ["truncated": ["body_base64"]],
    ])

    /// What each code says of status and title; a broken contract has its violations listed.
    private static let codes: [SchemaValue] =
        Set(RejectionCode.allCases.map(\.status)).sorted().map { status in
            let codes = RejectionCode.allCases.filter { $0.status == status }
            let title = codes.first?.title ?? ""
            return [
                "if": isOne(of: codes),
                "then": ["properties": ["status": ["const": .integer(status)], "title": ["const": .string(title)]]],
            ]
        } + [
            [
                "if": isOne(of: [.contentInvalid, .widgetInvalid]), "then": ["required": ["errors"]],
                "else": ["not": ["required": ["errors"]]],
            ]
        ]

    private static func isOne(of codes: [RejectionCode]) -> SchemaValue {
        ["properties": ["code": ["enum": .strings(codes.map(\.rawValue))]]]
    }

    /// An object with those members and no other.
    private static func closed(_ properties: SchemaValue, optional: [String] = []) -> SchemaValue {
        [
            "type": "object", "properties": properties,
            "required": .strings(properties.names.filter { !optional.contains($0) }),
            "additionalProperties": false,
        ]
    }
}
