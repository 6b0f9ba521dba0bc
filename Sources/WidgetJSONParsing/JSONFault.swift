internal import CSimdJSONShim

/// Why bytes are no JSON document, and where.
public struct JSONFault: Error, Equatable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case empty = "nothing is there"
        case tooLong = "the text is longer than 1048575 bytes"
        case notUTF8 = "the text is not UTF-8"
        case byteOrderMark = "the text begins with a byte-order mark"
        case unclosedString = "a string does not end"
        case controlCharacter = "a control character stands unescaped in a string"
        case badEscape = "an escape is none of RFC 8259"
        case loneSurrogate = "an escape is half a surrogate pair"
        case badNumber = "a number is not written as RFC 8259 wants it"
        case badToken = "a value or the punctuation that belongs here is missing"
        case unclosed = "an array or object does not end"
        case trailing = "something follows the value"
        case tooDeep = "arrays and objects are nested too deep"
        case duplicateName = "a member name stands twice in one object"
        case noMemory = "no memory was left"
    }

    public let reason: Reason
    /// Bytes from the start of the text; 0 where the whole text is meant.
    public let offset: Int

    public var description: String { offset == 0 ? reason.rawValue : "\(reason.rawValue) (byte \(offset))" }
}

extension JSONFault.Reason {
    init?(_ status: simdjson_shim_status) {
        switch status {
        case SIMDJSON_SHIM_OK: return nil
        case SIMDJSON_SHIM_EMPTY: self = .empty
        case SIMDJSON_SHIM_TOO_LONG: self = .tooLong
        case SIMDJSON_SHIM_NOT_UTF8: self = .notUTF8
        case SIMDJSON_SHIM_BYTE_ORDER_MARK: self = .byteOrderMark
        case SIMDJSON_SHIM_UNCLOSED_STRING: self = .unclosedString
        case SIMDJSON_SHIM_CONTROL_CHARACTER: self = .controlCharacter
        case SIMDJSON_SHIM_BAD_ESCAPE: self = .badEscape
        case SIMDJSON_SHIM_LONE_SURROGATE: self = .loneSurrogate
        case SIMDJSON_SHIM_BAD_NUMBER: self = .badNumber
        case SIMDJSON_SHIM_UNCLOSED: self = .unclosed
        case SIMDJSON_SHIM_TRAILING: self = .trailing
        case SIMDJSON_SHIM_TOO_DEEP: self = .tooDeep
        case SIMDJSON_SHIM_DUPLICATE_NAME: self = .duplicateName
        case SIMDJSON_SHIM_NO_MEMORY: self = .noMemory
        default: self = .badToken
        }
    }
}
