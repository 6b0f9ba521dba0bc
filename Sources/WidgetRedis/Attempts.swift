/// Numbers attempts to commit, so that one whose answer was lost is known again when it is made once more.
struct Attempts {
    private var last: Int64 = 0
    /// Made, and its fate is unknown.
    private var open: CommitCommand?

    /// The number of an attempt: that of the one before, when it is the same and its fate is unknown.
    mutating func number(of command: CommitCommand) -> Int64 {
        if open != command {
            last += 1
            open = command
        }
        return last
    }

    /// The fate of the last one is known.
    mutating func settled() { open = nil }
}
