import Testing
import WidgetPresentation
import WidgetTestSupport
import WidgetTime

struct `The next change` {
    /// Walks from change to change: between two of them nothing moves, at each something does.
    @Test(arguments: PresentedTemplate.allCases)
    func `is the first moment at which anything is another`(_ template: PresentedTemplate) throws {
        var source = RandomContent(random: SeededRandom(seed: 1))
        var changes = 0
        var ends = 0
        for _ in 0..<120 {
            let content = source.content(of: template)
            let staleAfter = source.random.oneIn(3) ? 60 + source.random.below(90) : nil
            let widget = try Showing.widget(content, staleAfter: staleAfter)
            let device = Device(
                source.random.oneIn(4) ? .before16 : .from16, source.random.pick(Family.allCases))
            var now = source.moment()
            for _ in 0..<6 {
                let shown = Presentation(of: widget, on: device, at: now)
                guard let next = shown.nextChange else {
                    ends += 1
                    for later in [1, 1_000_000_000, 86_400_000_000_000, 1 << 62] as [Int128] {
                        let then = Presentation(of: widget, on: device, at: now.moved(byNanoseconds: later))
                        #expect(then == shown, "\(content) \(device) \(now) + \(later)")
                    }
                    break
                }
                changes += 1
                try #require(next > now, "\(content) \(device) \(now)")
                let distance = next.nanosecondsSinceEpoch - now.nanosecondsSinceEpoch
                for between in [1, distance / 2, distance - 1] where between > 0 && between < distance {
                    let then = Presentation(of: widget, on: device, at: now.moved(byNanoseconds: between))
                    #expect(then == shown, "\(content) \(device) \(now) + \(between) of \(distance)")
                }
                let other = Presentation(of: widget, on: device, at: next)
                #expect(other.picture != shown.picture, "\(content) \(device) \(now) to \(next)")
                now = next
            }
        }
        let isStill = [.battery, .flow, .trend, .value, .gauge, .status].contains(template)
        #expect(changes > (isStill ? 50 : 150))
        #expect(ends > 20)
    }

    @Test func `is the earliest of all parts`() throws {
        let content = Showing.content(
            "progress",
            #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T14:00:00Z","#
                + #""subtitle_timer":{"date":"2026-12-10T12:00:00Z","style":"relative"}"#)
        // 30.5 % of two hours is 36:36, the relative timer's next day comes later, staleness at 36:10.
        let moments = [
            ("2026-11-30T12:36:05Z", "2026-11-30T12:36:10Z"), ("2026-11-30T12:36:10Z", "2026-11-30T12:36:36Z"),
        ]
        for (clock, next) in moments {
            let shown = try Showing.present(content, at: clock, staleAfter: 2_170)
            #expect(shown.nextChange == Trial.moment(next))
        }
    }
}
