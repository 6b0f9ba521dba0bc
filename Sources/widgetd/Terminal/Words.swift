/// Counted things in words.
enum Words {
    /// `1 fault`, `2 faults`
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
