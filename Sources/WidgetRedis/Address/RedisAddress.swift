public import WidgetURL

/// Where the store is and how to log in: `redis://[user[:password]@]host[:port][/database][?…]`, `rediss://` for TLS,
/// `redis+sentinel://host,host/master[/database]`, `redis+cluster://host,host`.
///
/// Rules of the first two: https://www.iana.org/assignments/uri-schemes/prov/redis.
public struct RedisAddress: Equatable, Sendable {
    /// What listens at the endpoints.
    public enum Kind: Equatable, Sendable {
        /// The server itself, or a node of a cluster.
        case server
        /// Sentinels, which know where the master of this name is.
        case sentinel(master: String)
        /// Nodes of a cluster, to be asked in turn.
        case cluster
    }

    public var kind = Kind.server
    public var endpoints = [Endpoint(host: "localhost", port: 6379)]
    /// `nil` for the default user.
    public var user: String?
    /// `nil` where nobody logs in.
    public var password: String?
    public var database = 0
    /// Set for TLS.
    public var security: TLSSettings?
    /// What all keys begin with, in braces: several deployments can share a server.
    public var prefix = "widgetd"
    /// Milliseconds for finding a server, connecting and logging in, all together.
    public var connectTimeout = 3_000
    /// Milliseconds for a command.
    public var commandTimeout = 3_000

    /// `localhost` with the defaults.
    public init() {}

    /// Whether a text means to be such an address.
    public static func isMeant(by text: String) -> Bool {
        text.lowercased().hasPrefix("redis") && text.utf8.firstRange(of: ":".utf8) != nil
    }
}

extension RedisAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// As it is written, without the login and the options.
    public var description: String {
        var text = security == nil ? "redis" : "rediss"
        var path = "/\(database)"
        switch kind {
        case .server: break
        case .sentinel(let master):
            text += "+sentinel"
            path = "/\(master)\(path)"
        case .cluster:
            text += "+cluster"
            path = ""
        }
        return "\(text)://\(endpoints.map(\.description).joined(separator: ","))\(path)"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
