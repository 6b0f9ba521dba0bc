internal import CAMQPShim
internal import WidgetWorker

/// Puts outcomes into the form that the shim publishes: exchange, properties and headers by PROTOCOL sections 2 and 3.
/// One publication and its headers serve for all; made once, freed in the end.
@safe final class OutcomePublication {
    private static let headerLimit = 9
    private static let longestShortText = 255

    private let publication: UnsafeMutablePointer<camqp_publication>
    private let headers: UnsafeMutablePointer<camqp_header>
    private let acceptedExchange: UnsafeMutableBufferPointer<UInt8>
    private let rejectedExchange: UnsafeMutableBufferPointer<UInt8>

    init(_ topology: Topology) {
        unsafe publication = .allocate(capacity: 1)
        unsafe publication.initialize(to: camqp_publication())
        unsafe headers = .allocate(capacity: Self.headerLimit)
        unsafe headers.initialize(repeating: camqp_header(), count: Self.headerLimit)
        unsafe acceptedExchange = Self.copy(topology.acceptedExchange)
        unsafe rejectedExchange = Self.copy(topology.rejectedExchange)
        unsafe publication.pointee.properties.delivery_mode = 2
        unsafe publication.pointee.properties.headers = unsafe UnsafePointer(headers)
    }

    deinit {
        unsafe publication.deallocate()
        unsafe headers.deallocate()
        unsafe acceptedExchange.deallocate()
        unsafe rejectedExchange.deallocate()
    }

    private static func copy(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = unsafe bytes.initialize(fromContentsOf: text.utf8)
        return unsafe bytes
    }

    /// The outcome's publication; valid as long as the outcome's bytes and until the next call.
    func fill(_ outcome: borrowing OutcomeFields) -> UnsafePointer<camqp_publication> {
        switch outcome.destination {
        case .accepted:
            unsafe publication.pointee.exchange = Self.bytes(acceptedExchange)
            unsafe publication.pointee.properties.content_type = camqp_bytes("application/json")
        case .rejected:
            unsafe publication.pointee.exchange = Self.bytes(rejectedExchange)
            unsafe publication.pointee.properties.content_type = camqp_bytes("application/problem+json")
        case .reply:
            unsafe publication.pointee.exchange = camqp_bytes("")
            unsafe publication.pointee.properties.content_type = camqp_bytes("application/json")
        }
        unsafe publication.pointee.routing_key = outcome.routingKey
        unsafe publication.pointee.properties.type = outcome.type
        // "rejected:" or "receipt:" before an inbound id of up to 255 octets can be too long for the property: its
        // beginning stays, the body has it whole.
        unsafe publication.pointee.properties.message_id = Self.cut(outcome.messageID)
        unsafe publication.pointee.properties.correlation_id = Self.cut(outcome.correlationID)
        unsafe publication.pointee.properties.has_timestamp = outcome.timestamp != nil
        unsafe publication.pointee.properties.timestamp = UInt64(clamping: outcome.timestamp ?? 0)
        unsafe publication.pointee.body = outcome.body
        fillHeaders(outcome)
        return unsafe UnsafePointer(publication)
    }

    /// Without the trace headers, for when all of them do not fit a frame.
    func dropTrace() -> UnsafePointer<camqp_publication> {
        let count = unsafe publication.pointee.properties.header_count
        for index in 0..<count {
            let name = unsafe headers[index].name.text
            if name == "traceparent" || name == "tracestate" {
                unsafe publication.pointee.properties.header_count = index
                break
            }
        }
        return unsafe UnsafePointer(publication)
    }

    private func fillHeaders(_ outcome: borrowing OutcomeFields) {
        unsafe publication.pointee.properties.header_count = 0
        if outcome.destination != .reply {
            unsafe add("account", outcome.account)
            unsafe add("slug", outcome.slug)
        }
        unsafe add("template", outcome.template)
        if let revision = outcome.revision { add("revision", revision) }
        if outcome.coalesced > 0 { add("coalesced", Int64(outcome.coalesced)) }
        unsafe add("code", outcome.code)
        unsafe add("min_app_version", outcome.minAppVersion)
        unsafe add("traceparent", outcome.traceparent)
        unsafe add("tracestate", outcome.tracestate)
    }

    private func add(_ name: StaticString, _ value: Int64) {
        let header = unsafe headers + nextHeader(name)
        unsafe header.pointee.kind = CAMQP_KIND_INTEGER
        unsafe header.pointee.integer = value
    }

    private func add(_ name: StaticString, _ value: camqp_bytes) {
        guard unsafe !value.isAbsent else { return }
        let header = unsafe headers + nextHeader(name)
        unsafe header.pointee.kind = CAMQP_KIND_STRING
        unsafe header.pointee.bytes = unsafe value
    }

    private func nextHeader(_ name: StaticString) -> Int {
        let index = unsafe publication.pointee.properties.header_count
        unsafe publication.pointee.properties.header_count = index + 1
        unsafe headers[index].name = camqp_bytes(name)
        return index
    }

    private static func bytes(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> camqp_bytes {
        unsafe camqp_bytes(start: UnsafePointer(buffer.baseAddress), count: buffer.count)
    }

    static func cut(_ text: camqp_bytes) -> camqp_bytes {
        unsafe camqp_bytes(start: text.start, count: min(text.count, longestShortText))
    }
}
