/// A request as far as the routes look at it.
struct Request: Sendable {
    let method: String
    /// Without the query; the library has percent-decoded it.
    let path: String
    let query: [String: String]
    let headers: Headers
    let body: [UInt8]

    /// The headers that matter here.
    struct Headers: Sendable {
        var authorization: String?
        var host: String?
        var origin: String?
        var lastEventID: String?
    }

    /// The path's words.
    var words: [String] { path.split(separator: "/").map(String.init) }
}
