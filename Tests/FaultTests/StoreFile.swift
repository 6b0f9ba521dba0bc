import WidgetTestSupport

/// A store's file, looked into with SQLite's own program.
struct StoreFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The rows as lines.
    func query(_ statement: String) throws -> [String] {
        try ProgramRun.output(of: "sqlite3", ["-cmd", ".timeout 10000", path, statement])
            .split(separator: "\n").map(String.init)
    }

    /// How many message ids are remembered: a row a commit holds a hash of eight bytes for each.
    func messageIDs() throws -> Int? {
        try query("SELECT coalesce(sum(length(hashes)), 0) / 8 FROM inbox_rows").first.flatMap { Int($0) }
    }

    /// What is known of each widget, but the times.
    func widgets() throws -> [String] {
        try query("SELECT account, slug, revision, sequence, document FROM widgets ORDER BY account, slug")
    }
}
