import Testing
import WidgetTestSupport
import WidgetTime

struct `A timestamp` {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_796_040_190_250, "2026-11-30T12:03:10.250Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `is written in UTC with milliseconds`(_ milliseconds: Int64, _ text: String) {
        var out: [UInt8] = []
        DateTimeText.write(milliseconds: milliseconds, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == text)
        #expect(DateTimeText.read(out[...])?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("0000-01-01T00:00:00+00:01", "0000-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.999Z"),
    ])
    func `beyond the years that can be written is written as the nearest one`(text: String, written: String) throws {
        let moment = try #require(DateTimeText.read(Array(text.utf8)[...]))
        var out: [UInt8] = []
        DateTimeText.write(milliseconds: moment.milliseconds, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == written)
    }

    @Test func `of any day is read as it was written`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
            var out: [UInt8] = []
            DateTimeText.write(milliseconds: milliseconds, to: &out)
            #expect(DateTimeText.read(out[...])?.milliseconds == milliseconds, "\(milliseconds)")
        }
    }
}
