/// Opens a connection to a server that is fit for use.
struct Login {
    enum Purpose {
        /// Everything a worker does.
        case work
        /// Trying all of that, leaving nothing behind.
        case check
        /// Looking, changing nothing.
        case look
    }

    struct Result {
        let connection: Connection
        let facts: ServerFacts
        /// The scripts, as the server calls them.
        let digests: [Script: String]
    }

    let address: RedisAddress
    let purpose: Purpose

    func callAsFunction(_ endpoint: Endpoint, by deadline: Deadline) throws(RedisFault) -> Result {
        let connection = try Connection(endpoint, address.security, by: deadline)
        var facts = try enter(connection, by: deadline)
        try check(facts)
        guard purpose != .look else { return Result(connection: connection, facts: facts, digests: [:]) }
        let digests = try prepare(connection, &facts, by: deadline)
        return Result(connection: connection, facts: facts, digests: digests)
    }

    private func enter(_ connection: Connection, by deadline: Deadline) throws(RedisFault) -> ServerFacts {
        var commands: [Command] = []
        if let password = address.password {
            var command = Command("AUTH")
            if let user = address.user { command.add(user) }
            command.add(password)
            commands.append(command)
        }
        if address.database != 0 { commands.append(Command("SELECT", String(address.database))) }
        commands.append(Command("INFO"))
        let replies = try connection.call(commands, by: deadline)
        for case .failure(let words) in replies { throw RedisFault(reply: words) }
        guard case .bytes(let info)? = replies.last else {
            throw RedisFault(.needsSomebody, "does not tell about itself (INFO)")
        }
        return ServerFacts(info: String(decoding: info, as: UTF8.self))
    }

    private func check(_ facts: ServerFacts) throws(RedisFault) {
        guard !facts.isSentinel else {
            throw RedisFault(.needsSomebody, "is a sentinel: write redis+sentinel://host,host/MASTER")
        }
        guard facts.isNewEnough else {
            throw RedisFault(.needsSomebody, "is Redis \(facts.version), wanted 6 or newer")
        }
        guard !facts.isLoading else {
            throw RedisFault(.surroundings, "reads its data after a start: wait")
        }
        if purpose != .look, let master = facts.master {
            throw RedisFault(
                .elsewhere(nil), "is a replica of \(master), wanted a master: a failover may be under way")
        }
    }

    /// Loads the scripts, and tries what they will do.
    private func prepare(
        _ connection: Connection, _ facts: inout ServerFacts, by deadline: Deadline
    ) throws(RedisFault) -> [Script: String] {
        let keys = Keys(prefix: address.prefix)
        var trial = Command("EVAL")
        trial.add(PackageResources.prepare_lua)
        for argument in ["2", keys.layout, keys.trial, Keys.layout, purpose == .work ? "1" : "0"] {
            trial.add(argument)
        }
        var commands = [trial]
        for script in Script.allCases {
            var command = Command("SCRIPT", "LOAD")
            command.add(script.text)
            commands.append(command)
        }
        let settings = ["appendfsync", "save", "min-replicas-to-write"]
        commands += settings.map { Command("CONFIG", "GET", $0) }
        let replies = try connection.call(commands, by: deadline)
        for case .failure(let words) in replies.dropLast(settings.count) { throw RedisFault(reply: words) }
        if case .bytes(let layout) = replies[0], layout != Array(Keys.layout.utf8) {
            throw RedisFault(
                .needsSomebody,
                "holds layout \(String(decoding: layout, as: UTF8.self)) under the prefix"
                    + " \(address.prefix), wanted \(Keys.layout): another version of widgetd keeps its state there")
        }
        let found = replies.suffix(settings.count).map(Self.setting)
        (facts.appendFsync, facts.save, facts.fewestReplicas) = (found[0], found[1], found[2].flatMap { Int($0) })
        var digests: [Script: String] = [:]
        for (script, reply) in zip(Script.allCases, replies.dropFirst()) {
            if case .bytes(let digest) = reply { digests[script] = String(decoding: digest, as: UTF8.self) }
        }
        return digests
    }

    /// `nil` where we may not see it.
    private static func setting(_ reply: Reply) -> String? {
        guard case .list(let parts) = reply, parts.count == 2, case .bytes(let value) = parts[1] else { return nil }
        return String(decoding: value, as: UTF8.self)
    }
}
