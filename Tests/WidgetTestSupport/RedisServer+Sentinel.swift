import Foundation

extension RedisServer {
    /// The master's name among sentinels.
    public static let masterName = "widgets"

    /// A sentinel that alone decides, soon, that its master is gone, and makes a replica the next one.
    public static func sentinel(of master: RedisServer) throws -> RedisServer {
        try RedisServer(["--sentinel"]) { folder in
            try """
            sentinel monitor \(masterName) 127.0.0.1 \(master.port) 1
            sentinel down-after-milliseconds \(masterName) 300
            sentinel failover-timeout \(masterName) 2000
            """.write(to: folder.appending(path: "redis.conf"), atomically: true, encoding: .utf8)
            return []
        }
    }
}
