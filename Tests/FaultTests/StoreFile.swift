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

    /// What is known of each widget, but the times.
    func widgets() throws -> [String] {
        try query("SELECT account, slug, revision, sequence, document FROM widgets ORDER BY account, slug")
    }
}
