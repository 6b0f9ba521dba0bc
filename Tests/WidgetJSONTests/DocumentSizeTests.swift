import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport

/// On both sides of the sizes up to which a document keeps its nodes packed.
struct `A document of any size` {
    private static let sizes = [1, 60, 126, 127, 128, 300].flatMap { count in
        [0, 700, 890, 1_010, 1_020, 1_030].map { (count, $0) }
    }

    private static func text(numbers count: Int, padding: Int) -> [UInt8] {
        let numbers = (0..<count).map { "\($0 % 10)" }.joined(separator: ",")
        return Array(#"["\#(String(repeating: "x", count: padding))",\#(numbers)]"#.utf8)
    }

    @Test(arguments: sizes)
    func `keeps each of its values`(_ count: Int, _ padding: Int) throws {
        let document = try DocumentReader().read(Self.text(numbers: count, padding: padding))
        let elements = Array(document.elements(of: 0))
        #expect(document.string(at: elements[0])?.utf8.count == padding)
        #expect(elements.dropFirst().map { document.number(at: $0) } == (0..<count).map { Double($0 % 10) })
    }

    @Test(arguments: sizes)
    func `takes the place of any other`(_ count: Int, _ padding: Int) throws {
        let reader = DocumentReader()
        let buffer = DocumentBuffer()
        let text = Self.text(numbers: count, padding: padding)
        try reader.read(text, into: buffer)
        for (otherCount, otherPadding) in Self.sizes {
            var document = try reader.read(Self.text(numbers: otherCount, padding: otherPadding))
            let before = document
            document.assign(buffer)
            #expect(try document == reader.read(text))
            #expect(try before == reader.read(Self.text(numbers: otherCount, padding: otherPadding)))
        }
    }
}
