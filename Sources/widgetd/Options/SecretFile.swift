import Glibc

/// The file that holds a secret's value: one that the option's variable with `_FILE` behind it names, else systemd's
/// credential with the option's name (systemd.exec(5), LoadCredential=).
struct SecretFile {
    let path: String
    /// Who says that it holds the value, for messages.
    let namedBy: String

    /// Where the secret's value may be; `nil` when nothing names a file.
    init?(of option: Option, environment: (String) -> String?) {
        guard option.isSecret else { return nil }
        if let path = environment(option.fileVariable) {
            self.path = path
            namedBy = "\(option.fileVariable) names"
        } else if let folder = environment("CREDENTIALS_DIRECTORY"), case let path = "\(folder)/\(option.name)",
            unsafe access(path, F_OK) == 0
        {
            self.path = path
            namedBy = "systemd's credential \(option.name) is"
        } else {
            return nil
        }
    }

    /// Its one line, without the end of it.
    /// - Throws: `ProgramError`; its message never holds a part of the content.
    func read() throws -> String {
        guard let bytes = TextFile.read(path) else {
            throw ProgramError.usage("\(namedBy) \(path), which cannot be read: \(TextFile.reason)")
        }
        let line = bytes.reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed()
        guard !line.isEmpty, !line.contains(where: { $0 < 0x20 }), let text = String(validating: line, as: UTF8.self)
        else {
            throw ProgramError.usage(
                "\(namedBy) \(path), which must hold one line of text, and holds \(Self.kind(of: line))")
        }
        return text
    }

    private static func kind(of content: some Sequence<UInt8>) -> String {
        let newlines = content.count { $0 == UInt8(ascii: "\n") }
        if newlines > 0 { return "\(newlines + 1) lines" }
        return content.contains { _ in true } ? "bytes that are no text" : "nothing"
    }

    /// Why it is open to more than its owner and group; `nil` when it is not.
    var exposure: String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
        let mode = String(status.st_mode & 0o777, radix: 8)
        return "\(namedBy) \(path), whose mode is 0\(mode): every user can read it; chmod 0640 is enough"
    }
}
