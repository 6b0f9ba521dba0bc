import WidgetTestSupport

/// What workers have stored, for the comparison with the model.
protocol StoreContents {
    /// How many message ids are remembered.
    func messageIDs() throws -> Int
    /// What is known of each widget, but the times: account, slug, revision, sequence, document.
    func widgets() throws -> [String]
    /// How many batches of outcomes are not known to be published.
    func unsettled() throws -> Int
}

/// A store's file, looked into with SQLite's own program.
struct StoreFile: StoreContents {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The rows as lines.
    func query(_ statement: String) throws -> [String] {
        try ProgramRun.output(of: "sqlite3", ["-cmd", ".timeout 10000", path, statement])
            .split(separator: "\n").map(String.init)
    }

    /// A row a commit holds a hash of eight bytes for each that it decided, or
    /// decided upon again.
    func messageIDs() throws -> Int {
        var hashes: Set<Substring> = []
        for row in try query("SELECT hex(hashes) FROM inbox_rows") {
            var rest = row[...]
            while !rest.isEmpty {
                hashes.insert(rest.prefix(16))
                rest = rest.dropFirst(16)
            }
        }
        return hashes.count
    }

    func widgets() throws -> [String] {
        try query("SELECT account, slug, revision, sequence, document FROM widgets ORDER BY account, slug")
    }

    func unsettled() throws -> Int { Int(try query("SELECT count(*) FROM outbox").first ?? "") ?? -1 }
}
