import WidgetContract
import WidgetJSONParsing
import WidgetSQLite
import WidgetWorker

/// The widgets of a store, read beside its worker.
struct StoredWidgets {
    private let store: SQLiteReader
    private let parser = DocumentReader()

    /// Widgets that are read at once.
    private static let page = 500

    /// - Throws: `ProgramError` when the file that `--store` names cannot be read.
    init(_ values: OptionValues) throws {
        guard case .sqlite(let path) = try StoreAddress(values) else {
            preconditionFailure("--store is checked by its option's rule")
        }
        store = try Self.reporting { try SQLiteReader(path: path) }
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    func widget(at address: WidgetAddress) throws -> Widget? {
        try Self.reporting { try store.widget(at: address).map { try Widget($0, reader: parser) } }
    }

    /// Visits all that pass the filter, in the order of account and slug.
    func visit(_ filter: WidgetFilter, _ visit: (Widget) throws -> Void) throws {
        // Every slug comes behind an empty one.
        var last = filter.account.map { WidgetAddress(account: $0, slug: "") }
        while true {
            let page = try Self.reporting { try store.widgets(after: last, limit: Self.page) }
            for stored in page {
                if let account = filter.account, stored.address.account != account { return }
                let widget = try Self.reporting { try Widget(stored, reader: parser) }
                if filter.accepts(widget) { try visit(widget) }
            }
            guard page.count == Self.page else { return }
            last = page.last?.address
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
