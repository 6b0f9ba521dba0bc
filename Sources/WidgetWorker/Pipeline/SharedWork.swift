/// What a worker has to think of when others write to its store: which queues it has taken over, when to look for what
/// others left, and how long to let others go first.
struct SharedWork {
    /// Between two looks at what workers that are gone left.
    private static let lookMilliseconds = 1_000
    /// A comparison that is lost is made again at once so often; then after a pause, longer each time.
    private static let losesAtOnce = 2
    private static let longestPauseMilliseconds = 200

    let kind: StoreSharing
    private var queues: Set<Int> = []
    private var nextLook = 0
    private var losses = 0

    init(_ store: any WidgetStore, isOnlyConsumer: Bool) {
        kind = !store.isShared ? .none : isOnlyConsumer ? .queues : .widgets
    }

    /// What was taken over may be another's by now.
    mutating func connectionChanged() { queues = [] }

    /// Those that deliveries came of and that are to be taken over first.
    func notTakenOver(_ delivered: Set<Int>) -> [Int] {
        kind == .queues ? delivered.subtracting(queues).sorted() : []
    }

    mutating func tookOver(_ queue: Int) { queues.insert(queue) }

    /// - Parameter now: monotonic milliseconds.
    func isLookDue(at now: Int) -> Bool { kind != .none && now >= nextLook }

    mutating func looked(at now: Int) { nextLook = now + Self.lookMilliseconds }

    mutating func won() { losses = 0 }

    /// - Returns: milliseconds to let others go first; `nil` for none.
    mutating func lost() -> Int? {
        losses += 1
        guard losses > Self.losesAtOnce else { return nil }
        return .random(in: 1...min(Self.longestPauseMilliseconds, 1 << min(losses, 10)))
    }
}
