import Foundation
import Glibc
import Testing
import WidgetTestSupport
import WorkerTestSupport

/// What `Preload/faults.c` is to do inside a worker; the layout is that of its `fault_page`.
final class FaultPage {
    /// Where the process may be killed.
    enum Point: Int64 {
        case nowhere, afterCommit, afterPublish, afterConfirm, afterAcknowledgement, afterAnyCall
    }

    private enum Field: Int {
        case point, countdown, clockSeconds, syncMilliseconds
        static let count = 4
    }

    private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Preload/faults.c")

    /// What ends the process when it comes out of a compressed body.
    static let deadlyBody = #"{"name":"end of the process"}"#

    /// What a worker finds in its environment to be under the page's power.
    let environment: [String: String]
    private let file: Int32

    /// Builds the library for the process; the page is a file in `folder`.
    init(in folder: TemporaryFolder) throws {
        let (library, page) = (folder.path("faults.so"), folder.path("page"))
        try ProgramRun.output(
            of: "cc",
            ["-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, Self.source.path])
        file = open(page, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0 && ftruncate(file, Field.count * MemoryLayout<Int64>.size) == 0)
        // A sanitizer's library may be there already.
        let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { $0 + ":" } ?? ""
        environment = ["LD_PRELOAD": preloaded + library, "WIDGETD_FAULT_PAGE": page]
    }

    deinit {
        close(file)
    }

    /// SIGKILL when the process passes the point for the `countdown`th time.
    func kill(at point: Point, countdown: Int) {
        write(.point, Point.nowhere.rawValue)
        write(.countdown, Int64(countdown))
        write(.point, point.rawValue)
    }

    /// How far the wall clock is off.
    func setClock(seconds: Int) { write(.clockSeconds, Int64(seconds)) }

    /// How long each sync of the disk takes.
    func setDisk(milliseconds: Int) { write(.syncMilliseconds, Int64(milliseconds)) }

    /// Nothing happens any more; a wrong clock stays wrong.
    func clear() {
        write(.point, Point.nowhere.rawValue)
        setDisk(milliseconds: 0)
    }

    private func write(_ field: Field, _ value: Int64) {
        let size = MemoryLayout<Int64>.size
        _ = withUnsafeBytes(of: value) { pwrite(file, $0.baseAddress, size, off_t(field.rawValue * size)) }
    }
}
