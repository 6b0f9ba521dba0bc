import CYardstick

/// What the cache takes for a widget of the mix.
struct MemoryBenchmark {
    let widgets: Int

    /// - Returns: the figures in a line.
    func run() throws -> String {
        // Some widgets first, so that what does not grow with them is there.
        let before = try heapBytes(1_000)
        let after = try heapBytes(widgets)
        let each = (after - before) / max(1, widgets - 1_000)
        return "memory: \(widgets) cached widgets, \(each) bytes each"
    }

    private func heapBytes(_ count: Int) throws -> Int {
        let start = Int(yardstick_bytes_in_use())
        let benchmark = try DecideBenchmark(widgets: count, hasPeer: false)
        defer { withExtendedLifetime(benchmark) {} }
        return Int(yardstick_bytes_in_use()) - start
    }
}
