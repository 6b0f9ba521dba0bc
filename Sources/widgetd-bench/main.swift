import Glibc
import WidgetAMQP

// widgetd-bench decide [COUNT [WIDGETS [HOT]]]: prints what a message costs beside the C++ peer; HOT: so many of the
// widgets are updated.
// widgetd-bench apply [COUNT [WIDGETS]]: the same for the command.
// widgetd-bench present [COUNT]: what a picture of a widget costs.
// widgetd-bench memory WIDGETS: what a cached widget takes.
// widgetd-bench cost PART: one part alone, for deploy/lib/check-costs.sh.
// widgetd-bench store|worker [COUNT]: tables of what the store costs, and the whole worker beside a bare relay.
// widgetd-bench tables: all of these with their usual counts, but `cost`.

/// - Returns: false when the words are no command.
func run(_ words: [String]) throws -> Bool {
    let numbers = words.dropFirst().compactMap { Int($0) }
    let count = numbers.first ?? 1_000_000
    let widgets = numbers.count > 1 ? numbers[1] : 2_000
    switch words.first {
    case "decide" where numbers.count == words.count - 1:
        print(try DecideBenchmark(widgets: widgets, hot: numbers.count > 2 ? numbers[2] : nil).compare(count))
    case "apply" where numbers.count == words.count - 1:
        print(try ApplyBenchmark(count: count, widgets: widgets).run())
    case "present" where numbers.count == words.count - 1:
        print(try PresentBenchmark(count: min(count, 100_000)).run())
    case "store" where numbers.count == words.count - 1:
        try StoreBenchmark(count: numbers.first ?? 100_000).run()
    case "worker" where numbers.count == words.count - 1:
        guard let url = unsafe getenv("WIDGETD_TEST_AMQP_URL") else {
            print("worker needs a broker of its own: eval \"$(deploy/broker env)\" after deploy/broker start")
            exit(2)
        }
        try WorkerBenchmark(count: numbers.first ?? 100_000, url: unsafe String(cString: url)).run()
    case "relay" where words.count == 6 || (words.count == 7 && words[6] == "transient"):
        // For `worker` and deploy/capacity: URL QUEUE EXCHANGE KEY COUNT [transient].
        let route = Relay.Route(
            queue: words[2], exchange: words[3], key: words[4], isPersistent: words.count == 6)
        _ = Relay(address: try AMQPAddress(words[1])).run(route, count: Int(words[5]) ?? 0, prefetch: 1_000)
    case "memory" where numbers.count == 1 && words.count == 2:
        print(try MemoryBenchmark(widgets: count).run())
    case "cost" where words.count == 2 && CostBenchmark(rawValue: words[1]) != nil:
        print(try CostBenchmark(rawValue: words[1])?.run() ?? "")
    case "tables" where words.count == 1:
        let commands = ["worker", "store", "decide", "apply", "present", "memory 1000000"]
        for command in commands { _ = try run(command.split(separator: " ").map(String.init)) }
    default:
        return false
    }
    return true
}

do {
    guard try run(Array(CommandLine.arguments.dropFirst())) else {
        let parts = CostBenchmark.allCases.map(\.rawValue).joined(separator: "|")
        print(
            """
            usage: widgetd-bench decide [COUNT [WIDGETS [HOT]]]
                   widgetd-bench apply [COUNT [WIDGETS]]
                   widgetd-bench present [COUNT]
                   widgetd-bench memory WIDGETS
                   widgetd-bench store|worker [COUNT]
                   widgetd-bench tables
                   widgetd-bench cost \(parts)
            """)
        exit(2)
    }
} catch {
    print("error: \(error)")
    exit(1)
}
