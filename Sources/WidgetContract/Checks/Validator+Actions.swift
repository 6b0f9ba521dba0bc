import WidgetJSON

/// Actions: their URLs and headers.
extension Validator {
    mutating func checkURL(_ document: DocumentView, _ position: Int, longest: Int) {
        if let count = TextCheck.codePoints(of: document, position, ifOver: longest) {
            report(document, position, .maxLength, "\(count) characters, at most \(longest)", showsValue: false)
        }
        if TextCheck.isBlank(document, position) {
            return report(document, position, .notBlank, "must not be empty")
        }
        for (rule, message) in URLCheck.faults(document.string(at: position) ?? "") {
            report(document, position, rule, message + got(document, position))
        }
    }

    /// Values of headers are secrets: they never appear in a violation.
    mutating func checkHeaders(_ document: DocumentView, _ position: Int, mostBytes: Int) {
        var total = 0
        let end = document.end(of: position)
        var name = position + 1
        while name < end {
            let value = name + 1
            path.enter(member: name)
            let nameBytes = TextCheck.bytes(of: document, name)
            total += nameBytes.count
            if !HeaderCheck.isToken(nameBytes) {
                report(document, value, .header, "the name must be an HTTP token (RFC 9110)", showsValue: false)
            }
            if document[value].kind != .string {
                let found = document[value].kind.inWords
                report(document, value, .type, "must be a string, not \(found)", showsValue: false)
            } else {
                let bytes = TextCheck.bytes(of: document, value)
                total += bytes.count
                if !HeaderCheck.isValue(bytes) {
                    report(document, value, .header, "must hold no CR, LF or NUL", showsValue: false)
                }
            }
            path.leave()
            name = document.end(of: value)
        }
        if total > mostBytes {
            report(document, position, .maxBytes, "\(total) bytes of names and values, at most \(mostBytes)")
        }
    }

    mutating func checkAction(_ document: DocumentView, _ position: Int) {
        guard let url = document.member("url", of: position), let text = document.string(at: url),
            let scheme = URLCheck.scheme(of: text), !ValueRule.requestSchemes.contains(scheme)
        else { return }
        for member in Contract.object(.action).members where member.isForRequests {
            guard let value = document.member(named: member.name, of: position) else { continue }
            // An empty word stands for none.
            if case .word = member.rule, document[value].kind == .string, document[value].length == 0 { continue }
            report(
                document, value, .httpOnly, "is for http and https URLs only, and this one is \(scheme)",
                in: member.name, showsValue: false)
        }
    }
}
