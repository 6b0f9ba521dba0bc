import WidgetJSON

/// The worker's word on an update (PROTOCOL section 3).
struct Receipt {
    let document: Document

    var isAccepted: Bool { text("outcome") == "accepted" }
    var isDuplicate: Bool { document.member("duplicate").map { document[$0].kind == .true } ?? false }
    var revision: Int64? { document.integer("revision") }
    /// `nil` for a deletion.
    var changed: [JSONPointer]? {
        document.member("changed").map { list in
            document.elements(of: list).compactMap { document.string(at: $0).flatMap { JSONPointer($0) } }
        }
    }
    var code: String { text("code") }
    var detail: String { text("detail") }

    /// One of the rules that a rejected update breaks.
    struct Violation {
        let location: JSONPointer
        let isUnknownField: Bool
        let message: String
        /// It comes from what was stored before.
        let isStored: Bool
    }

    var violations: [Violation] {
        guard let errors = document.member("errors") else { return [] }
        return document.elements(of: errors).map { error in
            func text(_ name: String) -> String {
                document.member(name, of: error).flatMap { document.string(at: $0) } ?? ""
            }
            return Violation(
                location: JSONPointer(text("location")) ?? .root, isUnknownField: text("rule") == "unknown_field",
                message: text("message"),
                isStored: document.member("stored", of: error).map { document[$0].kind == .true } ?? false)
        }
    }

    private func text(_ name: String) -> String { document.text(name) ?? "" }
}

extension Document {
    /// A string that is a member of an object, of the whole where none is named.
    func text(_ name: String, of position: Int = 0) -> String? {
        member(name, of: position).flatMap { string(at: $0) }
    }

    /// A whole number that is a member of an object, of the whole where none is named.
    func integer(_ name: String, of position: Int = 0) -> Int64? {
        member(name, of: position).flatMap { Int64(String(decoding: textOfValue(at: $0), as: UTF8.self)) }
    }
}
