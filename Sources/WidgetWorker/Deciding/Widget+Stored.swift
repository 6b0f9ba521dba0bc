public import WidgetContract
import WidgetJSON
public import WidgetJSONParsing

extension Widget {
    /// From what a store keeps.
    /// - Throws: `StoreError` when the stored document is none.
    public init(_ stored: StoredWidget, reader: DocumentReader) throws {
        var document: Document?
        if let text = stored.document {
            do {
                document = try reader.read(text)
            } catch {
                throw StoreError(
                    "the stored document of \(stored.address.account)/\(stored.address.slug) is not JSON: \(error)",
                    isTransient: false)
            }
        }
        self.init(
            address: stored.address, revision: stored.revision, sequence: stored.sequence, createdAt: stored.createdAt,
            updatedAt: stored.updatedAt, document: document)
    }

    /// As stores keep it.
    func stored(pushedAt: Int64?) -> StoredWidget {
        StoredWidget(
            address: address, revision: revision, sequence: sequence, createdAt: createdAt, updatedAt: updatedAt,
            document: document?.text, pushedAt: pushedAt)
    }
}
