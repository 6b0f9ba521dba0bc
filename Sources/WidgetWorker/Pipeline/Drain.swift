/// The end of a worker as a story: asked for, the source stopped, everything in hand finished or the deadline over.
struct Drain {
    private(set) var isUnderWay = false
    private(set) var isSourceStopped = false
    private(set) var isOver = false
    /// Monotonic milliseconds.
    private(set) var deadline = Int.max

    mutating func begin(deadline: Int) {
        isUnderWay = true
        self.deadline = deadline
    }

    mutating func sourceStopped() {
        if isUnderWay { isSourceStopped = true }
    }

    mutating func finish() {
        isOver = true
    }
}
