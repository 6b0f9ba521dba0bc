import WidgetJSON

/// A fraction in whole percents. What is not finished never reads 100 %, what has begun never 0 %.
struct Percentage {
    let percents: Int
    /// 0 to 1; below 1 as long as it is not finished.
    let fraction: Double

    var text: String { "\(percents)%" }

    /// - Parameters:
    ///   - number: the exact number; halves of a percent are rounded up.
    ///   - double: the same as the contract compares it, by which `1e-400` is 0.
    ///   - whole: the power of ten that is all: 0 for a fraction, 2 for a percentage.
    init(_ number: DecimalText, _ double: Double, ofTenToThe whole: Int) {
        guard !number.isNegative, double > 0 else {
            percents = 0
            fraction = 0
            return
        }
        guard number.integerDigits <= whole else {
            percents = 100
            fraction = 1
            return
        }
        let rounded = number.rounded(places: 2 - whole).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        percents = min(max(rounded, 1), 99)
        fraction = min(whole == 2 ? double / 100 : double, (1.0).nextDown)
    }

    /// - Parameter percents: 0 to 100; the fraction is as coarse.
    init(percents: Int) {
        self.percents = percents
        fraction = Double(percents) / 100
    }
}
