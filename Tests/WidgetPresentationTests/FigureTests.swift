import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A number` {
    @Test(
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.004", "0"), ("0.005", "0.01"), ("-0.005", "-0.01"),
            ("0.0847", "0.08"), ("0.1", "0.1"), ("0.10", "0.1"), ("-0.1", "-0.1"), ("1", "1"), ("1.0", "1"),
            ("2.4", "2.4"), ("1.005", "1.01"), ("2.675", "2.68"), ("9.994", "9.99"), ("9.995", "10"), ("10", "10"),
            ("10.05", "10.1"), ("18.7", "18.7"), ("99.94", "99.9"), ("99.95", "100"), ("100.4", "100"),
            ("371", "371"), ("999.5", "1,000"), ("1234.5", "1,235"), ("9999.4", "9,999"), ("9999.5", "10K"),
            ("10000", "10K"), ("12345", "12.3K"), ("-12345", "-12.3K"), ("999949", "999.9K"), ("999950", "1M"),
            ("1234567", "1.2M"), ("1E2", "100"), ("1.5e+3", "1,500"), ("999950000", "1B"), ("1.26e9", "1.3B"),
            ("9007199254740993", "9E15"), ("1000000000000", "1T"), ("999949999999999", "999.9T"),
            ("999950000000000", "1E15"), ("1.25e15", "1.3E15"), ("9.95e15", "1E16"), ("9.949e15", "9.9E15"),
            ("-1.7976931348623157e308", "-1.8E308"), ("1e-300", "0"), ("1e-400", "0"),
            ("0.\("0" * 1_000)1", "0"), ("1\("0" * 300)", "1E300"), ("1.\("0" * 5_000)9", "1"),
            ("4.5\("0" * 400)", "4.5"), ("99.9499999999999999999999", "99.9"), ("0.00499999999999999999999", "0"),
        ])
    func `narrows its precision as it grows, from its decimal text`(_ number: String, _ text: String) throws {
        let shown = try Showing.present(Showing.content("value", #""value":\#(number)"#))
        #expect(shown.headline?.text == text)
    }

    @Test func `has as many digits as its double says for any double`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let number = Double.random(in: -99_999_949...99_999_949, using: &random)
            let shown = try Showing.present(Showing.content("value", #""value":\#(number)"#))
            let text = try #require(shown.headline?.text)
            let plain = text.filter { $0 != "," }
            let scales: [(Character, Double)] = [("K", 1_000), ("M", 1_000_000)]
            let scale = scales.first { $0.0 == plain.last }?.1 ?? 1
            let read = try #require(Double(scale > 1 ? String(plain.dropLast()) : plain)) * scale
            let magnitude = abs(number)
            let half = magnitude < 10 ? 0.005 : magnitude < 100 ? 0.05 : magnitude < 9_999.5 ? 0.5 : 0.05 * scale
            #expect(abs(read - number) <= half + 1e-6, "\(number) \(text)")
        }
    }
}
