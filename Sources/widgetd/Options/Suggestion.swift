/// The word that somebody may have meant.
enum Suggestion {
    /// The known word nearest to a mistyped one; `nil` when none is near enough to have been meant.
    static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let nearest = known.map { (word: $0, distance: distance($0, word)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, word.utf8.count / 2) else { return nil }
        return nearest.word
    }

    /// `; did you mean …?`, or nothing.
    static func question(_ word: String, in known: some Sequence<String>, prefix: String = "") -> String {
        nearest(to: word, in: known).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    /// Levenshtein's.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (index, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in right.indices {
                let replaced = diagonal + (byte == right[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
