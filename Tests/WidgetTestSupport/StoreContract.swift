public import Testing
public import WidgetWorker

/// A promise that every `WidgetStore` keeps.
///
/// A test of a store takes `StoreContract.promises` as its arguments and calls `check` with a way to make that store.
public struct StorePromise: Sendable, CustomTestStringConvertible {
    /// Makes an empty store.
    public typealias MakeStore = (StoreOptions) throws -> any WidgetStore

    public let testDescription: String
    let body: @Sendable (MakeStore) throws -> Void

    init(_ fact: String, _ body: @escaping @Sendable (MakeStore) throws -> Void) {
        testDescription = fact
        self.body = body
    }

    /// Records an issue for what a store made so does not keep.
    public func check(_ makeStore: MakeStore) throws {
        try body(makeStore)
    }
}

/// What the promises ask of a new store.
public struct StoreOptions {
    public var dedupeWindow: Duration = .seconds(86_400)
    /// The present in milliseconds since 1970, when it does not go by the commits.
    public var clock: (() -> Int64)?

    public init() {}
}

/// All that a `WidgetStore` promises.
public enum StoreContract {
    public static let promises = widgetPromises + inboxPromises + pendingPromises + batchPromises
}

extension Fingerprint {
    /// One of its own for each number.
    public static func sample(_ number: UInt64) -> Fingerprint {
        Fingerprint(high: number &* 0x9E37_79B9_7F4A_7C15, low: ~number)
    }
}

extension DecidedDelivery {
    /// One of its own for each number, of the first queue.
    public static func sample(_ number: UInt64) -> DecidedDelivery { DecidedDelivery(.sample(number)) }
}

extension OutcomeBatch {
    /// A batch with an outcome for each body.
    public static func sample(_ bodies: String...) -> OutcomeBatch {
        var batch = OutcomeBatch()
        for body in bodies {
            var envelope = OutcomeEnvelope(destination: .accepted, routingKey: "acme.oncall-pages.progress")
            envelope.messageID = Array("acme/oncall-pages@1".utf8)
            batch.append(envelope) { $0.append(contentsOf: body.utf8) }
        }
        return batch
    }
}
