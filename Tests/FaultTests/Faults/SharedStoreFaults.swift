import Testing
import WidgetTestSupport
import WorkerTestSupport

/// The Redis server that several workers share.
extension Fault {
    static let sharedStore = [
        // It has on its disk what it has answered.
        onServer("redis-killed", word: "takes no connection") {
            $0.kill()
        } end: {
            try $0.start()
        },
        onServer("redis-silent", word: "does not answer in time") {
            $0.pause()
        } end: {
            $0.resume()
        },
        // A replica is behind its master by what is on its way; here it has all when that one ends.
        Fault(name: "redis-failover", workers: 2) { trial, plan in
            var (master, replica) = (try #require(trial.server), try RedisServer(["--appendonly", "yes"]))
            let sentinel = try RedisServer.sentinel(of: master)
            // Workers ask it until they end.
            trial.cleanUp = { withExtendedLifetime(sentinel) {} }
            for worker in trial.workers {
                #expect(worker.stop() == 0)
                worker.storeAddress =
                    "redis+sentinel://127.0.0.1:\(sentinel.port)/\(RedisServer.masterName)?prefix=\(StoreServer.prefix)"
            }
            try replica.command("REPLICAOF", "127.0.0.1", String(master.port))
            for _ in 0..<plan.rounds {
                try trial.wait("the sentinel knows a replica that follows") {
                    try replication(replica).contains("master_link_status:up")
                        && sentinel.command("SENTINEL", "REPLICAS", RedisServer.masterName).contains("\(replica.port)")
                }
                try trial.strikeUnderLoad {
                    try master.command("CLIENT", "PAUSE", "60000", "WRITE")
                    try trial.wait("the replica has all") {
                        try offset("master_repl_offset", master) == offset("slave_repl_offset", replica)
                    }
                    master.kill()
                    try trial.wait("the replica is the master") { try replication(replica).contains("role:master") }
                }
                try master.start()
                swap(&master, &replica)
                trial.server = master
            }
        },
    ]

    private static func replication(_ server: RedisServer) throws -> String {
        try server.command("INFO", "replication")
    }

    private static func offset(_ name: String, _ server: RedisServer) throws -> Int? {
        let line = try replication(server).split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// - Parameter word: what workers say of it.
    private static func onServer(
        _ name: String, word: String, begin: @escaping @Sendable (RedisServer) throws -> Void,
        end: @escaping @Sendable (RedisServer) throws -> Void
    ) -> Fault {
        Fault(name: name, workers: 2) { trial, plan in
            let server = try #require(trial.server)
            for _ in 0..<plan.rounds {
                try trial.strikeUnderLoad {
                    try trial.waitForWord(word) {
                        try begin(server)
                        try trial.publish(40)
                    }
                    try end(server)
                }
            }
        }
    }
}
