import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport

@Suite(.enabled(if: Corpora.arePresent, Comment(rawValue: Corpora.absence)))
struct JSONConformanceTests {
    @Test("every text that RFC 8259 allows is read, and every one it forbids is refused", .row(29))
    func parsing() throws {
        let reader = DocumentReader()
        var counts = (read: 0, refused: 0)
        for file in try Corpora.files("json-parsing") where file.hasSuffix(".json") {
            let bytes = try Corpora.bytes("json-parsing/\(file)")
            // RFC 8259 section 4 leaves duplicate names open; messages refuse them, the grammar does not.
            let document = try? reader.read(bytes, depth: 64, refusingDuplicateNames: false)
            switch file.prefix(2) {
            case "y_":
                #expect(document != nil, "\(file)")
                counts.read += 1
            case "n_":
                #expect(document == nil, "\(file)")
                counts.refused += 1
            default: break
            }
            guard let document else { continue }
            #expect(try reader.read(document.text, depth: 64, refusingDuplicateNames: false) == document, "\(file)")
        }
        #expect(counts == (95, 188))
    }

    @Test("every case of merge patch gives what RFC 7396 says")
    func mergePatch() throws {
        let cases = try DocumentReader().read(Corpora.bytes("merge-patch/cases.json"))
        var count = 0
        for row in cases.elements(of: 0) {
            let name = try #require(cases.string("name", of: row))
            func value(_ member: String) throws -> Document {
                let position = try #require(cases.member(member, of: row))
                return try cases.value(at: position)
            }
            let (target, patch, expected) = (try value("target"), try value("patch"), try value("expected"))
            let merged = target.merged(with: patch)
            #expect(merged.value(at: 0, equals: expected, at: 0), "\(name): \(merged.json)")
            #expect(try Document(json: merged.json) == merged, "\(name)")
            if name.hasSuffix("-text") { #expect(merged == expected, "\(name)") }
            count += 1
        }
        #expect(count == 95)
    }
}
