import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

/// A window of 15 seconds unless a widget has its own; time moves by hand.
@Suite struct CoalescingTests {
    @Test(
        "the first change goes out at once, later ones wait, and the newest state goes out when the window ends",
        .row(28))
    func edges() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1), value(2), value(3))
        #expect(bench.pushes == ["acme/pages@1"])
        try bench.pass(milliseconds: 14_999)
        #expect(bench.pushes == ["acme/pages@1"])
        try bench.pass(milliseconds: 1)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@4"])
        #expect(try bench.lastPush("/content/value") == "3")
        try bench.pass(milliseconds: 60_000)
        #expect(bench.pushes.count == 2)
        try bench.send(value(4))
        #expect(bench.pushes.last == "acme/pages@5")
    }

    @Test("a trailing push opens a window of its own")
    func windowAfterWindow() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1))
        try bench.pass(milliseconds: 15_000)
        try bench.send(value(2))
        #expect(bench.pushes.count == 2)
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@2", "acme/pages@3"])
    }

    @Test("a push names the members that changed in all its updates, the newest trace, and how many came before it")
    func gathered() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create())
        try bench.send(
            patch(#""value":1"#, trace: "00-a"), patch(#""label":"l""#, trace: "00-b"),
            patch(#""value":1,"unit":"s""#, trace: "00-c"))
        try bench.pass(milliseconds: 15_000)
        #expect(try bench.lastPush("/changed") == #"["/content/label","/content/unit","/content/value"]"#)
        let last = try #require(bench.outcomes.last)
        #expect(last[.traceparent].map { String(decoding: $0, as: UTF8.self) } == "00-c")
        #expect(last.coalesced == 2)
        #expect(bench.outcomes.first?.coalesced == 0)
    }

    @Test("deliveries are acknowledged without waiting for a window")
    func acknowledged() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1))
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        #expect(bench.pushes.count == 1)
        #expect(try bench.finish().isClean)
    }

    @Test("a deletion goes out at once and drops what waits; the next create goes out at once, too")
    func deletion() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1), .delete())
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@3"])
        try bench.send(.create(), value(2))
        #expect(bench.pushes.last == "acme/pages@4")
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@3", "acme/pages@4", "acme/pages@5"])
        #expect(bench.store.pending.isEmpty)
    }

    @Test("a create of a known widget is a change like any other")
    func replaced() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), .create(#"{"template":"value","value":2}"#))
        #expect(bench.pushes == ["acme/pages@1"])
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@2"])
    }

    @Test("a heartbeat is told only of a widget that grows stale, and then within the throttle")
    func heartbeats() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), .sample("{}"), .sample("{}"))
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes == ["acme/pages@1"])
        try bench.send(.sample(#"{"stale_after":900}"#), .sample("{}"), .sample("{}"))
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@4"])
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@4", "acme/pages@6"])
        #expect(try bench.lastPush("/changed") == "[]")
    }

    @Test("a heartbeat that nobody is told of neither delays nor hurries what waits, which shows its revision")
    func heartbeatWhileWaiting() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1))
        try bench.pass(milliseconds: 10_000)
        try bench.send(.sample("{}"))
        try bench.pass(milliseconds: 5_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@3"])
    }

    @Test("a widget's own throttle counts before the default, also when the default is none")
    func ownThrottle() throws {
        for standard in [0, 15] {
            let bench = WorkerBench(throttleSeconds: standard)
            try bench.send(create(throttle: 2), value(1))
            #expect(bench.pushes.count == 1)
            try bench.pass(milliseconds: 2_000)
            #expect(bench.pushes.count == 2)
        }
    }

    @Test("a changed throttle takes effect at once, shorter or longer")
    func changedThrottle() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(create(throttle: 60), value(1))
        try bench.pass(milliseconds: 10_000)
        try bench.send(.sample(#"{"push_throttle":20}"#))
        try bench.pass(milliseconds: 10_000)
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@3"])
        try bench.pass(milliseconds: 5_000)
        try bench.send(.sample(#"{"push_throttle":5}"#))
        #expect(bench.pushes.last == "acme/pages@4")
        try bench.send(value(2), .sample(#"{"push_throttle":100}"#))
        try bench.pass(milliseconds: 99_999)
        #expect(bench.pushes.last == "acme/pages@4")
        try bench.pass(milliseconds: 1)
        #expect(bench.pushes.last == "acme/pages@6")
    }

    @Test("what waits goes out after a restart, and a window goes on over it")
    func restart() throws {
        let first = WorkerBench(throttleSeconds: 15)
        try first.send(.create(key: "acme.one"), .create(key: "acme.two"), value(1, key: "acme.one"))
        try first.pass(milliseconds: 5_000)
        _ = try first.finish()
        #expect(first.pushes == ["acme/one@1", "acme/two@1"])

        let second = WorkerBench(over: first.store, throttleSeconds: 15, clock: first.clock)
        try second.send(value(1, key: "acme.two"))
        try second.pass(milliseconds: 9_999)
        #expect(second.pushes.isEmpty)
        try second.pass(milliseconds: 1)
        #expect(second.pushes.sorted() == ["acme/one@2", "acme/two@2"])
        #expect(second.store.pending.isEmpty)
    }

    @Test(
        "a wall clock that was set neither floods nor starves, while the worker runs and while it does not",
        arguments: [-86_400_000, 86_400_000], [false, true])
    func steppedClock(step: Int, isRestarted: Bool) throws {
        var bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1))
        bench.clock.stepWallClock(milliseconds: step)
        if isRestarted {
            _ = try bench.finish()
            bench = WorkerBench(over: bench.store, throttleSeconds: 15, clock: bench.clock)
        }
        let before = bench.pushes.count
        try bench.send(value(2), value(3), value(4))
        try bench.pass(milliseconds: 14_999)
        #expect(bench.pushes.count - before <= 1)
        try bench.pass(milliseconds: 1)
        #expect(bench.pushes.last == "acme/pages@5")
        #expect(bench.pushes.count - before <= 2)
    }

    @Test("a store that fails when windows end delays their pushes and loses none")
    func failingStore() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create(), value(1))
        bench.store.fail([.commit], times: 2)
        try bench.pass(milliseconds: 15_000)
        #expect(bench.pushes.count == 1)
        for _ in 0..<3 { try bench.pass(milliseconds: 1_000) }
        #expect(bench.pushes == ["acme/pages@1", "acme/pages@2"])
    }

    @Test("a window's end pushes a widget that left the cache meanwhile")
    func evicted() throws {
        let bench = WorkerBench(throttleSeconds: 15, cachedWidgets: 1)
        try bench.send(.create(key: "acme.one"), value(1, key: "acme.one"))
        for slug in ["two", "three", "four"] { try bench.send(.create(key: "acme.\(slug)")) }
        bench.store.fail([.load], times: 1)
        try bench.pass(milliseconds: 15_000)
        try bench.pass(milliseconds: 1_000)
        #expect(bench.pushes.last == "acme/one@2")
        #expect(try bench.lastPush("/content/value") == "1")
    }

    @Test("a receipt is never delayed")
    func receipts() throws {
        let bench = WorkerBench(throttleSeconds: 15)
        try bench.send(.create())
        try bench.send(.sample(#"{"content":{"value":1}}"#, replyTo: "replies"))
        #expect(bench.pushes.count == 1)
        #expect(bench.outcomes.last?.destination == .reply)
    }

    private func value(_ value: Int, key: String = "acme.pages") -> Message {
        .sample(#"{"content":{"value":\#(value)}}"#, key: key)
    }

    private func patch(_ members: String, trace: String) -> Message {
        .sample(#"{"content":{\#(members)}}"#, traceparent: trace)
    }

    private func create(throttle: Int) -> Message {
        .sample(#"{"name":"n","content":{"template":"value"},"push_throttle":\#(throttle)}"#, type: "widget.create")
    }
}

extension WorkerBench {
    /// Delivers messages in one event and waits until they are decided.
    fileprivate func send(_ messages: Message...) throws {
        source.deliver(messages)
        try settle()
    }

    /// Moves both clocks and waits until the worker has seen it.
    fileprivate func pass(milliseconds: Int) throws {
        clock.advance(milliseconds: milliseconds)
        try settle()
    }

    /// All that was published, in order.
    fileprivate var outcomes: [Outcome] {
        var outcomes: [Outcome] = []
        for batch in publisher.batches { batch.outcomes.visit { outcomes.append($0) } }
        return outcomes
    }

    /// The ids of fan-outs in order.
    fileprivate var pushes: [String] {
        outcomes.filter { $0.destination == .accepted }.map { String(decoding: $0[.messageID] ?? [], as: UTF8.self) }
    }

    /// The value at a pointer into the last fan-out.
    fileprivate func lastPush(_ pointer: String) throws -> String? {
        try outcomes.last { $0.destination == .accepted }.map(Sent.init)?.value(pointer)
    }
}
