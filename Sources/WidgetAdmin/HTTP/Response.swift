import WidgetJSON

/// What a route answers.
struct Response: Sendable {
    enum Content: Sendable {
        case whole([UInt8])
        /// Goes on for as long as the client listens.
        case events(EventStream)
    }

    var status: UInt32 = 200
    var type: String
    var content: Content
    /// Beside those that every answer has.
    var headers: [(name: String, value: String)] = []

    static func json(_ bytes: [UInt8], status: UInt32 = 200) -> Response {
        Response(status: status, type: "application/json", content: .whole(bytes))
    }

    static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: UInt32 = 200) -> Response {
        Response(status: status, type: type, content: .whole(Array(text.utf8)))
    }

    /// What was wanted and found, for people, as RFC 9457 has it.
    static func problem(_ status: UInt32, _ title: String, _ detail: String) -> Response {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("type", &out)
        json.string("about:blank", &out)
        json.name("title", &out)
        json.string(title, &out)
        json.name("status", &out)
        json.integer(Int64(status), &out)
        json.name("detail", &out)
        json.string(detail, &out)
        json.endObject(&out)
        return Response(status: status, type: "application/problem+json", content: .whole(out))
    }

    /// Every answer's: nothing is loaded from elsewhere, framed, guessed, cached or sent on.
    static let standardHeaders: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}
