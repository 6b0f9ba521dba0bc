public import Foundation

/// Authorities and certificates of a test's own, as PEM files in a folder.
public struct Certificates: Sendable {
    public let folder: URL

    /// Two authorities, of which a server and its clients know the first.
    public init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for authority in ["authority", "stranger"] {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=\(authority)", "-keyout", path("\(authority).key"), "-out", path("\(authority).pem"))
        }
    }

    /// - Parameters:
    ///   - names: subject alternative names, such as `DNS:localhost,IP:127.0.0.1`; for a client's it has no meaning.
    ///   - commonName: by which a broker may know a client; the certificate's own name when `nil`.
    ///   - days: until it ends; negative for one that has ended.
    public func make(
        _ name: String, names: String, by authority: String = "authority", days: Int = 2, commonName: String? = nil
    ) throws {
        let (request, extensions) = (path("\(name).csr"), path("\(name).ext"))
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=\(commonName ?? name)",
            "-keyout", path("\(name).key"), "-out", request)
        try "subjectAltName=\(names)".write(toFile: extensions, atomically: true, encoding: .utf8)
        try openssl(
            "x509", "-req", "-in", request, "-CA", path("\(authority).pem"), "-CAkey", path("\(authority).key"),
            "-CAcreateserial", "-days", "\(days)", "-extfile", extensions, "-out", path("\(name).pem"))
    }

    public func path(_ file: String) -> String { folder.appending(path: file).path }

    /// Puts certificate and key of one under the name of another, as whoever renews a certificate does.
    public func copy(_ name: String, over other: String) throws {
        for kind in ["pem", "key"] {
            try Data(contentsOf: URL(filePath: path("\(name).\(kind)")))
                .write(to: URL(filePath: path("\(other).\(kind)")))
        }
    }

    private func openssl(_ arguments: String...) throws { try ProgramRun.output(of: "openssl", arguments) }
}
