import Glibc
import WidgetContract

/// `schema`: the JSON Schemas of messages and contents, from the rule tables.
enum SchemaCommand: Command {
    static let name = "schema"
    static let summary = "print the JSON Schemas that schemas/ holds: a list of them, or the one that is NAMEd"
    static let operands = "[NAME]"
    static let options = [
        Option("output", "FOLDER", "write them there as files instead: all of them, or the one that is NAMEd", .folder)
    ]
    static let examples = ["widgetd schema content/gauge", "widgetd schema --output schemas"]
    static let operandKind = OptionKind.words(SchemaFile.all.map(\.name))

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.count <= 1 else {
            throw ProgramError.usage("schema takes one name, and found \"\(values.operands[1])\" behind it")
        }
        let named = try values.operands.first.map(file)
        if let folder = try values.text("output") {
            for file in named.map({ [$0] }) ?? SchemaFile.all { try write(file, below: folder) }
        } else if let named {
            try print(named.text())
        } else {
            try print(list())
        }
        return .done
    }

    /// A line for each schema.
    private static func list() -> String {
        let width = SchemaFile.all.map(\.name.count).max() ?? 0
        return SchemaFile.all.map { file in
            file.name + String(repeating: " ", count: width + 2 - file.name.count) + file.summary + "\n"
        }.joined()
    }

    /// By its name, or its path in the folder.
    private static func file(_ name: String) throws -> SchemaFile {
        if let file = SchemaFile.all.first(where: { $0.name == name || $0.path == name }) { return file }
        throw ProgramError.usage(
            "\(name) is no schema" + Suggestion.question(name, in: SchemaFile.all.map(\.name)))
    }

    private static func print(_ text: String) throws {
        guard TextFile.write(Array(text.utf8), to: STDOUT_FILENO) else {
            throw ProgramError.unavailable("standard output is closed")
        }
    }

    // MARK: Files

    private static func write(_ file: SchemaFile, below folder: String) throws {
        let path = "\(folder)/\(file.path)"
        try makeFolders(above: path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw fault(path) }
        let isWritten = TextFile.write(Array(file.text().utf8), to: descriptor)
        guard close(descriptor) == 0, isWritten else { throw fault(path) }
    }

    private static func makeFolders(above path: String) throws {
        for end in path.indices.dropFirst() where path[end] == "/" {
            let folder = String(path[..<end])
            if unsafe mkdir(folder, 0o755) != 0 && errno != EEXIST { throw fault(folder) }
        }
    }

    private static func fault(_ path: String) -> ProgramError {
        .usage("\(path) cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
}
