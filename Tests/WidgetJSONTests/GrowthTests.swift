import Glibc
import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport

/// Twice the input may take about twice the time. The bounds are wide, for machines that are busy; what is not linear
/// takes four times and more.
@Suite(.serialized) struct `Time grows with the length` {
    private static let most = 3.3

    /// The fastest of several runs, in the thread's own CPU time: what else the machine does counts for little.
    private static func fastest(_ work: () throws -> Void) rethrows -> Duration {
        var best = Duration.seconds(1_000)
        for _ in 0..<7 {
            let start = cpuTime()
            try work()
            best = min(best, cpuTime() - start)
        }
        return best
    }

    private static func cpuTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func expectLinear(_ make: (Int) -> String, sizes: (Int, Int), _ name: Comment) throws {
        let reader = DocumentReader()
        let texts = [sizes.0, sizes.1].map { Array(make($0).utf8) }
        let buffer = DocumentBuffer()
        // A machine that is busy gets further tries.
        for attempt in 1...5 {
            let times = try texts.map { text in try fastest { try reader.read(text, into: buffer, depth: 64) } }
            if times[1] < times[0] * most { return }
            #expect(attempt < 5, "\(name): \(times[0]), then \(times[1])")
        }
    }

    struct Growth: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: @Sendable (Int) -> String

        init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
            testDescription = name
            self.text = text
        }
    }

    static let growths = [
        Growth("members") { .object((0..<$0).map { "\"member\($0)\":\($0)" }) },
        Growth("members of one length") { .object((0..<$0).map { "\"n\(1_000_000 + $0)\":0" }) },
        Growth("elements") { .array((0..<$0).map { "\($0)" }) },
        Growth("escapes") { "\"\(#"\u0061\n"# * $0)\"" },
        Growth("digits") { "[\("7" * ($0 * 10))]" },
        Growth("backslashes") { "\"\(#"\\"# * ($0 * 4))\"" },
        Growth("nested objects") { .array(Array(repeating: #"{"a":{"b":[]}}"#, count: $0)) },
        Growth("white space") { "[\(" " * ($0 * 20))1]" },
    ]

    @Test(arguments: growths)
    func `of a text`(_ growth: Growth) throws {
        try Self.expectLinear(growth.text, sizes: (10_000, 20_000), Comment(rawValue: growth.testDescription))
    }

    @Test func `of objects that are compared`() throws {
        func document(_ count: Int, reversed: Bool) throws -> Document {
            let members = (0..<count).map { "\"member\($0)\":\($0)" }
            return try Document(json: .object(reversed ? members.reversed() : members))
        }
        let pairs = try [2_000, 4_000].map { (try document($0, reversed: false), try document($0, reversed: true)) }
        for attempt in 1...5 {
            let times = pairs.map { left, right in
                Self.fastest { _ = left.value(at: 0, equals: right, at: 0) }
            }
            if times[1] < times[0] * Self.most { return }
            #expect(attempt < 5, "\(times[0]), then \(times[1])")
        }
    }
}
