/// The files of a connection with TLS. A certificate is always verified.
public struct TLSSettings: Equatable, Sendable {
    /// PEM file of the authorities to trust; the distribution's bundle when `nil`.
    public var authoritiesFile: String?
    /// PEM files of the client's own certificate chain and key.
    public var certificateFile: String?
    public var keyFile: String?
    /// The name that the server's certificate must carry, when it is not the host's.
    public var verifyName: String?

    public init() {}

    /// Named as RabbitMQ's clients do: https://www.rabbitmq.com/docs/uri-query-parameters.
    static let options = ["cacertfile", "certfile", "keyfile", "verify", "server_name_indication"]

    mutating func set(_ option: URLOption, _ form: URLForm) throws(URLError) {
        switch option.name {
        case "cacertfile": authoritiesFile = option.value
        case "certfile": certificateFile = option.value
        case "keyfile": keyFile = option.value
        case "server_name_indication": verifyName = option.value
        default:
            guard option.value == "verify_peer" else {
                throw form.fault(
                    "verify=\(option.value)", "a certificate is always verified: verify_peer is the only choice")
            }
        }
    }
}
