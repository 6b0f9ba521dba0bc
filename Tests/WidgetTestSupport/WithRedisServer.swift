public import Testing

extension RedisServer {
    /// The server of the suite that runs, when `WithRedisServer` made one.
    @TaskLocal public static var current: RedisServer?
}

/// Gives a suite a Redis server of its own, `RedisServer.current`.
public struct WithRedisServer: SuiteTrait, TestScoping {
    public init() {}

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await RedisServer.$current.withValue(RedisServer()) { try await function() }
    }
}
