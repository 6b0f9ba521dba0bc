import Glibc

/// Waits for what another thread does.
public enum Poll {
    /// Asks again and again, until the condition holds or the time is over.
    /// - Returns: whether it holds.
    public static func until(seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(seconds) {
            if try condition() { return true }
            usleep(200)
        }
        return try condition()
    }
}
