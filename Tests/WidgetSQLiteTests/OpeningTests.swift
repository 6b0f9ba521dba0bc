import Foundation
import Testing
import WidgetContract
import WidgetTestSupport
import WidgetWorker

@testable import WidgetSQLite

@Suite struct OpeningTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func aNewFileIsBroughtFromVersionZeroToTheNewest() throws {
        #expect(FileManager.default.createFile(atPath: folder.file(), contents: nil))
        let store = try SQLiteStore(path: folder.file())
        #expect(try store.connection?.integer("PRAGMA user_version", during: "test") == 5)
        try store.put(.sample())
        try store.close()
        let again = try SQLiteStore(path: folder.file())
        #expect(try again.connection?.integer("PRAGMA user_version", during: "test") == 5)
        #expect(try again.widget("oncall-pages") == .sample())
    }

    @Test func aDatabaseOfTheFirstVersionKeepsItsWidgetsAndGainsPendingFanOuts() throws {
        let old = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try old.execute(
            """
            \(Migrations.steps[0])
            INSERT INTO widgets VALUES ('acme', 'pages', 7, NULL, 1, 2, '{"name":"n"}');
            PRAGMA application_id = \(Migrations.applicationID);
            PRAGMA user_version = 1;
            """, during: "test")
        let store = try SQLiteStore(path: folder.file())
        #expect(try store.widget("pages")?.revision == 7)
        #expect(try store.widget("pages")?.pushedAt == nil)
        #expect(try store.pendingPushes().isEmpty)
    }

    @Test func aDatabaseOfTheVersionBeforeIsReadAsItIsAndGainsALogOfStates() throws {
        let old = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try old.execute(
            """
            \(Migrations.steps[0..<3].joined())
            INSERT INTO widgets VALUES ('acme', 'pages', 7, NULL, 1, 2, '{"name":"n"}', 3);
            INSERT INTO accounts VALUES ('acme', 1);
            PRAGMA application_id = \(Migrations.applicationID);
            PRAGMA user_version = 3;
            """, during: "test")
        let address = WidgetAddress(account: "acme", slug: "pages")
        #expect(try SQLiteReader(path: folder.file()).widget(at: address)?.widget.revision == 7)
        let store = try SQLiteStore(path: folder.file())
        try store.put(.sample("pages", revision: 8), .sample("steps"))
        #expect(try store.widget("pages")?.revision == 8)
        #expect(try store.liveWidgets(in: "acme") == 2)
        #expect(try SQLiteReader(path: folder.file()).widget(at: address)?.widget.revision == 8)
    }

    @Test func aDatabaseOfANewerVersionIsRefusedWithBothVersions() throws {
        let store = try SQLiteStore(path: folder.file())
        try store.connection?.execute("PRAGMA user_version = 999", during: "test")
        try store.close()
        let error = try refusal(folder.file())
        #expect(error.description.contains("version 999"))
        #expect(error.description.contains("up to version 5;"))
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedUnchanged() throws {
        let other = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try other.execute("CREATE TABLE invoices (id INTEGER)", during: "test")
        let error = try refusal(folder.file())
        #expect(error.description.contains("another program's with invoices in it"))
        #expect(try other.text("PRAGMA journal_mode", during: "test") == "delete")
    }

    @Test(.row(34)) func aSecondWorkerIsRefusedWithTheFirstOnesProcessAndAWayOut() throws {
        let first = try SQLiteStore(path: folder.file())
        let error = try refusal(folder.file())
        #expect(error.description.contains("process \(ProcessInfo.processInfo.processIdentifier),"))
        #expect(error.description.contains("--store redis://"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.db"), withDestinationPath: folder.file())
        #expect(try refusal(folder.file("link.db")).description.contains("is in use"))
        try first.put(.sample())
        try first.close()
        let second = try SQLiteStore(path: folder.file())
        #expect(try second.widget("oncall-pages") == .sample())
    }

    @Test func aMissingFolderIsNamed() throws {
        let error = try refusal(folder.file("missing/widgetd.db"))
        #expect(error.description.contains(folder.file("missing")))
        #expect(error.description.contains("No such file or directory"))
    }

    @Test func aFolderInPlaceOfTheFileIsNamed() throws {
        try FileManager.default.createDirectory(atPath: folder.file("there"), withIntermediateDirectories: false)
        #expect(try refusal(folder.file("there")).description.contains("wanted a file, found a folder"))
        #expect(try refusal(folder.path + "/").description.contains("--store sqlite:PATH"))
        #expect(try refusal("").description.contains("--store sqlite:PATH"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aFolderThatMayNotBeWrittenIsNamed() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        #expect(try refusal(folder.file()).description.contains("Permission denied"))
    }

    @Test func aFileThatIsNoDatabaseIsRefused() throws {
        try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: folder.file()))
        let error = try refusal(folder.file())
        #expect(error.description.contains("file is not a database"))
        #expect(error.description.contains(folder.file()))
    }

    @Test func specialNamesAreOrdinaryFiles() throws {
        for name in [":memory:", "file:widgetd.db?mode=memory", "with 'quotes' and ünïcödé.db"] {
            let store = try SQLiteStore(path: folder.file(name))
            try store.put(.sample())
            #expect(FileManager.default.fileExists(atPath: folder.file(name)))
        }
    }

    private func refusal(_ path: String) throws -> StoreError {
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, busyTimeout: .zero) }
        let refusal = try #require(error)
        #expect(!refusal.isTransient)
        return refusal
    }
}
