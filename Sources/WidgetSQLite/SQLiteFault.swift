import CSQLite
import Glibc
import WidgetWorker

/// What SQLite reported, on its way to become a `StoreError`.
struct SQLiteFault {
    /// The file, for people.
    let path: String
    /// What was being done, to follow "could not": "commit a batch".
    let operation: String
    /// The extended result code.
    let code: Int32
    /// SQLite's own words about this occasion.
    let message: String
    /// `errno` of the call to the system that failed, else 0.
    let systemError: Int32

    /// The result code's family.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether waiting may mend it.
    var isTransient: Bool {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_NOMEM, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
            true
        case SQLITE_IOERR:
            code != SQLiteFault.damagedFileSystem && code != SQLiteFault.wrongChecksum
        default:
            false
        }
    }

    /// The one way from SQLite's result codes to the port's errors.
    var storeError: StoreError {
        var text = "the store \(path) could not \(operation): \(unsafe String(cString: sqlite3_errstr(code)))"
        if !message.isEmpty, !text.hasSuffix(message) { text += ", \(message)" }
        if systemError != 0 { text += ", \(unsafe String(cString: strerror(systemError)))" }
        return StoreError("\(text) (SQLite result \(code)); \(hint)", isTransient: isTransient)
    }

    /// What to do, for people.
    private var hint: String {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            "another program holds a lock on the file: end its open transaction"
        case SQLITE_FULL:
            "free space on its disk; nothing is lost meanwhile"
        case SQLITE_NOMEM:
            "the machine is short of memory"
        case SQLITE_CANTOPEN:
            "look at the folder's permissions and at the limit of open files"
        case SQLITE_IOERR where isTransient:
            "look at the disk and the system's log"
        case SQLITE_NOTADB:
            "a SQLite database was wanted there: name another file, or restore a backup"
        case SQLITE_IOERR, SQLITE_CORRUPT:
            "stop the worker, keep a copy of the file with its -wal, and restore a backup or salvage it with"
                + " sqlite3 and .recover"
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            "the worker must be allowed to write the file and its folder"
        default:
            "the tables are not as this program made them: was the file changed by hand?"
        }
    }

    /// `SQLITE_IOERR_CORRUPTFS`.
    private static let damagedFileSystem = SQLITE_IOERR | (33 << 8)
    /// `SQLITE_IOERR_DATA`.
    private static let wrongChecksum = SQLITE_IOERR | (32 << 8)
}
