import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

@testable import WidgetWorker

/// Whatever arrives has one verdict, with a code of PROTOCOL, and leaves a store that can be read again.
struct `Every message has one verdict` {
    private static let bodies = [
        #"{"slug":"pages","name":"n","content":{"template":"progress","value":0.5,"label":"l"},"push_throttle":5}"#,
        #"{"name":"n","content":{"template":"battery","devices":[{"name":"b","level":1},{"name":"a","level":2}],"#
            + #""device_sort":[{"field":"name"}]}}"#,
        #"{"content":{"template":"flow","flow":{"inputs":[{"rate":1,"name":"x"}],"output":{"rate":-1e3}}}}"#,
        #"{"content":{"tap_action":{"url":"https://a.example","method":"post","headers":{"A":"b"}}},"stale_after":60}"#,
        #"{"content":{"template":"schedule","periods":[{"start":"2026-11-30T12:00:00Z","value":1,"level":"low"}]}}"#,
        #"{"content":{"template":"gauge","value":1,"min_value":0,"max_value":2,"points":[1,2],"text_color":"red"}}"#,
        #"{"content":null}"#, "{}", "",
    ]

    private static let scraps = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "1e400", "-", "\\u", "\\ud800", "\u{0}", "é", "true", "\"\"",
    ]

    private static func bytes(_ random: inout SeededRandom) -> [UInt8] {
        switch random.below(6) {
        case 0: return (0..<random.below(200)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: return (0..<random.below(40)).flatMap { _ in Array(random.pick(scraps).utf8) }
        case 2, 3, 4: return Array(random.pick(bodies).utf8)
        default:
            var body = Array(random.pick(bodies).utf8)
            for _ in 0...random.below(3) {
                let place = random.below(body.count + 1)
                switch random.below(4) {
                case 0: body.insert(contentsOf: random.pick(scraps).utf8, at: place)
                case 1: body.removeSubrange(place..<min(body.count, place + random.below(9)))
                case 2: if place < body.count { body[place] = UInt8.random(in: 0...255, using: &random) }
                default: body.insert(contentsOf: body.dropFirst(random.below(body.count + 1)).prefix(20), at: place)
                }
            }
            return body
        }
    }

    private static func message(_ random: inout SeededRandom) -> Message {
        let body = bytes(&random)
        let isPacked = random.oneIn(8)
        return .sample(
            isPacked && !random.oneIn(4) ? Gzip.stored(body) : body,
            key: random.oneIn(5)
                ? random.pick(["x.pages", "a.b.c", "acme.\u{0}", "é", nil])
                : random.pick(["acme.pages", "acme.other"]),
            type: random.oneIn(12)
                ? "widget.x" : random.pick([nil, "", "widget.create", "widget.create", "widget.delete"]),
            id: random.oneIn(3) ? "id-\(random.below(100))" : nil, replyTo: random.oneIn(3) ? "replies" : nil,
            contentType: random.oneIn(12) ? "text/plain" : random.pick([nil, "application/json"]),
            encoding: isPacked ? "gzip" : random.oneIn(12) ? "br" : nil,
            account: random.oneIn(12) ? "é" : random.pick([nil, "acme"]),
            sequence: random.oneIn(6) ? Int64(random.below(20)) : nil, dropped: random.oneIn(50) ? 1 : 0)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `of arbitrary bytes`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let codes = Set(RejectionCode.allCases.map(\.rawValue)).union(["accepted", "duplicate", "decided before"])
        let desk = Desk()
        var words: [String: Int] = [:]
        var revisions: [String: Int64] = [:]
        for round in 0..<60 {
            let messages = (0..<1 + random.below(20)).map { _ in Self.message(&random) }
            let fates = try desk.decide(messages, redelivered: random.oneIn(5))
            #expect(fates.count == messages.count, "seed \(seed), round \(round)")
            for (message, fate) in zip(messages, fates) {
                #expect(codes.contains(fate.word), "seed \(seed), round \(round)")
                words[fate.word, default: 0] += 1
                #expect(fate.sent(.rejected).count == (fate.word.contains(".") ? 1 : 0), "seed \(seed), round \(round)")
                let wantsReceipt = message.replyTo != nil && fate.word != "decided before"
                #expect(fate.sent(.reply).count == (wantsReceipt ? 1 : 0), "seed \(seed), round \(round)")
                for sent in fate.sent(.rejected) + fate.sent(.accepted) + fate.sent(.reply) { _ = try sent.document() }
                guard let widget = fate.acceptedWidget else { continue }
                let key = "\(widget.address.account)/\(widget.address.slug)"
                #expect(widget.revision == revisions[key, default: 0] + 1, "seed \(seed), round \(round)")
                revisions[key] = widget.revision
                guard let document = widget.document else { continue }
                #expect(try Document(json: document.json) == document, "seed \(seed), round \(round)")
            }
            if random.oneIn(6) { desk.restart() }
        }
        #expect(
            words["accepted", default: 0] > 10 && words["message.malformed", default: 0] > 10, "seed \(seed): \(words)")
        #expect(words.count > 10, "seed \(seed): \(words)")
    }

    @Test(arguments: [5, 6] as [UInt64])
    func `and a restart at any moment changes none`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let messages = (0..<300).map { _ in Self.message(&random) }
        let (steady, restarted, batched) = (Desk(), Desk(), Desk())
        var words: [[String]] = [[], [], []]
        for message in messages {
            words[0].append(try steady.send(message).word)
            if random.oneIn(10) { restarted.restart() }
            words[1].append(try restarted.send(message).word)
        }
        words[2] = try batched.decide(messages).map(\.word)
        #expect(words[0] == words[1], "seed \(seed)")
        #expect(words[0] == words[2], "seed \(seed)")
        for slug in ["pages", "other"] {
            #expect(steady.stored(slug) == restarted.stored(slug), "seed \(seed)")
            #expect(steady.stored(slug) == batched.stored(slug), "seed \(seed)")
        }
    }
}

struct `Patches in steps` {
    @Test(.row(28), arguments: Array(1...25) as [UInt64])
    func `leave what the reference merges, refused ones left out`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let desk = Desk()
        try desk.send(.create())
        var model: JSONTree = .object([("name", .string("n")), ("content", .object([("template", .string("value"))]))])
        var accepted = 0
        for step in 0..<40 {
            let patch = JSONTree.widgetPatch(of: "pages", &random)
            guard try desk.send(.sample(patch.text)).word == "accepted" else { continue }
            accepted += 1
            model = model.merged(with: patch).merged(with: .object([("slug", .null)]))
            #expect(desk.document()?.utf8.elementsEqual(model.text.utf8) == true, "seed \(seed), step \(step)")
        }
        #expect(accepted > 10, "seed \(seed)")
        #expect(desk.stored()?.revision == Int64(accepted) + 1)
    }
}
