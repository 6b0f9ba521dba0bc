import WidgetTelemetry
import WidgetWorker

/// Whether workers could keep their state in a server: everything they do is tried on a key that is gone afterwards.
public struct RedisInspection: Sendable {
    /// The server that was found, such as a sentinel's master.
    public let endpoint: Endpoint
    public let version: String
    /// What it loses when something ends without warning.
    public let durability: String
    /// When it throws keys away that nobody deleted, by which policy: state would be lost.
    public let evictionPolicy: String?
    /// Of a round trip, the middle one of some.
    public let microseconds: Int
    /// Days until the first certificate of the server's chain ends; `nil` without TLS.
    public let certificateDays: Int?

    private static let roundTrips = 9

    /// - Throws: `StoreError` that says what is in the way.
    public init(address: RedisAddress) throws {
        let session = Session(address, for: .check, log: .none)
        do throws(RedisFault) {
            let found = try session.opened()
            endpoint = found.connection.endpoint
            version = found.facts.version
            durability = found.facts.durability
            evictionPolicy = found.facts.evicts ? found.facts.evictionPolicy : nil
            certificateDays = found.connection.certificateDays
            var times: [Int] = []
            for _ in 0..<Self.roundTrips {
                let start = ContinuousClock.now
                _ = try session.call([Command("PING")])
                times.append(Int(start.duration(to: .now) / .microseconds(1)))
            }
            microseconds = times.sorted()[Self.roundTrips / 2]
        } catch {
            throw error.storeError(of: address.description)
        }
    }
}
