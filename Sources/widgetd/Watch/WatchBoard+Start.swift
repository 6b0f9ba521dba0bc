import WidgetJSON
import WidgetJSONParsing

extension WatchBoard {
    /// Widgets that are asked for at once.
    private static let page = 500

    /// Takes up what the worker at `--admin` tells of the widgets that are followed; without that option, and where a code
    /// is followed, which no widget has, it does nothing.
    /// - Throws: `ProgramError` when the worker does not answer.
    mutating func fill(_ values: OptionValues) throws {
        guard let worker = try WorkerQuestions(values), try values.text("code") == nil else { return }
        let parser = DocumentReader()
        let (account, slug) = try (values.text("account"), values.text("slug"))
        let query = "/api/widgets?limit=\(Self.page)" + (account.map { "&account=\($0)" } ?? "")
        var found: [Document] = []
        var after = ""
        while let page = try worker.get(query + after) {
            let elements = Array(page.elements(of: 0))
            for element in elements where slug == nil || page.text("slug", of: element) == slug {
                found.append(try parser.read(Array(page.textOfValue(at: element))))
            }
            guard elements.count == Self.page, let last = elements.last,
                let lastAccount = page.text("account", of: last), let lastSlug = page.text("slug", of: last)
            else { break }
            after = "&after=\(lastAccount)/\(lastSlug)"
        }
        // Times of one form: their texts are in their order.
        for body in found.sorted(by: { $0.text("updated_at") ?? "" < $1.text("updated_at") ?? "" }) { fill(body) }
    }
}
