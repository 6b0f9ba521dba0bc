import WidgetTelemetry
import WidgetWorker

/// A login at the server that has the data: made when it is needed, again when it is lost. One thread uses it.
final class Session {
    /// After a fault that somebody has to mend, no other attempt is made for this long.
    private static let slowMilliseconds = 5_000

    let address: RedisAddress
    let keys: Keys
    private let login: Login
    private let log: Log
    private var finder: ServerFinder
    private var current: Login.Result?
    private var refusal: (fault: RedisFault, end: Deadline)?
    private var facts: ServerFacts?

    init(_ address: RedisAddress, for purpose: Login.Purpose, log: Log) {
        self.address = address
        self.log = log
        keys = Keys(prefix: address.prefix)
        login = Login(address: address, purpose: purpose)
        finder = ServerFinder(address)
    }

    // MARK: Calls

    /// Sends commands in one go.
    /// - Returns: their replies, none of them an error.
    /// - Throws: `RedisFault`.
    func call(_ commands: [Command]) throws(RedisFault) -> [Reply] {
        try again { (login) throws(RedisFault) in try self.call(commands, login.connection) }
    }

    private func call(_ commands: [Command], _ connection: Connection) throws(RedisFault) -> [Reply] {
        let replies = try connection.call(commands, by: Deadline(milliseconds: address.commandTimeout))
        for case .failure(let words) in replies { throw RedisFault(reply: words) }
        return replies
    }

    /// Runs a script, one that may be run twice: a connection that was closed may have taken its answer along.
    func run(_ script: Script, keys: Command, arguments: Command) throws(RedisFault) -> Reply {
        try again { (login) throws(RedisFault) in
            var command = Command("EVALSHA", login.digests[script] ?? "", String(keys.count))
            command.add(argumentsOf: keys)
            command.add(argumentsOf: arguments)
            do throws(RedisFault) {
                return try self.call([command], login.connection)[0]
            } catch {
                guard error.kind == .noScript else { throw error }
            }
            // Somebody has emptied the server's scripts: EVAL sends it along, and the server keeps it.
            var whole = Command("EVAL")
            whole.add(script.text)
            whole.add(keys.count)
            whole.add(argumentsOf: keys)
            whole.add(argumentsOf: arguments)
            return try self.call([whole], login.connection)[0]
        }
    }

    /// Sends a command when there is a connection, and does not mind how that goes.
    func tell(_ command: Command) {
        guard let connection = current?.connection else { return }
        _ = try? connection.call([command], by: Deadline(milliseconds: address.commandTimeout))
    }

    func close() { current = nil }

    /// Does it again where another connection is the whole remedy.
    private func again<Result>(
        _ body: (Login.Result) throws(RedisFault) -> Result
    ) throws(RedisFault) -> Result {
        let wasOpen = current != nil
        do throws(RedisFault) {
            return try once(body)
        } catch {
            switch error.kind {
            case .closed where wasOpen: break
            case .elsewhere(.some): break
            default: throw error
            }
        }
        return try once(body)
    }

    private func once<Result>(_ body: (Login.Result) throws(RedisFault) -> Result) throws(RedisFault) -> Result {
        let login = try opened()
        do throws(RedisFault) {
            return try body(login)
        } catch {
            if error.kind != .damaged { leave(error) }
            throw error
        }
    }

    /// What is known of the server may be old.
    private func leave(_ fault: RedisFault) {
        guard let endpoint = current?.connection.endpoint else { return }
        current = nil
        if case .elsewhere(let target?) = fault.kind {
            finder.sent(to: target, by: endpoint)
        } else {
            finder.forget(endpoint)
        }
    }

    // MARK: Opening

    func opened() throws(RedisFault) -> Login.Result {
        if let current { return current }
        if let refusal, refusal.end.left > 0 { throw refusal.fault }
        do throws(RedisFault) {
            let found = try open(by: Deadline(milliseconds: address.connectTimeout))
            current = found
            refusal = nil
            note(found.facts)
            return found
        } catch {
            if error.kind == .needsSomebody { refusal = (error, Deadline(milliseconds: Self.slowMilliseconds)) }
            throw error
        }
    }

    private func open(by deadline: Deadline) throws(RedisFault) -> Login.Result {
        var candidates = try finder.candidates(by: deadline)
        var fault = RedisFault(.surroundings, "is nowhere")
        // A node may send us on once for each that is asked, and once more.
        var tries = candidates.count + 1
        while !candidates.isEmpty, tries > 0 {
            let endpoint = candidates.removeFirst()
            tries -= 1
            do throws(RedisFault) {
                return try login(endpoint, by: deadline.atMost(milliseconds: finder.share(by: deadline)))
            } catch {
                fault = RedisFault(
                    error.kind, address.endpoints == [endpoint] ? error.text : "at \(endpoint) \(error.text)")
                if case .elsewhere(let target?) = error.kind {
                    finder.sent(to: target, by: endpoint)
                    candidates.insert(
                        target.host.isEmpty ? Endpoint(host: endpoint.host, port: target.port) : target, at: 0)
                } else {
                    finder.forget(endpoint)
                }
            }
        }
        throw fault
    }

    /// Tells once what the server may lose, and again when it is another.
    private func note(_ found: ServerFacts) {
        defer { facts = found }
        guard found != facts, login.purpose == .work else { return }
        log.info(
            "the store answers",
            ["store": address, "version": found.version, "keeps": found.durability])
        if found.evicts {
            log.warning(
                "the store throws keys away when its memory is short: state would be lost; set maxmemory-policy noeviction",
                ["store": address, "maxmemory_policy": found.evictionPolicy])
        }
    }
}
