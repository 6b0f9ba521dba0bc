internal import CGetopt
import Glibc

/// The options of one call: from the command line, else the environment, else the standard value.
struct OptionValues {
    private let options: [Option]
    private let given: [String: String]
    private let environment: (String) -> String?
    /// What stands behind the options.
    let operands: [String]

    /// - Throws: `ProgramError` for an option that is unknown, or lacks or has an argument against its nature.
    init(_ arguments: [String], options: [Option], environment: @escaping (String) -> String? = Self.process) throws {
        let parsed = try OptionParser.parse(arguments, options: options)
        self.options = options
        self.environment = environment
        given = parsed.values
        operands = parsed.operands
    }

    static let process: @Sendable (String) -> String? = { name in
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    func isSet(_ name: String) -> Bool {
        if given[name] != nil { return true }
        guard let value = option(name).flatMap({ environment($0.variable) }) else { return false }
        return ["1", "true", "yes", "on"].contains(value.lowercased())
    }

    /// - Throws: `ProgramError` when a secret's file cannot be read.
    func text(_ name: String) throws -> String? {
        if let value = given[name] { return value }
        guard let option = option(name) else { return nil }
        if let value = environment(option.variable) { return value }
        if option.isSecret, let path = environment(option.variable + "_FILE") {
            guard let file = TextFile.read(path) else {
                throw ProgramError.usage("\(option.variable)_FILE names \(path), which cannot be read")
            }
            return String(decoding: file.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed(), as: UTF8.self)
        }
        return option.standard
    }

    func required(_ name: String) throws -> String {
        guard let text = try text(name) else { throw ProgramError.usage("--\(name) is needed") }
        return text
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        let text = try required(name)
        guard let number = Int(text), range.contains(number) else {
            throw ProgramError.usage(
                "--\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), and is \"\(text)\"")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws -> Choice where Choice.RawValue == String {
        let text = try required(name)
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: " or ")
            throw ProgramError.usage("--\(name) must be \(words), and is \"\(text)\"")
        }
        return choice
    }

    private func option(_ name: String) -> Option? { options.first { $0.name == name } }
}

/// getopt_long over a table of options.
enum OptionParser {
    static func parse(
        _ arguments: [String], options: [Option]
    ) throws -> (values: [String: String], operands: [String]) {
        let all = options + [.help]
        var values: [String: String] = [:]
        var names: [UnsafeMutablePointer<CChar>?] = unsafe all.map { unsafe strdup($0.name) }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe (["widgetd"] + arguments).map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe names.indices { unsafe free(names[index]) }
            for index in unsafe words.indices { unsafe free(words[index]) }
            unsafe names.removeAll()
            unsafe words.removeAll()
        }
        // getopt.h: a value of its own for each option, beyond any character.
        var table: [option] = unsafe all.indices.map { index in
            unsafe option(
                name: names[index], has_arg: all[index].argument == nil ? no_argument : required_argument, flag: nil,
                val: Int32(256 + index))
        }
        unsafe table.append(option())
        let count = Int32(arguments.count + 1)
        var step = unsafe getopt_next(count, &words, table, 1)
        while unsafe step.value != -1 {
            let index = unsafe Int(step.value) - 256
            guard all.indices.contains(index) else {
                // With short options ":" getopt tells a missing argument by that character.
                let isMissingArgument = unsafe step.value == Int32(UInt8(ascii: ":"))
                throw unsafe fault(arguments, behind: Int(step.index), isMissingArgument, all)
            }
            values[all[index].name] = unsafe step.argument.map { unsafe String(cString: $0) } ?? ""
            unsafe step = getopt_next(count, &words, table, 0)
        }
        let operands = unsafe words[Int(step.index)..<Int(count)].compactMap { word in
            unsafe word.map { unsafe String(cString: $0) }
        }
        return (values, operands)
    }

    private static func fault(
        _ arguments: [String], behind index: Int, _ isMissingArgument: Bool, _ options: [Option]
    ) -> ProgramError {
        // Words are counted with the program's name before them, and `index` is the next one.
        let given = arguments.indices.contains(index - 2) ? arguments[index - 2] : arguments.last ?? ""
        let name = String(given.drop { $0 == "-" }.prefix { $0 != "=" })
        if isMissingArgument {
            let argument = options.first { $0.name == name }?.argument ?? "a value"
            return .usage("--\(name) wants \(argument) behind it")
        }
        if given.contains("="), options.contains(where: { $0.name == name && $0.argument == nil }) {
            return .usage("--\(name) is a switch and takes no value")
        }
        let nearest = options.min { distance($0.name, name) < distance($1.name, name) }?.name ?? "help"
        return .usage("\(given) is no option of this command; did you mean --\(nearest)?")
    }

    /// Levenshtein's.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (index, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in right.indices {
                let replaced = diagonal + (byte == right[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
