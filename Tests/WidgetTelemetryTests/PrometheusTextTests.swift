import Testing
import WidgetTelemetry

@Suite struct PrometheusTextTests {
    @Test("a family is its help, its type and its samples")
    func family() {
        var text = PrometheusText()
        text.family("widgetd_received_total", .counter, "Messages.")
        text.sample(7, ["code": "a\"b\\c\nd", "kind": "x"])
        text.family("widgetd_age_seconds", .gauge, "Age.")
        text.sample(1.5)
        #expect(
            text.text == #"""
                # HELP widgetd_received_total Messages.
                # TYPE widgetd_received_total counter
                widgetd_received_total{code="a\"b\\c\nd",kind="x"} 7
                # HELP widgetd_age_seconds Age.
                # TYPE widgetd_age_seconds gauge
                widgetd_age_seconds 1.5

                """#)
    }

    @Test("a histogram's buckets count what is at most their bound")
    func histogram() {
        var histogram = Histogram(bounds: [1, 5])
        for value in [0.5, 1, 4, 9] { histogram.observe(value) }
        var text = PrometheusText()
        text.family("h", .histogram, "H.")
        text.samples(histogram, ["stage": "store"])
        #expect(
            text.text.split(separator: "\n").dropFirst(2) == [
                #"h_bucket{stage="store",le="1"} 2"#, #"h_bucket{stage="store",le="5"} 3"#,
                #"h_bucket{stage="store",le="+Inf"} 4"#, #"h_sum{stage="store"} 14.5"#, #"h_count{stage="store"} 4"#,
            ])
    }
}
