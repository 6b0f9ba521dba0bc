/// The rules as tables: the one source for the validator, the JSON Schemas and forms.
public enum Contract {
    public static func object(_ name: ObjectName) -> ObjectRule { objects[name.rawValue] }
    public static func array(_ name: ArrayName) -> ArrayRule { arrays[name.rawValue] }
    public static func template(_ template: Template) -> TemplateRule { templates[template.position] }

    static func table(_ name: ObjectName) -> ObjectTable { tables[name.rawValue] }

    private static let tables = objects.map(\.table)

    static let objects: [ObjectRule] = ObjectName.allCases.map { name in
        switch name {
        case .widget: ObjectRule(widgetMembers)
        case .content: ObjectRule(contentMembers)
        case .statRow:
            ObjectRule([
                MemberRule("label", .text(longest: 32, isRequiredText: true), required: true),
                MemberRule("value", .text(longest: 32, isRequiredText: true), required: true),
                MemberRule("unit", .text(longest: 16)),
                MemberRule("timer", .object(.timer)),
            ])
        case .device:
            ObjectRule([
                MemberRule("name", .text(longest: 32, isRequiredText: true), required: true),
                MemberRule("level", .number(lowest: 0, highest: 100), required: true),
                MemberRule("charging", .boolean),
                MemberRule("icon", .text(longest: 128)),
                MemberRule("color", .color),
            ])
        case .sortKey:
            ObjectRule([
                MemberRule("field", .word(.sortField), required: true),
                MemberRule("direction", .word(.sortDirection)),
            ])
        case .period:
            ObjectRule([
                MemberRule("start", .date, required: true),
                MemberRule("value", .number(), required: true),
                MemberRule("level", .word(.periodLevel)),
            ])
        case .flow:
            ObjectRule([
                MemberRule("inputs", .array(.flowInputs)),
                MemberRule("output", .object(.flowNode)),
                MemberRule("storage", .object(.flowNode)),
                MemberRule("exchange", .object(.flowNode)),
            ])
        case .flowNode:
            ObjectRule([
                MemberRule("rate", .number(), required: true),
                MemberRule("name", .text(longest: 32)),
                MemberRule("total", .number(lowest: 0)),
                MemberRule("level", .number(lowest: 0, highest: 100)),
                MemberRule("icon", .text(longest: 128)),
                MemberRule("color", .color),
            ])
        case .timer:
            ObjectRule([
                MemberRule("date", .date, required: true),
                MemberRule("style", .word(.timerStyle)),
            ])
        case .action:
            ObjectRule([
                MemberRule("url", .url(longest: 2048), required: true),
                MemberRule("foreground", .boolean),
                MemberRule("method", .word(.httpMethod), forRequests: true),
                MemberRule("headers", .headers(mostBytes: 1024), forRequests: true),
                MemberRule("body", .text(longest: 1024), forRequests: true),
                MemberRule("title", .text(longest: 64)),
                MemberRule("icon", .text(longest: 64)),
            ])
        }
    }

    private static let widgetMembers = [
        MemberRule("name", .text(longest: 256, isRequiredText: true), required: true),
        MemberRule("content", .object(.content), required: true),
        MemberRule("push_throttle", .wholeNumber(lowest: 1, highest: 3600)),
        MemberRule("stale_after", .wholeNumber(lowest: 60, highest: 604_800)),
    ]

    private static let contentMembers = [
        MemberRule("template", .word(.template), required: true),
        MemberRule("label", .text(longest: 256)),
        MemberRule("subtitle", .text(longest: 256)),
        MemberRule("icon", .text(longest: 128)),
        MemberRule("accent_color", .color),
        MemberRule("background_color", .color),
        MemberRule("text_color", .color),
        MemberRule("severity", .word(.severity)),
        MemberRule("trend", .word(.trend)),
        MemberRule("unit", .text(longest: 32)),
        MemberRule("value", .number()),
        MemberRule("min_value", .number()),
        MemberRule("max_value", .number()),
        MemberRule("expired_text", .text(longest: 64)),
        MemberRule("start_date", .date),
        MemberRule("end_date", .date),
        MemberRule("stat_rows", .array(.statRows)),
        MemberRule("points", .array(.points)),
        MemberRule("devices", .array(.devices)),
        MemberRule("device_sort", .array(.deviceSort)),
        MemberRule("periods", .array(.periods)),
        MemberRule("flow", .object(.flow)),
        MemberRule("subtitle_timer", .object(.timer)),
        MemberRule("tap_action", .object(.action)),
        MemberRule("url_action", .object(.action)),
        MemberRule("secondary_url_action", .object(.action)),
    ]

    static let arrays: [ArrayRule] = ArrayName.allCases.map { name in
        switch name {
        case .statRows: ArrayRule(of: .object(.statRow), fewest: 1, most: 6, fewestOnlyOn: .statList)
        case .points: ArrayRule(of: .number(), fewest: 2, most: 48)
        case .devices: ArrayRule(of: .object(.device), fewest: 1, most: 8, fewestOnlyOn: .battery)
        case .deviceSort: ArrayRule(of: .object(.sortKey), most: 2, distinct: "field")
        case .periods: ArrayRule(of: .object(.period), fewest: 1, most: 48, fewestOnlyOn: .schedule, rising: "start")
        case .flowInputs: ArrayRule(of: .object(.flowNode), most: 3)
        }
    }

    static let templates: [TemplateRule] = Template.allCases.map { template in
        switch template {
        case .value: TemplateRule(.value, ordersBounds: true)
        case .progress:
            TemplateRule(.progress, needs: ["value"], unlessAllOf: ["start_date", "end_date"], valueRange: 0...1)
        case .status: TemplateRule(.status)
        case .gauge:
            TemplateRule(
                .gauge, needs: ["value", "min_value", "max_value"], ordersBounds: true, keepsValueInBounds: true)
        case .statList: TemplateRule(.statList, needs: ["stat_rows"])
        case .trend: TemplateRule(.trend, needs: ["value", "points"], ordersBounds: true, needsNewBuild: true)
        case .countdown: TemplateRule(.countdown, needs: ["end_date"], needsNewBuild: true)
        case .battery: TemplateRule(.battery, needs: ["devices"], sortsDevices: true, needsNewBuild: true)
        case .schedule: TemplateRule(.schedule, needs: ["periods"], needsNewBuild: true)
        case .flow: TemplateRule(.flow, needs: ["flow"], needsNewBuild: true)
        }
    }
}
