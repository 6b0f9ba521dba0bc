public import WidgetContract
import WidgetJSONParsing

extension OutcomeBatch {
    /// Adds a fan-out again, byte for byte as it was written when its state was decided.
    /// - Parameters:
    ///   - state: the widget's, of the fan-out's revision.
    ///   - changed: `RepeatableFanOut.changed`.
    ///   - coalesced: `RepeatableFanOut.coalesced`; the others are the outcome's texts.
    ///   - place: the state's in `StoreChanges.widgets`, where it is stored once more.
    /// - Throws: `StoreError` when the state is no widget's.
    public mutating func appendFanOut(
        of state: StoredWidget, changed: ChangedMembers, coalesced: Int, minAppVersion: String?, traceparent: String?,
        tracestate: String?, storedAt place: Int? = nil
    ) throws {
        let widget = try Widget(state, reader: DocumentReader())
        guard
            let fanOut = FanOut(
                of: widget, changed: changed, minAppVersion: minAppVersion, coalesced: coalesced,
                traceparent: traceparent, tracestate: tracestate)
        else {
            throw StoreError(
                "the stored document of \(state.address.account)/\(state.address.slug) has no template",
                isTransient: false)
        }
        fanOut.write(widget, storedAt: place, to: &self)
    }
}
