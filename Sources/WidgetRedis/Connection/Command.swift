import WidgetJSON

/// A command with its arguments, as RESP writes them.
struct Command: Equatable {
    /// Arguments, the command's name among them.
    private(set) var count = 0
    private(set) var arguments: [UInt8] = []

    init(_ words: String...) {
        for word in words { add(word) }
    }

    mutating func add(_ text: String) {
        add(length: text.utf8.count) { $0.put(text: text) }
    }

    mutating func add(_ bytes: [UInt8]) {
        add(length: bytes.count) { $0.put(bytes) }
    }

    mutating func add(_ number: Int64) {
        add(String(number))
    }

    mutating func add(_ number: Int) {
        add(Int64(number))
    }

    /// Adds an argument of a known length.
    mutating func add(length: Int, _ write: (inout ByteWriter) -> Void) {
        count += 1
        arguments.write(atMost: Self.headLength + length + 2) { out in
            out.put(UInt8(ascii: "$"))
            out.putDecimal(Int64(length))
            out.put("\r\n")
            let start = out.count
            write(&out)
            precondition(out.count - start == length, "an argument is not as long as was said")
            out.put("\r\n")
        }
    }

    /// Adds the arguments of another one behind these.
    mutating func add(argumentsOf other: Command) {
        count += other.count
        arguments += other.arguments
    }

    func write(to out: inout [UInt8]) {
        out.write(atMost: Self.headLength) { out in
            out.put(UInt8(ascii: "*"))
            out.putDecimal(Int64(count))
            out.put("\r\n")
        }
        out += arguments
    }

    /// Of `$` or `*`, a number and the line's end, at most.
    private static let headLength = 1 + 20 + 2
}
