import WidgetContract

extension DecisionProperty {
    public static let seeds: [[UInt8]] =
        bytes([
            create(#""template":"value","value":0.10,"unit":"°C","trend":"up","accent_color":"ff8800""#)
                + #"p {"content":{"value":1E2}}"# + "\n {}",
            create(#""template":"progress","value":0.5,"label":"l""#) + #"p {"content":{"value":42}}"#,
            create(#""template":"progress","start_date":"2026-11-30T11:00:00Z","end_date":"2026-12-01T00:00:00+01:00""#)
                + #" {"content":{"end_date":"2026-11-30T10:00:00Z"}}"#,
            create(#""template":"status","label":"up","severity":"success","icon":"mdi:check","subtitle":"s""#)
                + #" {"stale_after":60,"push_throttle":3600}"# + "\n" + #" {"stale_after":null}"#,
            create(#""template":"gauge","value":1,"min_value":0,"max_value":2"#) + #" {"content":{"min_value":3}}"#,
            create(
                #""template":"stat_list","stat_rows":[{"label":"a","value":"1","unit":"u","#
                    + #""timer":{"date":"2026-12-01T00:00:00Z","style":"relative"}}]"#)
                + #" {"content":{"stat_rows":[]}}"#,
            create(#""template":"trend","value":1,"points":[1,2.0,3e0]"#) + #" {"content":{"points":[1]}}"#,
            create(#""template":"countdown","end_date":"2026-12-01T00:00:00Z","expired_text":"over""#)
                + #" {"content":{"end_date":"2028-12-01T00:00:00Z"}}"#,
            create(
                #""template":"battery","devices":[{"name":"b","level":1,"charging":true},{"name":"A","level":2}],"#
                    + #""device_sort":[{"field":"level","direction":"desc"},{"field":"name"}]"#)
                + #" {"content":{"device_sort":[{"field":"name"}]}}"#,
            create(
                #""template":"schedule","periods":[{"start":"2026-11-30T12:00:00Z","value":1,"level":"low"},"#
                    + #"{"start":"2026-11-30T13:00:00Z","value":2}]"#),
            create(
                #""template":"flow","flow":{"inputs":[{"rate":1,"name":"x","total":0}],"output":{"rate":-1e3,"level":50}}"#
            )
                + #" {"content":{"flow":{"inputs":null,"output":null}}}"#,
            create(
                #""template":"value","tap_action":{"url":"https://a.example","method":"post","headers":{"A":"hush"},"#
                    + #""body":"b","title":"t"},"url_action":{"url":"myapp://x","foreground":true}"#)
                + #"r {"content":{"value":"x","tap_action":{"headers":{"A":"hush\r","B C":"hush"}}}}"#,
            create(#""template":"value""#) + "d1r \nd1r \nc {\"name\":\"n\",\"content\":{\"template\":\"status\"}}",
            create(#""template":"value""#) + #"c1 {"name":"m"}"# + "\n1 {}\n1 {}\n1r {\"name\":\"m\"}\ni {}\nl [",
            "ck {\"slug\":\"pages\",\"name\":\"n\",\"content\":{\"template\":\"value\"}}\nka {\"slug\":\"pages\"}\nk {}",
            create(#""template":"value""#) + "co {\"name\":\"n\",\"content\":{\"template\":\"value\"}}\n"
                + "cz {\"name\":\"n\",\"content\":{\"template\":\"value\"}}\n"
                + "ck {\"slug\":\"third\",\"name\":\"n\",\"content\":{\"template\":\"value\"}}",
            create(#""template":"value""#)
                + "ys {}\ny {}\ny3 {}\ns {\"name\":\"s\"}\ns \nb {}\nn {}\nu {}\nx {}\ne {}\nw {}\n {",
            #" {"name":null,"slug":1,"headers":{"a":"hush"},"content":null,"x":[null]}"#,
            create(#""template":"value","label":"\u0000\"\\é\ud83d\ude00""#) + #" {"content":{"label":"\u00e9"}}"#,
            create(#""template":"value""#) + #"t {"push_throttle":60,"stale_after":60}"#
                + "\n {\"name\":\"m\"}\n {}\nd \n" + create(#""template":"status""#) + #" {"name":"o"}"#,
            create(#""template":"value""#) + #" {"contents":1}"# + "\n" + #" {"content":{"x":1,"a/b~":2}}"#,
            create(#""template":"value""#) + "co {\"name\":\"n\",\"content\":{\"template\":\"value\"}}\nd \n"
                + "ck {\"slug\":\"third\",\"name\":\"n\",\"content\":{\"template\":\"value\"}}\n"
                + "cka {\"slug\":\"third\",\"name\":\"n\",\"content\":{\"template\":\"value\"}}\n"
                + "cka {\"slug\":\"fourth\",\"name\":\"n\",\"content\":{\"template\":\"value\"}}",
        ]) + [Array("cg ".utf8) + packedCreate + Array("\ng {}".utf8)]

    public static let findings: [[UInt8]] = []

    public static let words: [String] =
        ObjectName.allCases.flatMap { Contract.object($0).members.map { "\"\($0.name)\":" } }
        + WordList.allCases.flatMap { $0.words.map { "\"\($0)\"" } }
        + [
            "null", "{}", "[]", "\n {\"content\":{", "\nc1 {", "\nd ", "\nr1 {", "}}", "},{",
            "\"2026-12-01T00:00:00Z\"",
            "1e400", "-0", "\"hush\"", "https://", "\\u0000", "\u{301}", "\u{1F600}",
        ]

    private static func create(_ content: String) -> String {
        "c {\"name\":\"n\",\"content\":{\(content)}}\n"
    }

    /// `{"name":"n","content":{"template":"value"}}`, packed by gzip.
    private static let packedCreate: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 75, 204, 77, 85, 178, 82, 202, 83, 210, 81, 74, 206, 207, 43, 73,
        205, 43, 81, 178, 170, 86, 42, 73, 205, 45, 200, 73, 44, 1, 201, 148, 37, 230, 148, 166, 42, 213, 214, 2, 0,
        251, 154, 139, 121, 43, 0, 0, 0,
    ]
}
