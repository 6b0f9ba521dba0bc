import Foundation
import WidgetJSON
import WidgetJSONParsing
import WidgetProperties

/// What fuzzing of a target starts from: its inputs as files, also such as are made of other people's data where that
/// stands beside this clone, and a dictionary.
struct StartingMaterial {
    private let target: FuzzTarget
    private let corpora = URL(filePath: "../shared/corpora")

    init(_ target: FuzzTarget) {
        self.target = target
    }

    /// Writes the folder `seeds` and the file `dictionary`.
    func write(to folder: URL) throws {
        let seeds = folder.appending(path: "seeds")
        try FileManager.default.createDirectory(at: seeds, withIntermediateDirectories: true)
        for (place, input) in try (target.property.inputs + foreign()).enumerated() {
            try Data(input).write(to: seeds.appending(path: "\(place)"))
        }
        let words = target.property.words.map { "\"\(Self.escaped($0))\"\n" }.joined()
        try Data(words.utf8).write(to: folder.appending(path: "dictionary"))
    }

    /// libFuzzer takes `\xAB` for any byte.
    private static func escaped(_ word: String) -> String {
        word.utf8.map { byte in
            let isPlain = 0x20..<0x7F ~= byte && byte != 0x22 && byte != 0x5C
            return isPlain ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private func foreign() throws -> [[UInt8]] {
        guard FileManager.default.fileExists(atPath: corpora.path) else { return [] }
        switch target {
        case .json:
            let folder = corpora.appending(path: "json-parsing")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "json" }.map { try bytes($0) }.filter { $0.count < 4_096 }
        case .dateTime:
            let cases = try DocumentReader().read(try bytes(corpora.appending(path: "rfc3339/cases.json")))
            return cases.elements(of: 0).compactMap { row in
                cases.member("text", of: row).flatMap { cases.string(at: $0) }.map { Array($0.utf8) }
            }
        case .address: return []
        case .decide:
            return try bytes(corpora.appending(path: "widgets/real.jsonl")).split(separator: 0x0A).map { line in
                try script(try DocumentReader().read(Array(line), depth: 64))
            }
        }
    }

    /// The stored widget, when there is one, as a create; then the request.
    private func script(_ row: Document) throws -> [UInt8] {
        let operation = row.member("op").flatMap { row.string(at: $0) }?.first
        let lines = [("ck", row.member("stored")), ("\(operation ?? "p")k", row.member("body"))]
        return Array(
            lines.compactMap { letters, position in
                position.map { Array("\(letters) ".utf8) + row.textOfValue(at: $0) }
            }.joined(separator: [0x0A]))
    }

    private func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
