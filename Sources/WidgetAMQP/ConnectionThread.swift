internal import CAMQPShim
internal import Glibc

/// A thread that owns a connection.
///
/// Its stack is large because librabbitmq decodes nested header tables recursively: a frame of 128 KiB nests up to
/// 26 000 levels, which take some 2 MiB.
final class ConnectionThread: Sendable {
    static let stackSize = 16 * 1024 * 1024

    private let thread: pthread_t

    /// Starts `body` on a new thread; `nil` when the system has none to give.
    /// - Parameter name: at most 15 bytes.
    init?(name: String, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(&attributes) }
        guard unsafe pthread_attr_setstacksize(&attributes, Self.stackSize) == 0 else { return nil }

        let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
                unsafe camqp_name_thread(work.name)
                work.body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            unsafe work.release()
            return nil
        }
        self.thread = thread
    }

    /// Returns when the thread has ended. Once only.
    func join() {
        pthread_join(thread, nil)
    }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
