import WidgetJSON

/// Finds a name among the names of a rule table: a hash without collisions.
///
/// Its tables are as old as the process and stay as long, so plain memory holds them: nobody counts references to them,
/// and nothing changes them, so any thread may read.
@safe struct NameIndex: @unchecked Sendable {
    private let keys: UnsafePointer<NameKey>
    /// By hash: the position in `keys`; -1 for none.
    private let positions: UnsafePointer<Int8>
    private let multiplier: UInt64
    private let ignoresCase: Bool

    private static let hashes = 256

    /// - Precondition: at most 64 names, all different and of at most `NameKey.longest` bytes; where case is ignored,
    ///   of ASCII letters alone.
    init(_ names: [String], ignoringCase: Bool = false) {
        ignoresCase = ignoringCase
        let keys = names.map { name in
            guard let key = unsafe Array(name.utf8).withUnsafeBytes({ unsafe NameKey($0) }) else {
                preconditionFailure("\(name) is longer than \(NameKey.longest) bytes")
            }
            return ignoringCase ? key.ignoringCase : key
        }
        let (multiplier, positions) = Self.withoutCollisions(keys)
        self.multiplier = multiplier
        unsafe self.keys = KeptMemory.copy(of: keys)
        unsafe self.positions = KeptMemory.copy(of: positions)
    }

    private static func withoutCollisions(_ keys: [NameKey]) -> (multiplier: UInt64, positions: [Int8]) {
        var multiplier: UInt64 = 1
        for _ in 0..<100_000 {
            multiplier = multiplier &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 | 1
            var positions = [Int8](repeating: -1, count: hashes)
            let isFree = keys.indices.allSatisfy { position in
                let hash = keys[position].hash(multiplier)
                defer { positions[hash] = Int8(position) }
                return positions[hash] < 0
            }
            if isFree { return (multiplier, positions) }
        }
        preconditionFailure("no multiplier separates the names")
    }

    /// The position of a name or string of a document; `nil` when it is none of the names.
    @inline(__always) func position(of node: Node, in document: DocumentView) -> Int? {
        guard var key = unsafe NameKey(document.bytes(of: node)) else { return nil }
        if ignoresCase { key = key.ignoringCase }
        let position = unsafe Int(positions[key.hash(multiplier)])
        guard position >= 0, unsafe keys[position] == key else { return nil }
        return position
    }
}
