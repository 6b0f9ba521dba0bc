import Synchronization
public import WidgetWorker

/// What a worker asked of its ports, and what they answered, in one order across all of them.
public final class PortCalls: Sendable {
    public enum Call: Equatable, Sendable {
        case committed(Int64)
        case published(Int64)
        case confirmed(Int64)
        case acknowledged(DeliveryPosition)
        case cancelled, sourceClosed, publisherClosed, storeClosed
    }

    private let calls = Mutex<[Call]>([])

    public init() {}

    /// All of them so far.
    public var all: [Call] { calls.withLock { $0 } }

    func record(_ call: Call) {
        calls.withLock { $0.append(call) }
    }
}
