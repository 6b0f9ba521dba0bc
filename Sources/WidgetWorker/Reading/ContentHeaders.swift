import WidgetContract

/// The properties `content_type` and `content_encoding` and the type of a message, read as PROTOCOL lists them.
enum ContentHeaders {
    /// How the body's bytes are packed.
    enum Encoding {
        case identity, gzip
    }

    /// Absent, `application/json`, or any type with `+json`; parameters and case are ignored.
    static func fault(contentType: String?) -> Rejection? {
        guard let contentType, !contentType.isEmpty, contentType != "application/json" else { return nil }
        let isGap: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let named = contentType.utf8.prefix { $0 != 0x3B }.drop(while: isGap)
        let type = String(decoding: named.reversed().drop(while: isGap).reversed(), as: UTF8.self).lowercased()
        if type == "application/json" || type.hasSuffix("+json") && type.contains("/") { return nil }
        return Rejection(
            .contentTypeUnsupported,
            "content_type must be application/json or end in +json, and is \"\(AddressReading.shortened(contentType))\""
        )
    }

    /// `nil` for an encoding that is not known.
    static func encoding(_ contentEncoding: String?) -> Encoding? {
        guard let contentEncoding, !contentEncoding.isEmpty else { return .identity }
        switch contentEncoding.lowercased() {
        case "identity": return .identity
        case "gzip": return .gzip
        default: return nil
        }
    }

    /// A patch when the property is absent or empty; `nil` for a type that is not known.
    static func kind(_ type: String?) -> CommandKind? {
        guard let type, !type.isEmpty else { return .patch }
        return CommandKind(rawValue: type)
    }
}
