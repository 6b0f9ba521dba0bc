internal import CYardstick
import WidgetWorker

/// The same job in C++ (`CYardstick`), on the same messages.
@safe final class Peer {
    private let peer: OpaquePointer

    init() {
        unsafe peer = yardstick_new()
    }

    deinit {
        unsafe yardstick_free(peer)
    }

    /// Bodies one behind the other, each with the padding that simdjson reads over.
    struct Bodies {
        private var bytes: [UInt8] = []
        private var ranges: [Range<Int>] = []

        init(_ messages: [Delivery]) {
            for body in messages.lazy.map(\.message.body) {
                ranges.append(bytes.count..<bytes.count + body.count)
                bytes += body
                bytes += repeatElement(0, count: Int(YARDSTICK_PADDING))
            }
        }

        /// Lends each body with its length.
        fileprivate func visit(_ visit: (UnsafePointer<UInt8>, Int) -> Void) {
            unsafe bytes.withUnsafeBufferPointer { bytes in
                for range in ranges { unsafe visit(bytes.baseAddress! + range.lowerBound, range.count) }
            }
        }
    }

    /// - Returns: bytes of outcomes.
    func decide(_ bodies: Bodies) -> Int {
        var count = 0
        unsafe bodies.visit { unsafe count += Int(yardstick_decide(peer, $0, $1)) }
        return count
    }
}
