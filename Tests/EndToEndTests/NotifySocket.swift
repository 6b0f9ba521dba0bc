import Glibc
import Testing
import WorkerTestSupport

/// The datagram socket on which a service manager listens (sd_notify(3)).
final class NotifySocket {
    let path: String
    private let descriptor: Int32
    private var heard: [String] = []

    init(in folder: TemporaryFolder) throws {
        path = folder.path("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8CString)
        try #require(bytes.count <= MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in bytes.enumerated() { place[index] = UInt8(bitPattern: byte) }
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
    }

    /// What a service has said so far.
    var words: [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            heard.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return heard
    }
}
