import WidgetContract

/// What comes back of a connection that is gone.
extension BatchDecider {
    /// Recognises deliveries of a queue that come back, from now on.
    /// - Parameter remembered: fingerprints of those that were decided and not forgotten, oldest first.
    public mutating func begin(queue: Int, remembered: [Fingerprint]) {
        ledgers.begin(queue: queue, remembered: remembered)
    }

    /// Deliveries come from a new connection from now on: what was decided before may come back, and where the store is
    /// shared, another worker may have taken over.
    public mutating func connectionChanged() {
        ledgers.connectionChanged()
        guard sharing != .none else { return }
        ledgersBefore = nil
        cache.removeAll()
        pushes?.leaveAll()
    }

    /// The connection is gone, and nothing that was decided on it comes back.
    mutating func connectionClosedInOrder() { ledgers.connectionClosedInOrder() }

    /// Forgets deliveries of this connection that the broker can no longer hand out again.
    /// - Parameter returnsHaveCome: for each queue, that nothing of earlier connections is to come back any more.
    mutating func forget(_ deliveries: [DecidedDelivery], returnsHaveCome: [Bool]) {
        ledgers.forget(deliveries, returnsHaveCome: returnsHaveCome)
        ledgersBefore?.forget(deliveries, returnsHaveCome: returnsHaveCome)
    }

    /// Undoes the last batch, which a shared store refused: what it changed is looked up again.
    mutating func takeBack(_ changes: StoreChanges) {
        if let before = ledgersBefore { ledgers = before }
        let pending = changes.pending.map(\.address) + changes.noLongerPending
        for address in changes.widgets.map(\.address) + pending {
            cache.remove(address)
            pushes?.leave(address)
        }
    }
}
