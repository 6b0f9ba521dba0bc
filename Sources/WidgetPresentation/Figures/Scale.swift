/// Where a number stands between two others.
struct Scale {
    private let low: Double
    private let high: Double

    init(_ low: Double, _ high: Double) {
        self.low = low
        self.high = high
    }

    /// 0 at the low end or below, 1 at the high end or above; the middle when there is nothing between them.
    func fraction(of number: Double) -> Double {
        guard low < high else { return 0.5 }
        // Halves, for the distance of two doubles need not be one.
        return min(max((number / 2 - low / 2) / (high / 2 - low / 2), 0), 1)
    }
}
