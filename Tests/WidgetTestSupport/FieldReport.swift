public import Testing

/// Says that a test shows a row of FIELD-REPORTS: `grep -rn 'row(16)' Tests` finds what holds for row 16.
public struct FieldReport: TestTrait, SuiteTrait {
    let row: Int

    public var comments: [Comment] { ["FIELD-REPORTS, row \(row)"] }
    public var isRecursive: Bool { true }
}

extension Trait where Self == FieldReport {
    /// - Parameter number: as the tables of FIELD-REPORTS count them.
    public static func row(_ number: Int) -> Self { Self(row: number) }
}
