import Glibc

/// The words of the command line as every user of the machine sees them (`ps`, /proc/<pid>/cmdline).
enum ProcessTitle {
    /// Overwrites the passwords of addresses with asterisks, in place: their memory is what the system shows.
    static func hidePasswords() {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: word, count: strlen(word))
            for place in passwords(in: unsafe Array(bytes)) { unsafe bytes[place] = UInt8(ascii: "*") }
        }
    }

    /// Where the passwords of `scheme://user:password@host` stand, also of several with commas between them.
    static func passwords(in word: [UInt8]) -> [Int] {
        var places: [Int] = []
        let starts = word.indices.filter { word[$0...].starts(with: "://".utf8) }.map { $0 + 3 }
        for (index, start) in starts.enumerated() {
            let address = word[start..<(index + 1 < starts.count ? starts[index + 1] : word.count)]
            // A password that is not percent-encoded as it should be may hold an at sign or a slash, too.
            guard let end = address.lastIndex(of: UInt8(ascii: "@")),
                let colon = address[..<end].firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            places += colon + 1..<end
        }
        return places
    }
}
