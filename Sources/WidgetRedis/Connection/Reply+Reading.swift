/// What a reply must be; anything else is damage.
extension Reply {
    func integer() throws(RedisFault) -> Int64 {
        guard case .integer(let number) = self else { throw unexpected("a number") }
        return number
    }

    func bytes() throws(RedisFault) -> [UInt8] {
        guard case .bytes(let bytes) = self else { throw unexpected("bytes") }
        return bytes
    }

    func optionalBytes() throws(RedisFault) -> [UInt8]? {
        if case .nothing = self { return nil }
        return try bytes()
    }

    /// - Parameter count: how many elements there must be; `nil` for any number.
    func list(_ count: Int? = nil) throws(RedisFault) -> [Reply] {
        guard case .list(let elements) = self, count == nil || elements.count == count else {
            throw unexpected("a list of \(count.map { String($0) } ?? "some")")
        }
        return elements
    }

    func integers() throws(RedisFault) -> [Int64] {
        var numbers: [Int64] = []
        for element in try list() { numbers.append(try element.integer()) }
        return numbers
    }

    private func unexpected(_ wanted: String) -> RedisFault {
        RedisFault(.damaged, "answers something else than \(wanted): is it Redis, and were keys changed by hand?")
    }
}
