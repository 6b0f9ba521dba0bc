import WidgetJSON

/// Applies `device_sort` to `devices`: stable, the first key that separates two devices wins.
enum DeviceSort {
    private struct Device {
        let level: Double
        /// Lower-cased code points.
        let name: [UInt32]
    }

    private struct Key {
        let isByLevel: Bool
        let isDescending: Bool
    }

    /// The document with its devices in order; `nil` when nothing is to be done. It is legal and of a template that
    /// sorts.
    static func sorted(_ document: Document, content: Int) -> Document? {
        guard let sort = document.member("device_sort", of: content), document[sort].extent > 1,
            let devices = document.member("devices", of: content)
        else { return nil }
        let keys = document.elements(of: sort).map { key in
            Key(
                isByLevel: document.member("field", of: key).map { document.hasString(at: $0, equalTo: "level") }
                    ?? false,
                isDescending: document.member("direction", of: key).map {
                    document.hasString(at: $0, equalTo: "desc")
                } ?? false)
        }
        let elements = document.elements(of: devices).map { element in
            Device(
                level: document.member("level", of: element).flatMap { document.number(at: $0) } ?? 0,
                name: (document.member("name", of: element).flatMap { document.string(at: $0) } ?? "")
                    .lowercased().unicodeScalars.map(\.value))
        }
        let order = elements.indices.sorted { left, right in
            for key in keys {
                let (one, two) =
                    key.isDescending ? (elements[right], elements[left]) : (elements[left], elements[right])
                if key.isByLevel {
                    if one.level != two.level { return one.level < two.level }
                } else if one.name != two.name {
                    return one.name.lexicographicallyPrecedes(two.name)
                }
            }
            return left < right
        }
        return order == Array(elements.indices) ? nil : document.reordered(elementsOf: devices, by: order)
    }
}
