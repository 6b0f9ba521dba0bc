internal import CGetopt
import Glibc

/// getopt_long over a table of options.
enum OptionParser {
    static func parse(
        _ arguments: [String], options: [Option]
    ) throws -> (values: [String: String], operands: [String]) {
        var values: [String: String] = [:]
        var names: [UnsafeMutablePointer<CChar>?] = unsafe options.map { unsafe strdup($0.name) }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe (["widgetd"] + arguments).map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe names.indices { unsafe free(names[index]) }
            for index in unsafe words.indices { unsafe free(words[index]) }
            unsafe names.removeAll()
            unsafe words.removeAll()
        }
        // getopt.h: a value of its own for each option, beyond any character.
        var table: [option] = unsafe options.indices.map { index in
            unsafe option(
                name: names[index], has_arg: options[index].argument == nil ? no_argument : required_argument,
                flag: nil,
                val: Int32(256 + index))
        }
        unsafe table.append(option())
        let count = Int32(arguments.count + 1)
        var step = unsafe getopt_next(count, &words, table, 1)
        while unsafe step.value != -1 {
            let index = unsafe Int(step.value) - 256
            guard options.indices.contains(index) else {
                // With short options ":" getopt tells a missing argument by that character.
                let isMissingArgument = unsafe step.value == Int32(UInt8(ascii: ":"))
                throw unsafe fault(arguments, behind: Int(step.index), isMissingArgument, options)
            }
            values[options[index].name] = unsafe step.argument.map { unsafe String(cString: $0) } ?? ""
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
        return .usage(
            "\(given) is no option of this command"
                + Suggestion.question(name, in: options.map(\.name), prefix: "--"))
    }
}
