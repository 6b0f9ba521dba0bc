/// Knows whom to ask for the server that has the data.
struct ServerFinder {
    /// Of one that is asked the way, beside others.
    private static let shortestMilliseconds = 500

    private let address: RedisAddress
    /// Those that are asked first, the one that knew last time in front.
    private var endpoints: [Endpoint]
    /// Where a node has sent us.
    private var target: Endpoint?

    init(_ address: RedisAddress) {
        self.address = address
        endpoints = address.endpoints
    }

    /// Servers to try, in turn.
    mutating func candidates(by deadline: Deadline) throws(RedisFault) -> [Endpoint] {
        guard case .sentinel(let master) = address.kind else { return (target.map { [$0] } ?? []) + endpoints }
        var fault = RedisFault(.surroundings, "is known by no sentinel")
        for sentinel in endpoints {
            do throws(RedisFault) {
                let found = try ask(sentinel, for: master, by: deadline.atMost(milliseconds: share(by: deadline)))
                endpoints.removeAll { $0 == sentinel }
                endpoints.insert(sentinel, at: 0)
                return [found]
            } catch {
                fault = RedisFault(error.kind, "is not found: the sentinel \(sentinel) \(error.text)")
            }
        }
        throw fault
    }

    /// Milliseconds for one of several.
    func share(by deadline: Deadline) -> Int {
        max(Self.shortestMilliseconds, address.connectTimeout / (endpoints.count + (target == nil ? 0 : 1)))
    }

    private func ask(_ sentinel: Endpoint, for master: String, by deadline: Deadline) throws(RedisFault) -> Endpoint {
        let connection = try Connection(sentinel, address.security, by: deadline)
        let reply = try connection.call([Command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", master)], by: deadline)[0]
        switch reply {
        case .list(let parts):
            guard parts.count == 2, case .bytes(let host) = parts[0], case .bytes(let port) = parts[1],
                let port = Int(String(decoding: port, as: UTF8.self))
            else { break }
            return Endpoint(host: String(decoding: host, as: UTF8.self), port: port)
        case .nothing:
            throw RedisFault(.needsSomebody, "knows no master \"\(master)\": SENTINEL MASTERS lists those it knows")
        case .failure(let words): throw RedisFault(reply: words)
        default: break
        }
        throw RedisFault(.needsSomebody, "does not answer as a sentinel does")
    }

    /// A node said where the data is.
    /// - Parameter node: the one that said it.
    mutating func sent(to target: Endpoint?, by node: Endpoint) {
        self.target = target.map { $0.host.isEmpty ? Endpoint(host: node.host, port: $0.port) : $0 }
    }

    /// The server that was found is of no use.
    mutating func forget(_ endpoint: Endpoint) {
        if target == endpoint { target = nil }
        guard endpoints.first == endpoint, endpoints.count > 1 else { return }
        endpoints.append(endpoints.removeFirst())
    }
}
