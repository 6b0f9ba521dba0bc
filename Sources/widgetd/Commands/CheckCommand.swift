import Glibc

/// `check`: what is wrong with payloads and configuration, and with what the worker would find online.
enum CheckCommand: Command {
    static let name = "check"
    static let summary = "look for faults in payload files and the configuration; --online: in the surroundings, too"
    static let operands = "[FILE…]"
    static let operandKind = OptionKind.file
    static let options = Option.check
    static let judgesConfiguration = true
    static let examples = [
        "widgetd check pages.json updates.ndjson", "widgetd check --config /etc/widgetd.json5 --online",
        "widgetd check --health ready",
        "curl -s https://example.com/widget.json | widgetd check -",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        var report = CheckReport()
        try ConfigurationCheck.run(values, &report)
        let isConfigured = report.faults == 0
        if !values.operands.isEmpty { try checkFiles(values, &report) }
        if isConfigured, try values.text("health") != nil { try HealthCheck(values).run(&report) }
        if values.isSet("online") {
            if isConfigured {
                try OnlineCheck(values).run(&report)
            } else {
                try report.add(.note, "online", "not looked at: the configuration comes first")
            }
        }
        return report.status
    }

    private static func checkFiles(_ values: OptionValues, _ report: inout CheckReport) throws {
        let before = report.faults
        var check = try PayloadCheck(values)
        for path in values.operands {
            let bytes = path == "-" ? TextFile.read(descriptor: STDIN_FILENO) : TextFile.read(path)
            guard let bytes else { throw ProgramError.usage("\(path) cannot be read: \(TextFile.reason)") }
            try check.check(SourceText(name: path, bytes: bytes)) { try report.add($0) }
        }
        let faults = report.faults - before
        try report.add(
            faults == 0 ? .ok : .note, "payloads",
            Words.count(check.messages, "message") + " in " + Words.count(values.operands.count, "file") + ", "
                + Words.count(faults, "fault"))
    }
}
