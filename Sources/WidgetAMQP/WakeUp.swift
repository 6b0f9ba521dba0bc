internal import CAMQPShim
internal import Glibc

/// Wakes a thread that waits on its socket: an eventfd(2), of which any number of signals is one.
final class WakeUp: Sendable {
    /// -1 when the system had none to give: then waits end by their time alone.
    let descriptor: Int32

    init() {
        descriptor = camqp_make_wake()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for a signal, at most `milliseconds`, and takes it.
    func wait(milliseconds: Int) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, Int32(clamping: milliseconds)) > 0 else { return }
        var times: UInt64 = 0
        _ = unsafe read(descriptor, &times, MemoryLayout<UInt64>.size)
    }
}
