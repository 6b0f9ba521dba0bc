internal import CAMQPShim
internal import WidgetURL

/// Owns a connection with its channels; confined to the thread that made it. Every result of the shim becomes an
/// `AMQPError` here.
@safe final class Connection {
    private let pointer: OpaquePointer
    private let address: AMQPAddress

    /// Connects, logs in and opens a channel.
    init(to address: AMQPAddress, _ settings: ConnectionSettings) throws(AMQPError) {
        guard let pointer = unsafe camqp_create() else {
            throw AMQPError("connect \(address.endpoint): no memory", next: .reconnect)
        }
        unsafe self.pointer = unsafe pointer
        self.address = address
        set(CAMQP_TEXT_HOST, address.host)
        set(CAMQP_TEXT_USER, address.user)
        set(CAMQP_TEXT_PASSWORD, address.password)
        set(CAMQP_TEXT_VIRTUAL_HOST, address.virtualHost)
        set(CAMQP_TEXT_CONNECTION_NAME, address.connectionName ?? settings.name)
        set(CAMQP_TEXT_PRODUCT, settings.product)
        set(CAMQP_TEXT_VERSION, settings.version)
        if let file = address.security?.authoritiesFile { set(CAMQP_TEXT_CA_FILE, file) }
        if let file = address.security?.certificateFile { set(CAMQP_TEXT_CERTIFICATE_FILE, file) }
        if let file = address.security?.keyFile { set(CAMQP_TEXT_KEY_FILE, file) }
        if let name = address.security?.verifyName { set(CAMQP_TEXT_VERIFY_NAME, name) }
        set(CAMQP_NUMBER_PORT, address.port)
        set(CAMQP_NUMBER_TLS, address.security == nil ? 0 : 1)
        set(CAMQP_NUMBER_EXTERNAL, address.mechanism == .external ? 1 : 0)
        set(CAMQP_NUMBER_HEARTBEAT, address.heartbeat)
        set(CAMQP_NUMBER_CONNECT_TIMEOUT, address.connectTimeout * 1000)
        set(CAMQP_NUMBER_CALL_TIMEOUT, settings.callTimeout)
        set(CAMQP_NUMBER_MAXIMUM_BODY, settings.maximumBody)
        let status = unsafe camqp_connect(pointer)
        guard status == CAMQP_OK else {
            throw error(about: "\(address.endpoint) as \(address.identity), virtual host \"\(address.virtualHost)\"")
        }
    }

    deinit {
        unsafe camqp_destroy(pointer)
    }

    private func set(_ which: camqp_text, _ text: String) {
        // No memory for a copy: the connection then fails for want of what is missing.
        _ = unsafe camqp_set_text(pointer, which, text)
    }

    private func set(_ which: camqp_number, _ number: Int) {
        unsafe camqp_set_number(pointer, which, UInt64(clamping: number))
    }

    /// The last fault as an error.
    /// - Parameter subject: what it happened to.
    func error(about subject: String) -> AMQPError {
        unsafe AMQPError(camqp_last_error(pointer), subject: subject, usesTLS: address.security != nil)
    }

    /// Runs a call of the shim; throws when it did not work.
    func call(
        about subject: @autoclosure () -> String, _ body: (OpaquePointer) -> camqp_status
    ) throws(AMQPError) {
        guard unsafe body(pointer) == CAMQP_OK else { throw error(about: subject()) }
    }

    /// The next arrival; valid until the next call.
    func nextEvent() -> UnsafePointer<camqp_event> {
        unsafe camqp_next_event(pointer)
    }

    /// What an event says that the connection, or a channel of it, is lost.
    func loss() -> AMQPError {
        error(about: "from \(address.endpoint)")
    }

    /// Waits for input, for `wake`, or until waiting output could be sent; sends it, and heartbeats.
    /// - Parameter milliseconds: `nil` for ever.
    func wait(wake: WakeUp?, milliseconds: Int?) {
        _ = unsafe camqp_wait(pointer, wake?.descriptor ?? -1, milliseconds.map { Int32(clamping: $0) } ?? -1)
    }

    /// Waits for `wake` alone, then looks at what has come meanwhile.
    func pause(wake: WakeUp, milliseconds: Int) {
        wake.wait(milliseconds: milliseconds)
        wait(wake: nil, milliseconds: 0)
    }

    /// Sends what waits without blocking. A fault shows up as the next event.
    func flush() {
        _ = unsafe camqp_flush(pointer)
    }

    /// Hands a publication to the shim as it is.
    func publish(
        _ publication: UnsafePointer<camqp_publication>, channel: Int = 0, number: inout UInt64
    ) -> camqp_status {
        unsafe camqp_publish(pointer, UInt32(channel), publication, &number)
    }

    func acknowledge(_ tag: UInt64, multiple: Bool) throws(AMQPError) {
        try unsafe call(about: "delivery") { unsafe camqp_acknowledge($0, tag, multiple) }
    }

    func reject(_ tag: UInt64, requeue: Bool) throws(AMQPError) {
        try unsafe call(about: "delivery") { unsafe camqp_reject($0, tag, false, requeue) }
    }

    var certificateEnds: CertificateEnds {
        let ends = unsafe camqp_certificates(pointer)
        return CertificateEnds(
            broker: ends.chain == .max ? nil : ends.chain, client: ends.own == .max ? nil : ends.own)
    }

    var hasChannel: Bool { unsafe camqp_has_channel(pointer) }

    func reopenChannel() throws(AMQPError) {
        try unsafe call(about: address.endpoint) { unsafe camqp_reopen_channel($0) }
    }

    /// Says goodbye to the broker.
    /// - Returns: whether it has answered, and so has seen all that was sent before.
    @discardableResult
    func close(withinMilliseconds milliseconds: Int) -> Bool {
        let wasUsable = hasChannel
        let status = unsafe camqp_close(pointer, Int32(clamping: milliseconds))
        return wasUsable && status == CAMQP_OK
    }
}
