import WidgetContract
import WidgetWorker

/// The newest logged state of each widget that has one, by address.
struct NewestStates {
    /// In no order. A state keeps its place until one is removed.
    private(set) var states: [StoredWidget] = []
    /// The commit that logged it.
    private(set) var numbers: [Int64] = []
    /// Its row's number in `widgets`.
    private(set) var rows: [Int64] = []
    private var table = SlotTable()

    func place(of address: WidgetAddress) -> Int? {
        table.slot(of: address.digest) { states[$0].address == address }
    }

    /// Replaces a state.
    mutating func replace(at place: Int, with state: StoredWidget, number: Int64) {
        states[place] = state
        numbers[place] = number
    }

    /// Adds the first state of a widget.
    mutating func add(_ state: StoredWidget, number: Int64, row: Int64) {
        table.insert(states.count, state.address.digest)
        states.append(state)
        numbers.append(number)
        rows.append(row)
    }

    /// Removes a state; the last one takes its place.
    mutating func remove(at place: Int) {
        table.remove(place, states[place].address.digest)
        let (state, number, row) = (states.removeLast(), numbers.removeLast(), rows.removeLast())
        guard place < states.count else { return }
        table.move(states.count, to: place, state.address.digest)
        (states[place], numbers[place], rows[place]) = (state, number, row)
    }
}
