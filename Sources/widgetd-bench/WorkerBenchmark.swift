import Glibc
import WidgetAMQP
import WidgetWorker

/// The whole worker as a process against a broker, beside the bare relay in the same run.
struct WorkerBenchmark {
    /// Messages of a measurement.
    let count: Int
    private static let runs = 3
    private static let usual = Load(widgets: 2_000)

    private let bench: WorkerBench

    /// - Parameter url: of a broker that may be filled and emptied: the queues of PROTOCOL are deleted.
    init(count: Int, url: String) throws {
        self.count = count
        bench = try WorkerBench(url: url)
    }

    func run() throws {
        try throughput()
        try costs()
        try latencies()
        try start()
        try memory()
        try bench.deleteQueues()
    }

    // MARK: Tables

    private func throughput() throws {
        var table = FigureTable(
            "Worker: \(count) messages with random ids, prefetch 1000, medians of \(Self.runs) interleaved runs",
            "queue",
            "who", "messages/s", "of the relay's", "CPU a message, µs", "of the relay's")
        for (queue, isPersistent) in [(Topology.QueueType.classic, true), (.quorum, true), (.classic, false)] {
            var found: [[(rate: Double, cpu: Double)]] = [[], [], []]
            let messages = bench.messages(Self.usual, count: count, isPersistent: isPersistent)
            for _ in 0..<Self.runs {
                found[0].append(try bench.relay(messages, queue, isPersistent: isPersistent, asFanOut: false))
                found[1].append(try bench.relay(messages, queue, isPersistent: isPersistent, asFanOut: true))
                found[2].append(try bench.worker(messages, Self.usual, queue).figures)
            }
            let relay = Self.median(found[0])
            for (who, figures) in zip(["relay", "relay through PROTOCOL's exchange and headers", "widgetd"], found) {
                let own = Self.median(figures)
                table.add([
                    "\(queue.rawValue), \(isPersistent ? "persistent" : "transient")", who, own.rate.text(0),
                    (own.rate / relay.rate).text(2), own.cpu.text(1), (own.cpu / relay.cpu).text(1),
                ])
            }
        }
        table.print()
    }

    private func costs() throws {
        var table = FigureTable(
            "Worker: cost by load, classic queue, persistent, ratios to the first row", "load", "messages/s", "ratio",
            "CPU a message, µs", "ratio")
        let loads: [(String, Load)] =
            [(String, Load)](
                [1_000, 100_000, 1_000_000].map { ("\($0) widgets", Load(widgets: $0)) })
            + [("1000 of 1000000 widgets", Load(widgets: 1_000_000, hot: 1_000))]
            + [1_000, 4_000].map { ("2 000 widgets, \($0) bytes more of content", Load(widgets: 2_000, padding: $0)) }
            + [10, 100, 5_000].map { ("2 000 widgets, prefetch \($0)", Load(widgets: 2_000, prefetch: $0)) }
            + [0, 15].map { ("100 widgets, throttle \($0) s", Load(widgets: 100, throttle: $0)) }
        var first: (rate: Double, cpu: Double)?
        for (name, load) in loads {
            let figures = try bench.worker(bench.messages(load, count: count), load, .classic).figures
            let base = first ?? figures
            first = base
            table.add([
                name, figures.rate.text(0), (figures.rate / base.rate).text(2), figures.cpu.text(1),
                (figures.cpu / base.cpu).text(2),
            ])
        }
        table.print()
    }

    private func latencies() throws {
        var table = FigureTable(
            "Latency from due to received, ms", "queue", "messages/s", "who", "p50", "p99", "most")
        for queue in [Topology.QueueType.classic, .quorum] {
            let messages = bench.messages(Self.usual, count: count)
            let rate = try bench.relay(messages, queue, isPersistent: true, asFanOut: false).rate
            for (perSecond, pieces) in [(rate / 4, min(count, Int(rate))), (5.0, 25)] {
                for (who, found) in [
                    ("relay", try bench.relayLatencies(queue, count: pieces, perSecond: perSecond)),
                    ("widgetd", try bench.workerLatencies(queue, count: pieces, perSecond: perSecond)),
                ] {
                    table.add([
                        queue.rawValue, perSecond.text(0), who, found[found.count / 2].text(2),
                        found[found.count * 99 / 100].text(2), (found.last ?? 0).text(2),
                    ])
                }
            }
        }
        table.print()
    }

    private func start() throws {
        var table = FigureTable("Start: until the first of what waits is out", "holds", "ms")
        for widgets in [1_000, 1_000_000] {
            let load = Load(widgets: widgets)
            let run = try bench.worker(bench.messages(load, count: 2_000), load, .classic)
            table.add(["\(widgets) widgets", run.milliseconds.text(0)])
        }
        table.print()
    }

    private func memory() throws {
        var table = FigureTable("Memory, resident, after so many messages without ids", "messages", "MiB")
        for count in [count, 10 * count] {
            var load = Self.usual
            load.hasIDs = false
            let run = try bench.worker(bench.messages(load, count: count), load, .classic)
            table.add(["\(count)", (Double(run.residentKilobytes) / 1024).text(1)])
        }
        table.print()
    }

    private static func median(_ figures: [(rate: Double, cpu: Double)]) -> (rate: Double, cpu: Double) {
        let middle = figures.count / 2
        return (figures.map(\.rate).sorted()[middle], figures.map(\.cpu).sorted()[middle])
    }
}

/// What a worker is put to.
struct Load {
    var widgets: Int
    /// So many of them are updated; `nil` for all.
    var hot: Int?
    /// Bytes of content beside what the mix has; at most 4000.
    var padding = 0
    var prefetch = 1_000
    /// Seconds.
    var throttle = 0
    var hasIDs = true
}
