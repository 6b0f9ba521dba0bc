import Glibc

/// Holds the options of all commands against their rules, wherever they are set: command line, environment and the file
/// that `--config` names.
enum ConfigurationCheck {
    static func run(_ values: OptionValues, _ report: inout CheckReport) throws {
        let before = report.faults
        var inFile = values.configuration?.faults ?? []
        for option in values.options {
            guard let (given, message) = try values.fault(of: option) else { continue }
            if let entry = given.entry {
                inFile.append(fault(of: option, entry, message))
            } else {
                try report.add(.fault, "configuration", "\(given.place) \(message)")
            }
        }
        // The file serves other commands, too.
        let own = Set(values.options.map(\.name))
        for option in Program.options where !own.contains(option.name) {
            guard let entry = values.configuration?.entries[option.name], let message = option.fault(in: entry.text)
            else { continue }
            inFile.append(fault(of: option, entry, message))
        }
        for fault in inFile.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) { try report.add(fault) }
        for (name, meant) in mistypedVariables() {
            try report.add(.fault, "environment", "\(name) is no variable of widgetd; did you mean \(meant)?")
        }
        for warning in values.openSecrets() { try report.add(.note, "secret", warning) }
        guard report.faults == before else { return }
        do {
            _ = try Guarantees(values)
        } catch let error as ProgramError {
            return try report.add(.fault, "configuration", error.message)
        }
        let file = values.configuration.map { "\($0.source.name), \(Words.count($0.entries.count, "option"))" }
        try report.add(.ok, "configuration", file ?? "no file is named (--config)")
    }

    private static func fault(
        of option: Option, _ entry: ConfigurationFile.Entry, _ message: String
    ) -> TextFault {
        TextFault(
            source: entry.source, range: entry.range, message: "\(option.member) \(message)",
            showsText: !option.isSecret)
    }

    /// Variables that look like one of ours, and are none. What is further from all of them is another program's.
    private static func mistypedVariables() -> [(name: String, meant: String)] {
        let known = Set(
            (Program.options + Option.common).flatMap {
                $0.isSecret ? [$0.variable, $0.fileVariable] : [$0.variable]
            }
        )
        return names().filter { $0.hasPrefix("WIDGETD_") && !known.contains($0) }.sorted().compactMap { name in
            let nearest = known.min { Suggestion.distance($0, name) < Suggestion.distance($1, name) }
            guard let nearest, Suggestion.distance(nearest, name) <= 2 else { return nil }
            return (name, nearest)
        }
    }

    private static func names() -> [String] {
        var names: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            names.append(String(unsafe String(cString: entry).prefix { $0 != "=" }))
            unsafe next += 1
        }
        return names
    }
}
