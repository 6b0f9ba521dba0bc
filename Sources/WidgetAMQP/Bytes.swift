internal import CAMQPShim
internal import Glibc

extension camqp_bytes {
    /// Bytes that outlive whatever they are lent to.
    init(_ text: StaticString) {
        unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    var isAbsent: Bool { unsafe start == nil }

    var buffer: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

    /// A copy; what is no UTF-8 in it is replaced. `nil` when absent.
    var text: String? {
        guard unsafe start != nil else { return nil }
        return unsafe String(decoding: buffer, as: UTF8.self)
    }

    /// A copy; `nil` when absent.
    var array: [UInt8]? {
        guard unsafe start != nil else { return nil }
        return unsafe Array(buffer)
    }

    func equals(_ other: [UInt8]) -> Bool {
        guard unsafe count == other.count, let start = unsafe start else { return false }
        return unsafe other.withUnsafeBytes { other in
            guard let there = other.baseAddress else { return true }
            return unsafe memcmp(start, there, other.count) == 0
        }
    }
}
