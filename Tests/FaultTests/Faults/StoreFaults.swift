import Foundation
import Testing
import WidgetTestSupport
import WorkerTestSupport

/// The store's disk, and others at its file.
extension Fault {
    static let store = [
        Fault(name: "store-slow") { trial, plan in
            for _ in 0..<plan.rounds {
                try trial.strikeUnderLoad(disk: 300) {
                    try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
                }
            }
        },
        Fault(name: "store-locked") { trial, plan in
            var holder: HeldStore?
            for _ in 0..<plan.rounds {
                try trial.strikeUnderLoad {
                    holder = try HeldStore(trial.worker.store)
                    try trial.publish(40, untilWord: "another program holds a lock")
                    holder?.release()
                }
            }
        },
        Fault(name: "disk-full") { trial, plan in
            let disk = trial.worker.folder.path("disk")
            try mountSmallDisk(disk)
            trial.cleanUp = { _ = try? ProgramRun.output(of: "umount", ["-l", disk]) }
            #expect(trial.worker.stop() == 0)
            try FileManager.default.removeItem(atPath: trial.worker.store)
            trial.worker.store = disk + "/w.db"
            for _ in 0..<plan.rounds {
                try trial.strikeUnderLoad {
                    try ProgramRun.output(of: "sh", ["-c", "cat /dev/zero > \(disk)/filler || true"])
                    try trial.publish(40, untilWord: "free space on its disk")
                    try FileManager.default.removeItem(atPath: disk + "/filler")
                }
            }
        },
    ]

    /// Hours forth and back, less than the time for which ids are kept.
    static let wrongClock = Fault(name: "wrong-clock") { trial, plan in
        for _ in 0..<plan.rounds * 2 {
            for hours in [6, -6] {
                try trial.strikeUnderLoad { trial.page.setClock(seconds: hours * 3_600) }
            }
        }
    }

    private static func mountSmallDisk(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            try ProgramRun.output(of: "mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", path])
        } catch {
            throw FaultSkipped(reason: "no disk can be mounted: \(error)")
        }
    }
}
