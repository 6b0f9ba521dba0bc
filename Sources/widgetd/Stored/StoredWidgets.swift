import WidgetContract
import WidgetJSONParsing
import WidgetWorker

/// The widgets of a store, read beside its worker, or asked of the worker.
struct StoredWidgets {
    private let store: any WidgetReader
    /// For messages.
    let place: String
    private let parser = DocumentReader()

    /// Widgets that are read at once.
    private static let page = 500

    /// `--admin` counts where it is said nearer to the call than `--store`.
    /// - Throws: `ProgramError` when what `--store` names cannot be read.
    init(_ values: OptionValues) throws {
        if values.isNearer("admin", than: "store"), let worker = try WorkerQuestions(values) {
            store = AdminReader(worker)
            place = "at the worker \(worker.place)"
            return
        }
        place = "in the store"
        guard let openReader = try StoreAddress(values).openReader else {
            preconditionFailure("--store is checked by its option's rule")
        }
        store = try Self.reporting(openReader)
    }

    /// A widget, and the fan-out that waits for the end of its throttle window.
    struct Entry {
        let widget: Widget
        let pending: WidgetSnapshot.Pending?

        /// The body of a fan-out of what is there now; what changed is what the pending one gathers.
        func writeJSON(to out: inout [UInt8]) {
            AcceptedText.write(widget, changed: pending?.changed ?? [], to: &out)
        }
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    func widget(at address: WidgetAddress) throws -> Entry? {
        try Self.reporting { try store.widget(at: address).map(entry) }
    }

    private func entry(_ snapshot: WidgetSnapshot) throws -> Entry {
        Entry(widget: try Widget(snapshot.widget, reader: parser), pending: snapshot.pending)
    }

    /// Visits all that pass the filter, in the order of account and slug.
    func visit(_ filter: WidgetFilter, _ visit: (Entry) throws -> Void) throws {
        // Every slug comes behind an empty one.
        var last = filter.account.map { WidgetAddress(account: $0, slug: "") }
        while true {
            let page = try Self.reporting { try store.widgets(after: last, limit: Self.page) }
            for snapshot in page {
                if let account = filter.account, snapshot.widget.address.account != account { return }
                let entry = try Self.reporting { try self.entry(snapshot) }
                if filter.accepts(entry) { try visit(entry) }
            }
            guard page.count == Self.page else { return }
            last = page.last?.widget.address
        }
    }

    private static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw ProgramError.unavailable(error.description)
        }
    }
}
