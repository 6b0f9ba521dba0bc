internal import CAMQPShim

/// Headers or arguments in the shim's form; owns the bytes that they point at.
@safe final class HeaderTable {
    let start: UnsafePointer<camqp_header>?
    let count: Int
    private let headers: UnsafeMutableBufferPointer<camqp_header>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ entries: [(name: String, value: AMQPArgument)]) {
        var flat: [UInt8] = []
        for entry in entries {
            flat.append(contentsOf: entry.name.utf8)
            if case .text(let text) = entry.value { flat.append(contentsOf: text.utf8) }
        }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: flat.count)
        _ = unsafe bytes.initialize(fromContentsOf: flat)
        let headers = UnsafeMutableBufferPointer<camqp_header>.allocate(capacity: entries.count)
        var place = 0
        func take(_ text: String) -> camqp_bytes {
            defer { place += text.utf8.count }
            // An empty text needs a place that is not NULL; it is never read.
            let start = unsafe bytes.baseAddress.map { unsafe UnsafePointer($0 + place) }
            return unsafe camqp_bytes(start: start, count: text.utf8.count)
        }
        for (index, entry) in entries.enumerated() {
            var header = unsafe camqp_header()
            unsafe header.name = take(entry.name)
            switch entry.value {
            case .text(let text):
                unsafe header.kind = CAMQP_KIND_STRING
                unsafe header.bytes = take(text)
            case .integer(let integer):
                unsafe header.kind = CAMQP_KIND_INTEGER
                unsafe header.integer = integer
            case .boolean(let boolean):
                unsafe header.kind = CAMQP_KIND_BOOLEAN
                unsafe header.integer = boolean ? 1 : 0
            }
            unsafe headers.initializeElement(at: index, to: header)
        }
        unsafe self.bytes = unsafe bytes
        unsafe self.headers = unsafe headers
        unsafe start = unsafe UnsafePointer(headers.baseAddress)
        count = entries.count
    }

    deinit {
        unsafe headers.deallocate()
        unsafe bytes.deallocate()
    }
}
