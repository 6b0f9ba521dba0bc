import Testing
import WidgetContract
import WidgetJSON
import WidgetPresentation
import WidgetTestSupport
import WidgetTime

/// Shows contents that the contract accepts.
enum Showing {
    static let clock = Vector.clock

    /// What a device shows of a widget that was created with this content at `updated`.
    static func present(
        _ content: String, _ family: Family = .medium, build: DeviceBuild = .from16, at moment: String = clock,
        name: String = "On-call", staleAfter: Int? = nil, updated: String = clock,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Presentation {
        let widget = try widget(
            content, name: name, staleAfter: staleAfter, updated: updated, sourceLocation: sourceLocation)
        return Presentation(of: widget, on: Device(build, family), at: Trial.moment(moment))
    }

    static func widget(
        _ content: String, name: String = "On-call", staleAfter: Int? = nil, updated: String = clock,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PresentableWidget {
        let stale = staleAfter.map { #","stale_after":\#($0)"# } ?? ""
        let accepted = try Trial.accept(
            .create, #"{"name":\#(String(decoding: name.jsonText, as: UTF8.self)),"content":\#(content)\#(stale)}"#,
            clock: updated, sourceLocation: sourceLocation)
        let document = try #require(accepted.widget.document, sourceLocation: sourceLocation)
        return PresentableWidget(widget: document, updatedAt: Timestamp(milliseconds: accepted.widget.updatedAt))
    }

    /// A content of a template and these members.
    static func content(_ template: String, _ members: String = "") -> String {
        #"{"template":"\#(template)"\#(members.isEmpty ? "" : ",")\#(members)}"#
    }

    /// A content of each template with all that the template needs.
    static let least: [PresentedTemplate: String] = [
        .value: content("value"), .progress: content("progress", #""value":0.6"#), .status: content("status"),
        .gauge: content("gauge", #""value":2.4,"min_value":0,"max_value":5"#),
        .statList: content("stat_list", #""stat_rows":[{"label":"MRR","value":"$8 333"}]"#),
        .trend: content("trend", #""value":371,"points":[312,371]"#),
        .countdown: content("countdown", #""end_date":"2026-11-30T14:05:08Z""#),
        .battery: content("battery", #""devices":[{"name":"Lock","level":45}]"#),
        .schedule: content("schedule", #""periods":[{"start":"2026-11-30T11:00:00Z","value":14.2}]"#),
        .flow: content("flow", #""flow":{"output":{"rate":1000}}"#),
    ]

    static let homeScreen: [Family] = [.small, .medium, .large]
    static let lockScreen: [Family] = [.rectangular, .circular, .inline]
}

extension Presentation {
    /// All but when it changes.
    var picture: Presentation {
        var picture = self
        picture.nextChange = nil
        return picture
    }

    /// When it changes, to the second; `nil` for never.
    var nextChangeText: String? {
        nextChange.map { moment in
            var text: [UInt8] = []
            DateTimeText.write(milliseconds: moment.milliseconds, to: &text)
            return String(decoding: text, as: UTF8.self)
        }
    }
}

extension Timestamp {
    func moved(byNanoseconds count: Int128) -> Timestamp {
        Timestamp(nanosecondsSinceEpoch: nanosecondsSinceEpoch + count)
    }
}
