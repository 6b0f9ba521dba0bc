import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport
import WidgetTime

@Suite(.enabled(if: Corpora.arePresent, Comment(rawValue: Corpora.absence)))
struct DateTimeConformanceTests {
    @Test("every RFC 3339 case is read as it says, second 60 apart", .row(31))
    func dates() throws {
        let cases = try DocumentReader().read(Corpora.bytes("rfc3339/cases.json"))
        var leapSeconds = 0
        for row in cases.elements(of: 0) {
            let text = try #require(cases.string("text", of: row))
            let valid = try #require(cases.member("valid", of: row))
            let isValid = cases[valid].kind == .true
            let moment = DateTimeText.read(Array(text.utf8)[...])
            if isValid && text.utf8.count > 18 && Array(text.utf8)[17...18].elementsEqual("60".utf8) {
                // The contract refuses second 60: no device clock shows it.
                leapSeconds += 1
                #expect(moment == nil, "\(text)")
                continue
            }
            #expect((moment != nil) == isValid, "\(text)")
            guard let moment, let seconds = cases.string("epoch_seconds", of: row) else { continue }
            #expect(moment == Self.moment(seconds), "\(text)")
        }
        #expect(leapSeconds > 0)
    }

    /// From an exact decimal text such as `-206292593.716815`.
    private static func moment(_ text: String) -> Timestamp {
        let parts = text.split(separator: ".")
        let whole = Int64(parts[0]) ?? 0
        guard parts.count > 1 else { return Timestamp(seconds: whole) }
        let digits = (parts[1] + String(repeating: "0", count: 9)).prefix(9)
        let nanoseconds = Int32(digits) ?? 0
        guard text.hasPrefix("-"), nanoseconds > 0 else { return Timestamp(seconds: whole, nanoseconds: nanoseconds) }
        return Timestamp(seconds: whole - 1, nanoseconds: 1_000_000_000 - nanoseconds)
    }
}
