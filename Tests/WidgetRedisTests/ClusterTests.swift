import Testing
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

/// Three nodes without replicas, a third of the slots each.
private struct Cluster {
    let nodes: [RedisServer]

    init() throws {
        var buses: [Int] = []
        nodes = try (0..<3).map { _ in
            // The usual one, the port and 10 000, may be none.
            let (listener, bus) = try Sockets.listen()
            Sockets.close(listener)
            buses.append(bus)
            return try RedisServer(["--cluster-enabled", "yes", "--cluster-port", String(bus)])
        }
        for (number, node) in nodes.enumerated() {
            let first = number * 16_384 / 3
            try node.command("CLUSTER", "ADDSLOTSRANGE", String(first), String((number + 1) * 16_384 / 3 - 1))
            try nodes[0].command("CLUSTER", "MEET", "127.0.0.1", String(node.port), String(buses[number]))
        }
        let isWhole = try Poll.until(seconds: 30) {
            try nodes.allSatisfy {
                let info = try $0.command("CLUSTER", "INFO")
                return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
            }
        }
        #expect(isWhole)
    }

    func address(prefix: String) throws -> RedisAddress {
        let hosts = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return try RedisAddress("redis+cluster://\(hosts)?prefix=\(prefix)")
    }

    /// Gives the slot of a prefix to another node, with its keys.
    func move(_ prefix: String) throws {
        let slot = try nodes[0].command("CLUSTER", "KEYSLOT", "{\(prefix)}")
        let owner = try #require(
            try nodes.first { try $0.command("CLUSTER", "COUNTKEYSINSLOT", slot) != "0" }, "no node has keys of it")
        let other = try #require(nodes.first { $0.port != owner.port })
        let (from, to) = (try owner.command("CLUSTER", "MYID"), try other.command("CLUSTER", "MYID"))
        try other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from)
        try owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", to)
        while case let key = try owner.command("CLUSTER", "GETKEYSINSLOT", slot, "1"), !key.isEmpty {
            try owner.command("MIGRATE", "127.0.0.1", String(other.port), key, "0", "5000")
        }
        for node in [other, owner] { try node.command("CLUSTER", "SETSLOT", slot, "NODE", to) }
    }
}

@Suite struct ClusterTests {
    @Test("shared stores keep their promises on a cluster, whichever node has the slot")
    func promises() throws {
        let cluster = try Cluster()
        for (number, promise) in StoreContract.sharedPromises.enumerated() {
            let address = try cluster.address(prefix: "p\(number)")
            try promise.check { RedisStore(address: address, queues: ["updates.0", "updates.1"]) }
        }
        let used = try cluster.nodes.filter { try $0.command("DBSIZE") != "0" }
        #expect(used.count == 3)
    }

    @Test("a slot that goes to another node is followed there, and one of the nodes is enough to begin with")
    func moves() throws {
        let cluster = try Cluster()
        let address = try cluster.address(prefix: "moving")
        let store = RedisStore(address: address, queues: ["updates"])
        try store.put(.sample("pages"))
        let reader = RedisReader(address: address)
        #expect(try reader.widgets(after: nil, limit: 9).count == 1)
        try cluster.move("moving")
        try store.put(.sample("pages", revision: 2))
        #expect(try reader.widgets(after: nil, limit: 9).map(\.widget.revision) == [2])
        for node in cluster.nodes {
            let other = RedisStore(
                address: try RedisAddress("redis://127.0.0.1:\(node.port)?prefix=moving"), queues: ["updates"])
            #expect(try other.widget("pages")?.revision == 2)
        }
    }

    @Test("a node that is gone is waited for, in a line that says so")
    func gone() throws {
        let cluster = try Cluster()
        let address = try cluster.address(prefix: "gone")
        let store = RedisStore(address: address, queues: ["updates"])
        try store.put(.sample("pages"))
        let owner = try #require(try cluster.nodes.first { try $0.command("DBSIZE") != "0" })
        owner.kill()
        let error = #expect(throws: StoreError.self) { try store.put(.sample("pages", revision: 2)) }
        #expect(error?.isTransient == true)
        #expect(error?.description.contains("127.0.0.1:\(owner.port)") == true, "\(String(describing: error))")
    }
}
