import Glibc
import WidgetWorker

/// Where the database lies: absolute and with links followed, so that one file has one lock whatever it is called.
struct DatabasePath {
    let file: String

    /// - Parameter path: as it was given; its folder must be there, the file may be missing.
    /// - Throws: `StoreError` that says the path, what was wanted and what was found.
    init(_ path: String) throws {
        guard let name = path.split(separator: "/").last, !path.hasSuffix("/") else {
            throw Self.refusal(path, "wanted a file's path, found none; use --store sqlite:PATH")
        }
        if let whole = Self.resolved(path) {
            file = whole
            try checkFile(givenAs: path)
        } else if errno == ENOENT {
            let parent = path.dropLast(name.count)
            let folder = parent.isEmpty ? "." : String(parent)
            guard let folder = Self.resolved(folder) else {
                throw Self.refusal(path, "wanted the folder \(folder), found: \(Self.reason()); create it first")
            }
            file = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        } else {
            throw Self.refusal(path, "wanted a readable path, found: \(Self.reason())")
        }
        let folder = String(file.dropLast(file.split(separator: "/").last?.count ?? 0))
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw Self.refusal(
                path,
                "wanted to write in its folder \(folder), where the log and the lock lie beside it, found:"
                    + " \(Self.reason())")
        }
    }

    private func checkFile(givenAs path: String) throws {
        var status = stat()
        guard unsafe stat(file, &status) == 0 else {
            throw Self.refusal(path, "wanted a file, found: \(Self.reason())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Self.refusal(
                path, "wanted a file, found a \(status.st_mode & S_IFMT == S_IFDIR ? "folder" : "device")")
        }
        guard unsafe access(file, R_OK | W_OK) == 0 else {
            throw Self.refusal(path, "wanted to read and write it, found: \(Self.reason())")
        }
    }

    static func resolved(_ path: String) -> String? {
        guard let whole = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    static func reason() -> String { unsafe String(cString: strerror(errno)) }

    private static func refusal(_ path: String, _ why: String) -> StoreError {
        StoreError("the store \(path) cannot be opened: \(why)", isTransient: false)
    }
}
