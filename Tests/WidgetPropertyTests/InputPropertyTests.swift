import Testing
import WidgetProperties

/// The inputs that fuzzing starts from, and those that it has found.
struct InputPropertyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let target: FuzzTarget
        let input: [UInt8]

        var testDescription: String { "\(target.rawValue): \(String(decoding: input, as: UTF8.self).debugDescription)" }
    }

    private static let rows = FuzzTarget.allCases.flatMap { target in
        target.property.inputs.map { Row(target: target, input: $0) }
    }

    @Test("what must hold of any input holds of the known ones", arguments: rows)
    func holds(_ row: Row) throws {
        var property = row.target.property.init()
        try property.check(row.input)
    }

    @Test("and of all of them one after the other, with the same memory", arguments: FuzzTarget.allCases)
    func holdsInTurn(_ target: FuzzTarget) throws {
        var property = target.property.init()
        for input in target.property.inputs + target.property.inputs.reversed() { try property.check(input) }
    }

    @Test("and of each known one cut short anywhere", arguments: FuzzTarget.allCases)
    func holdsOfBeginnings(_ target: FuzzTarget) throws {
        var property = target.property.init()
        for input in target.property.inputs {
            for count in input.indices { try property.check(Array(input.prefix(count))) }
        }
    }
}
