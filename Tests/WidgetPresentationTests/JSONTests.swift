import Testing
import WidgetJSON
import WidgetPresentation
import WidgetTestSupport

struct `A presentation as JSON` {
    private static func json(
        _ content: String, _ family: Family = .large, build: DeviceBuild = .from16, at clock: String = Showing.clock,
        staleAfter: Int? = nil
    ) throws -> String {
        var out: [UInt8] = []
        try Showing.present(content, family, build: build, at: clock, staleAfter: staleAfter).writeJSON(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    @Test func `has what is shown and nothing else`() throws {
        let content = Showing.content(
            "progress",
            #""start_date":"2026-11-30T11:00:00Z","end_date":"2026-11-30T13:00:00.5Z","label":"Window","icon":"gear","#
                + ##""accent_color":"orange","background_color":"#11223380","subtitle":"db","##
                + #""stat_rows":[{"label":"Acked","value":"6","unit":"of 10"}],"#
                + #""url_action":{"url":"a:b","title":"Ack"}"#)
        #expect(
            try Self.json(content, staleAfter: 60)
                == #"{"template":"progress","build":"1.6","family":"large","title":"Window","headline":{"text":"50%"},"#
                + #""subtitle":{"text":"db"},"meter":{"shape":"bar","fraction":0.5,"window":"#
                + #"{"start":"2026-11-30T11:00:00.000Z","end":"2026-11-30T13:00:00.500Z"}},"#
                + #""rows":[{"label":"Acked","value":{"text":"6","unit":"of 10"}}],"#
                + #""buttons":[{"action":"url_action","title":"Ack"}],"symbol":"gear","colors":"#
                + ##"{"accent":{"hex":"#FF9500","name":"orange"},"background":{"hex":"#11223380"}},"##
                + #""next_change":"2026-11-30T12:00:36.253Z"}"#)
        #expect(
            try Self.json(Showing.content("value", #""value":1e15,"unit":"B""#), .inline, staleAfter: 60)
                == #"{"template":"value","build":"1.6","family":"inline","headline":{"text":"1E15","unit":"B"}}"#)
    }

    @Test func `says why there is nothing to show`() throws {
        let trend = try #require(Showing.least[.trend])
        #expect(
            try Self.json(trend, .small, build: .before16)
                == #"{"template":"trend","build":"before_1.6","family":"small","unavailable":"needs_build_1.6"}"#)
    }

    @Test func `has timers and staleness`() throws {
        let content = Showing.content("countdown", #""end_date":"2026-11-30T12:01:08Z""#)
        #expect(
            try Self.json(content, .small, at: "2026-11-30T12:01:00Z", staleAfter: 60)
                == #"{"template":"countdown","build":"1.6","family":"small","headline":{"text":"0:08","timer":"#
                + #"{"date":"2026-11-30T12:01:08.000Z","style":"timer","direction":"down"}},"#
                + ##""colors":{"accent":{"hex":"#5856D6","name":"indigo"}},"##
                + #""stale":{"as_of":"2026-11-30T12:00:00.000Z","text":"as of 2026-11-30 12:00 UTC"},"#
                + #""next_change":"2026-11-30T12:01:01.000Z"}"#)
    }

    @Test func `has rings, bands, nodes and sparklines`() throws {
        let battery = try #require(Showing.least[.battery])
        #expect(
            try Self.json(battery, .circular).contains(
                #""rings":[{"name":"Lock","text":"45%","fraction":0.45,"charging":false}]"#))
        let schedule = try #require(Showing.least[.schedule])
        #expect(
            try Self.json(schedule, .rectangular).contains(
                #""bands":[{"span":{"start":"2026-11-30T11:00:00.000Z"},"value":{"text":"14.2"},"level":"medium","#
                    + #""fraction":1.0,"current":true}]"#))
        let flow = Showing.content("flow", #""flow":{"storage":{"rate":-8,"level":76,"total":1}}"#)
        #expect(
            try Self.json(flow).contains(
                #""nodes":[{"slot":"storage","name":"Storage","rate":{"text":"8"},"direction":"draining","#
                    + #""total":{"text":"1"},"fill":{"text":"76%","fraction":0.76},"color":"#))
        let trend = try #require(Showing.least[.trend])
        #expect(try Self.json(trend).contains(#""sparkline":[0.0,1.0]"#))
    }

    /// `next_change` has milliseconds: whoever comes back then must not find the same and the same moment again.
    @Test func `names a next change that is not too early`() throws {
        let content = Showing.content(
            "progress", #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T14:00:00Z""#)
        let shown = try Showing.present(content)
        let next = try #require(shown.nextChange)
        var out: [UInt8] = []
        shown.writeJSON(to: &out)
        let text = try #require(try Document(json: String(decoding: out, as: UTF8.self)).string("next_change"))
        #expect(text == "2026-11-30T12:00:00.001Z")
        #expect(Trial.moment(text) >= next)
        #expect(try Showing.present(content, at: text).picture != shown.picture)
    }
}
