import Foundation
import Testing
import WidgetContract
import WidgetJSON
import WidgetJSONParsing

struct SchemaFileTests {
    /// The folder `schemas` of the project.
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "schemas")

    private static let remedy: Comment = "make it anew: swift run widgetd schema --output schemas"

    @Test("each file in schemas/ is what the tables of rules give", arguments: SchemaFile.all.map(\.name))
    func files(name: String) throws {
        let file = try #require(SchemaFile.all.first { $0.name == name })
        let data = try? Data(contentsOf: Self.folder.appending(path: file.path))
        let found = try #require(data, "\(file.path) is not there; \(Self.remedy)")
        #expect(found == Data(file.text().utf8), Self.remedy)
    }

    @Test("schemas/ holds nothing else")
    func nothingElse() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        let found = paths.filter { $0.hasSuffix(".json") }
        #expect(found.sorted() == SchemaFile.all.map(\.path).sorted(), Self.remedy)
    }

    @Test("a document is JSON, says what makes it, and is the same every time", arguments: SchemaFile.all.map(\.name))
    func text(name: String) throws {
        let file = try #require(SchemaFile.all.first { $0.name == name })
        let text = file.text()
        let document = try DocumentReader().read(Array(text.utf8), depth: 64)
        let origin = try #require(document.member("$comment") ?? document.member("x-comment"))
        #expect(document.string(at: origin)?.contains("widgetd schema") == true)
        #expect(text.hasSuffix("}\n") && !text.contains("\t") && text == file.text())
    }

    @Test("every limit of the tables stands in the schema of a create")
    func limits() throws {
        let file = try #require(SchemaFile.all.first { $0.name == "create" })
        let document = try DocumentReader().read(Array(file.text().utf8), depth: 64)
        for member in Contract.object(.content).members {
            let pointer = try #require(JSONPointer("/$defs/contentOfCreate/properties/\(member.name)"))
            let schema = try #require(pointer.resolve(in: document), "\(member.name) has no schema")
            switch member.rule {
            case .text(let longest, _): #expect(Self.number("maxLength", document, schema) == Double(longest))
            case .array(let name):
                #expect(Self.number("maxItems", document, schema) == Double(Contract.array(name).most))
            default: break
            }
        }
    }

    private static func number(_ name: String, _ document: Document, _ schema: Int) -> Double? {
        document.member(name, of: schema).flatMap { document.number(at: $0) }
    }
}
