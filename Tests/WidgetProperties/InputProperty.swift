/// What must hold of any bytes that one part of widgetd is given. Fuzzing looks for bytes of which it does not hold;
/// tests hold it against the bytes that are known.
public protocol InputProperty {
    /// One instance is asked about many inputs, as the part keeps its memory from one input to the next.
    init()

    /// - Throws: `BrokenProperty` when something does not hold of these bytes.
    mutating func check(_ input: [UInt8]) throws

    /// Inputs that reach the part's different ways, for fuzzing to start from.
    static var seeds: [[UInt8]] { get }

    /// Inputs of which it once did not hold.
    static var findings: [[UInt8]] { get }

    /// Pieces that random changes would hardly make.
    static var words: [String] { get }
}

extension InputProperty {
    public static var words: [String] { [] }

    /// Seeds, then findings.
    public static var inputs: [[UInt8]] { seeds + findings }
}

/// A property that does not hold, and what was found in its place.
public struct BrokenProperty: Error, CustomStringConvertible {
    public let description: String
}

/// - Parameter found: shown when it does not hold.
func hold(_ condition: Bool, _ property: String, _ found: @autoclosure () -> String = "") throws {
    guard !condition else { return }
    let found = found()
    throw BrokenProperty(description: found.isEmpty ? property : "\(property): \(found)")
}

/// Bytes as a person can read them.
func shown(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self).debugDescription }

func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
