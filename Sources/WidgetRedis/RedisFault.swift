import WidgetWorker

/// What went wrong between us and a server, on its way to become a `StoreError`. The text follows the server's name.
struct RedisFault: Error, Equatable {
    enum Kind: Equatable {
        /// Waiting may mend it.
        case surroundings
        /// The connection was closed, maybe before this call: another one may do.
        case closed
        /// Another server has the data: whoever knows is asked again.
        case elsewhere(Endpoint?)
        /// Somebody has to change something: tried again, slowly.
        case needsSomebody
        /// What is stored is not what was put there.
        case damaged
        /// The server does not have the script.
        case noScript
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The one way from faults to the port's errors.
    func storeError(of store: String) -> StoreError {
        StoreError("the store \(store) \(text)", isTransient: kind != .damaged)
    }
}

extension RedisFault {
    /// What an error reply means: its first word tells (https://redis.io/docs/latest/develop/reference/protocol-spec,
    /// "simple errors").
    init(reply words: String) {
        let code = words.prefix { $0 != " " }
        if code == "MOVED" {
            // `MOVED 3999 10.0.0.7:6379`; without a host it is the one that was asked.
            let target = words.split(separator: " ").last.flatMap { Endpoint(moved: $0) }
            self.init(.elsewhere(target), "keeps the data on another node (\(words))")
            return
        }
        let (kind, advice) = Self.meanings[String(code)] ?? Self.meaning(ofUnusual: words)
        self.init(kind, "answers \"\(words.prefix(200))\"; \(advice)")
    }

    private static let meanings: [String: (Kind, String)] = [
        "LOADING": (.surroundings, "it reads its data after a start: wait"),
        "READONLY": (.elsewhere(nil), "it is a replica: name its master, or the sentinels that know it"),
        "MASTERDOWN": (.elsewhere(nil), "it is a replica that has lost its master"),
        "CLUSTERDOWN": (.elsewhere(nil), "the cluster waits for a node that is gone"),
        "ASK": (.surroundings, "the data moves to another node: wait"),
        "TRYAGAIN": (.surroundings, "the data moves to another node: wait"),
        "OOM": (.surroundings, "it is full: raise its maxmemory or free some; nothing is lost meanwhile"),
        "MISCONF": (.surroundings, "it cannot save to its disk: look at its log; nothing is lost meanwhile"),
        "NOREPLICAS": (.surroundings, "fewer replicas follow it than its min-replicas-to-write"),
        "BUSY": (.surroundings, "a script of somebody else holds it up"),
        "NOAUTH": (.needsSomebody, "it wants a password: redis://user:password@host, redis://:password@host"),
        "WRONGPASS": (.needsSomebody, "give the right user and password"),
        "NOPERM": (.needsSomebody, "the user needs the permissions that the README lists: ACL SETUSER gives them"),
        "WRONGTYPE": (.damaged, "a key does not hold what this program put there: was it changed by hand?"),
        "NOSCRIPT": (.noScript, "it has forgotten the script"),
    ]

    /// Those that begin with `ERR`, or with nothing known.
    private static func meaning(ofUnusual words: String) -> (Kind, String) {
        // A refusal inside a script comes behind words about the script.
        for code in ["NOPERM", "OOM", "MISCONF", "NOREPLICAS", "READONLY", "WRONGTYPE"] where words.contains(code) {
            if let meaning = meanings[code] { return meaning }
        }
        if ["ACL failure", "no permissions", "user executing the script"].contains(where: words.contains),
            let meaning = meanings["NOPERM"]
        {
            return meaning
        }
        if words.contains("without any password") {
            return (.needsSomebody, "leave the password out of the address, or give the server one")
        }
        if words.contains("max number of clients") {
            return (.surroundings, "raise its maxclients, or end other programs")
        }
        return (.needsSomebody, "Redis 6 or newer with its usual commands is wanted")
    }
}
