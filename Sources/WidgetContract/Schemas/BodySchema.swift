import WidgetJSON

/// Schemas of what senders write: the bodies of messages and the contents in them.
enum BodySchema {
    static func create() -> SchemaValue {
        widget(
            "widget.create",
            "A widget in full: it replaces what stands at its address. A null member counts as absent. The body may"
                + " leave out slug where the routing key has it.", .create)
    }

    static func patch() -> SchemaValue {
        widget(
            "widget.patch",
            "A merge patch (RFC 7396) of the stored widget: objects merge, arrays and scalars replace, null clears. The"
                + " merged widget is judged, which a schema of the patch cannot do.", .patch)
    }

    static func delete() -> SchemaValue {
        let description = "Nothing but the slug, where the routing key does not have it. The body may also be empty."
        return SchemaFile.head("widget.delete", "\(description) \(UnsaidRule.explanation)").adding([
            "type": "object", "properties": [slugName: SchemaPattern.slug.orNull], "additionalProperties": false,
            "x-rules": .array(messageRules),
        ])
    }

    /// The content of one template, as it is stored.
    static func content(_ template: Template) -> SchemaValue {
        var builder = SchemaBuilder()
        let schema = TemplateSchema.content(template, &builder)
        let rules =
            UnsaidRule.rules(of: .content, at: .root, .stored)
            + UnsaidRule.rules(of: [template], at: .root, .stored)
        return SchemaFile.head(
            "content of template \(template.rawValue)",
            "The member content of a widget of this template, as it is stored. \(UnsaidRule.explanation)"
        )
        .adding(schema.without("title"))
        .adding(["$defs": builder.definitions, "x-rules": .array(rules.gathered.map(\.schema))])
    }

    private static func widget(_ title: String, _ description: String, _ form: SchemaForm) -> SchemaValue {
        var builder = SchemaBuilder()
        var schema = builder.object(.widget, form).without("title")
        let members = schema["properties"] ?? [:]
        schema["properties"] = SchemaValue.members([(slugName, SchemaPattern.slug.orNull)]).adding(members)
        let content = JSONPointer.root.appending("content")
        let rules =
            UnsaidRule.rules(of: .widget, at: .root, form)
            + UnsaidRule.rules(of: Template.allCases, at: content, form)
        return SchemaFile.head(title, "\(description) \(UnsaidRule.explanation)")
            .adding(schema)
            .adding([
                "$defs": builder.definitions, "x-rules": .array(rules.gathered.map(\.schema) + messageRules),
            ])
    }

    private static let slugName = "slug"

    /// What refuses a body before any of its members is judged.
    private static let messageRules: [SchemaValue] = [
        (
            RejectionCode.malformed,
            "UTF-8 and JSON by RFC 8259, no name twice in an object, no half of a surrogate pair, not nested too deep"
        ),
        (.tooLarge, "no more bytes than the worker is set to take"),
        (.addressMissing, "the slug stands in the body or in the routing key"),
        (.addressConflict, "the slug is the one of the routing key, where that has one"),
    ].map { ["code": .string($0.rawValue), "says": .string($1)] }
}
