import WidgetJSON
import WidgetJSONParsing
import WidgetPresentation
import WidgetTime

/// What a device shows and its JSON, for each template on the large family, where most is drawn.
struct PresentBenchmark {
    let count: Int

    private static let contents = [
        #"{"template":"value","value":1234.5,"unit":"W","label":"Power","subtitle":"now","trend":"up","max_value":9}"#,
        #"{"template":"progress","value":0.6,"label":"Pages","subtitle":"6 of 10","icon":"checklist","#
            + #""accent_color":"green","stat_rows":[{"label":"Acked","value":"6"},{"label":"Total","value":"10"},"#
            + #"{"label":"Severity","value":"SEV-2"}]}"#,
        #"{"template":"status","severity":"warning","label":"Incident","subtitle":"INC-2841 · api · investigating"}"#,
        #"{"template":"gauge","value":2.4,"min_value":0,"max_value":5,"unit":"%","label":"Errors"}"#,
        #"{"template":"stat_list","label":"April","stat_rows":["# + list(6, #"{"label":"MRR","value":"412"}"#) + "]}",
        #"{"template":"trend","value":371,"unit":"ms","label":"p95","points":["# + list(48, "312.5") + "]}",
        #"{"template":"countdown","end_date":"2026-11-30T16:13:00Z","start_date":"2026-11-30T10:00:00Z"}"#,
        #"{"template":"battery","devices":["# + list(8, #"{"name":"Lock","level":45,"icon":"lock.fill"}"#) + "]}",
        #"{"template":"schedule","unit":"c","periods":["#
            + (0..<48).map { #"{"start":"2026-11-\#(29 + $0 / 24)T\#(10 + $0 % 10):00:00Z","value":\#($0)}"# }
            .joined(separator: ",") + "]}",
        #"{"template":"flow","unit":"W","flow":{"inputs":[{"name":"Solar","rate":3200,"total":12.4}],"#
            + #""output":{"rate":1000},"storage":{"rate":800,"level":76},"exchange":{"rate":-1400}}}"#,
    ]

    private static func list(_ count: Int, _ element: String) -> String {
        [String](repeating: element, count: count).joined(separator: ",")
    }

    func run() throws -> String {
        let device = Device(.from16, .large)
        let now = Timestamp(seconds: 1_796_040_000)
        let lines = try Self.contents.map { content in
            let widget = PresentableWidget(
                content: try DocumentReader().read(Array(content.utf8)), name: "n", updatedAt: now, staleAfter: 900)
            var changing = 0
            var presenting = Cost()
            try presenting.measure(count) {
                for _ in 0..<count where Presentation(of: widget, on: device, at: now).nextChange != nil {
                    changing += 1
                }
            }
            let shown = Presentation(of: widget, on: device, at: now)
            var out: [UInt8] = []
            var writing = Cost()
            try writing.measure(count) {
                for _ in 0..<count {
                    out.removeAll(keepingCapacity: true)
                    shown.writeJSON(to: &out)
                }
            }
            return "present \(shown.template?.rawValue ?? ""): \(presenting.time) ns CPU,"
                + " its JSON of \(out.count) bytes \(writing.time) ns"
        }
        return lines.joined(separator: "\n")
    }
}
