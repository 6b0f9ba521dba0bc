/// What a server tells of itself (INFO and CONFIG GET).
struct ServerFacts: Equatable {
    private var fields: [Substring: Substring] = [:]
    /// `nil` where we may not see it.
    var appendFsync: String?
    var save: String?
    var fewestReplicas: Int?

    /// - Parameter info: lines `name:value`, and headings.
    init(info: String) {
        for line in info.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = line[line.index(after: colon)...]
        }
    }

    private func field(_ name: Substring) -> String { fields[name].map(String.init) ?? "" }

    static func == (left: ServerFacts, right: ServerFacts) -> Bool { left.summary == right.summary }

    var version: String { field("redis_version") }
    var isSentinel: Bool { field("redis_mode") == "sentinel" }
    var isCluster: Bool { field("redis_mode") == "cluster" }
    var isLoading: Bool { field("loading") == "1" }
    /// The master that a replica follows.
    var master: Endpoint? {
        guard field("role") == "slave" else { return nil }
        return Endpoint(host: field("master_host"), port: Int(field("master_port")) ?? 0)
    }
    var replicas: Int { Int(field("connected_slaves")) ?? 0 }
    /// Whether keys are thrown away when memory is short.
    var evicts: Bool { (Int(field("maxmemory")) ?? 0) > 0 && evictionPolicy != "noeviction" }
    var evictionPolicy: String { field("maxmemory_policy") }
    private var appendsToFile: Bool { field("aof_enabled") == "1" }

    /// Redis 6 or newer: access lists, and scripts that are replicated by what they did.
    var isNewEnough: Bool { (version.split(separator: ".").first.flatMap { Int($0) } ?? 0) >= 6 }

    var summary: String { "\(version), \(durability)" }

    /// What is lost when something ends without warning.
    var durability: String {
        "\(storing); \(replicas) replicas"
            + (replicas > 0 && fewestReplicas ?? 0 == 0 ? ", and a failover loses what they have not received yet" : "")
    }

    private var storing: String {
        guard appendsToFile else {
            let isSaved = save.map { !$0.isEmpty }
            return isSaved == false
                ? "nothing on disk: all is lost when the server ends"
                : "snapshots alone\(save.map { " (save \($0))" } ?? ""): what came after the last one is lost when the"
                    + " server ends"
        }
        return switch appendFsync {
        case "always": "appendonly, on disk before each answer"
        case "everysec":
            "appendonly, on disk every second: up to 2 s are lost with the machine, nothing with the process"
        case "no": "appendonly, on disk when the system likes: some 30 s are lost with the machine"
        default: "appendonly; we may not see how often that is on disk (CONFIG GET appendfsync)"
        }
    }
}
