/// Who may ask.
struct Access: Sendable {
    /// Wanted of every request; `nil` on loopback, where none is needed.
    let token: String?
    let address: AdminAddress

    /// The answer to a request that may not be answered.
    /// - Parameter isOpen: what it asks for wants no token.
    func refusal(of request: Request, isOpen: Bool) -> Response? {
        if let token {
            if isOpen { return nil }
            guard let given = request.headers.authorization, given.hasPrefix("Bearer "),
                Self.isEqual(given.dropFirst("Bearer ".count), token)
            else {
                var response = Response.problem(
                    401, "Unauthorized", "wanted \"Authorization: Bearer\" and the worker's token")
                response.headers.append(("WWW-Authenticate", "Bearer"))
                return response
            }
            return nil
        }
        // A page elsewhere whose name resolves to this machine sends its own name.
        guard let host = request.headers.host, Self.namesLoopback(host) else {
            return .problem(403, "Forbidden", "the Host header must name this machine's loopback address")
        }
        if let origin = request.headers.origin,
            !Self.namesLoopback(origin.split(separator: "/").last.map(String.init) ?? "")
        {
            return .problem(403, "Forbidden", "pages from elsewhere may not ask")
        }
        return nil
    }

    private static func namesLoopback(_ host: String) -> Bool {
        let name = AdminAddress(host) ?? AdminAddress(host + ":0")
        return name?.isLoopback ?? false
    }

    /// Takes as long wherever the texts differ.
    private static func isEqual(_ given: Substring, _ wanted: String) -> Bool {
        let (given, wanted) = (Array(given.utf8), Array(wanted.utf8))
        var difference = given.count ^ wanted.count
        for (index, byte) in given.enumerated() { difference |= Int(byte ^ wanted[index % max(1, wanted.count)]) }
        return difference == 0 && !wanted.isEmpty
    }
}
