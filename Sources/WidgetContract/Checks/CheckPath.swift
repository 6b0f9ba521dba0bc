/// The way from a document's root to the value that is looked at.
///
/// A step is a word in memory that is there beforehand: every value of every message is stepped into. No document that
/// was read is deeper, and the rules end long before.
struct CheckPath {
    enum Step {
        /// A member, by its name's position in the document.
        case member(name: Int)
        case element(Int)
    }

    /// Names as they are, elements with all bits turned, so that they are negative.
    private var words = InlineArray<64, Int>(repeating: 0)
    private var count = 0

    var steps: [Step] { (0..<count).map { words[$0] < 0 ? .element(~words[$0]) : .member(name: words[$0]) } }

    mutating func clear() {
        count = 0
    }

    mutating func enter(member name: Int) { push(name) }

    mutating func enter(element index: Int) { push(~index) }

    mutating func leave() {
        count -= 1
    }

    private mutating func push(_ word: Int) {
        words[count] = word
        count += 1
    }
}
