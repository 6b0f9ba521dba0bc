import Testing
import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport
import WidgetTime

@Suite(.enabled(if: Corpora.arePresent, Comment(rawValue: Corpora.absence)))
struct ContractConformanceTests {
    @Test("bodies that real clients send get the expected verdict")
    func realBodies() throws {
        var decider = Decider()
        var count = 0
        for line in try Corpora.lines("widgets/real.jsonl") {
            let row = try DocumentReader().read(line, depth: 64)
            let id = try #require(row.string("id"))
            let clock = try #require(row.string("now"))
            let now = try #require(DateTimeText.read(Array(clock.utf8)[...]))
            let operation = try #require(row.string("op"))
            let kind = try #require(CommandKind(rawValue: "widget.\(operation)"))
            let body = try row.member("body").map { try row.value(at: $0) } ?? Document()
            let slug = try #require(row.string("slug"))
            let address = WidgetAddress(account: "acme", slug: slug)
            var widget = try Self.stored(row, kind, address)
            let decision = decider.decide(
                current: &widget,
                command: Command(kind: kind, address: address), body: body, now: now, accountIsFull: { false })
            switch decision {
            case .accepted:
                #expect(row.string("expect") == "accept", "\(id): \(row.string("why") ?? "")")
            case .rejected(let rejection):
                #expect(row.string("expect") == "reject", "\(id): \(rejection.detail)")
                let why = row.string("why") ?? ""
                for violation in rejection.violations {
                    #expect(why.contains("(\(violation.location))"), "\(id): \(violation.location) \(why)")
                }
            }
            count += 1
        }
        #expect(count == 316)
    }

    /// What a patch or a delete finds; a patch without a stored widget finds one with an empty content.
    private static func stored(_ row: Document, _ kind: CommandKind, _ address: WidgetAddress) throws -> Widget? {
        guard kind != .create else { return nil }
        var document = try Document(json: #"{"name":"n","content":{}}"#)
        if let position = row.member("stored") {
            document = Document().merged(with: try row.value(at: position)).merged(
                with: try Document(json: #"{"slug":null}"#))
        }
        return Widget(
            address: address, revision: 1, sequence: nil, createdAt: 0, updatedAt: 0, document: document)
    }
}
