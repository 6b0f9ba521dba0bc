import Testing
import WidgetContract
import WidgetTestSupport

struct `Actions` {
    private static func url(_ url: String, _ rules: String...) -> Vector {
        let members = #""tap_action":{"url":"\#(url)"}"#
        return switch rules.count {
        case 0: .members(url, members)
        case 1: .members(url, members, "\(rules[0]) /tap_action/url")
        default: .members(url, members, "\(rules[0]) /tap_action/url", "\(rules[1]) /tap_action/url")
        }
    }

    private static let urls: [Vector] = [
        url("https://a.example"), url("http://a.example/p?q#f"), url("HTTPS://A"), url("hTtP://localhost:8080/x"),
        url("https://user:pw@a.example:1/"), url("https://[::1]/"), url("https://a.example/a%20b"),
        url("https://\u{E9}.example"),
        url("shortcuts://run-shortcut?name=x"), url("tel:+123"), url("mailto:a@b.example"), url("a+b-c.d:x"),
        url("app:"),
        url("x-app://"), url("homeassistant://navigate/lovelace"),
        url("", "not_blank"),
        url("a.example", "url"), url("/path", "url"), url("//a.example", "url"), url("://a.example", "url"),
        url("1app:x", "url"),
        url("+a:x", "url"), url("a_b:x", "url"), url("\u{E9}:x", "url"), url("\u{212A}:x", "url"), url("https", "url"),
        url("app:a b", "url"), url("app:a\\tb", "url"), url("app:a\\u0000", "url"), url("app:a\\u007f", "url"),
        url("app:a\\u001fb", "url"), url("app:a!b~c"), url("app:a\u{9F}b", "url"), url("app:a\u{A1}b"),
        url("app:a\u{85}b", "url"), url("app:a\u{A0}b", "url"), url("app:a\u{3000}b", "url"), url("app:\\n", "url"),
        url("javascript:alert(1)", "url_scheme"), url("JavaScript:x", "url_scheme"),
        url("DATA:text/html,x", "url_scheme"),
        url("file:///etc/passwd", "url_scheme"), url("vbscript:x", "url_scheme"), url("VBScript:x", "url_scheme"),
        url("javascript:a b", "url", "url_scheme"), url("javascripts:x"), url("filesystem:x"),
        url("https:", "url_host"), url("https://", "url_host"), url("http:///path", "url_host"),
        url("https://?q", "url_host"),
        url("https://#f", "url_host"), url("https://:80", "url_host"), url("https://user@", "url_host"),
        url("https://user:pw@:80/", "url_host"), url("https:a.example", "url_host"),
        url("https:/a.example", "url_host"),
        url("https:\u{301}//a.example", "url_host"), url("https:///\u{301}x", "url_host"), url("HTTP://", "url_host"),
        url("https:// ", "url"),
    ]

    @Test(arguments: urls)
    func `open a url that a phone may open`(_ vector: Vector) throws { try vector.check() }

    private static func action(_ name: String, _ rest: String, _ rule: String? = nil, _ place: String = "") -> Vector {
        let members = #""url_action":{"url":"https://a.example",\#(rest)}"#
        return rule.map { .members(name, members, "\($0) /url_action\(place)") } ?? .members(name, members)
    }

    private static let vectors: [Vector] = [
        .members("no url", #""tap_action":{"title":"t"}"#, "required /tap_action/url"),
        .members("an empty action", #""secondary_url_action":{}"#, "required /secondary_url_action/url"),
        .members("an action that is a text", #""tap_action":"https://a.example""#, "type /tap_action"),
        .members("a url that is a number", #""tap_action":{"url":1}"#, "type /tap_action/url"),
        action("foreground", #""foreground":false"#),
        action("foreground as a text", #""foreground":"yes""#, "type", "/foreground"),
        action("foreground 0", #""foreground":0"#, "type", "/foreground"),
        action("everything", #""foreground":true,"method":"post","headers":{"A":"b"},"body":"","title":"","icon":"""#),
        action("a body that is an object", #""body":{}"#, "type", "/body"),
        action("a body with a line break", #""body":"a\nb""#),
        action("an unknown member", #""query":"x""#, "unknown_field", "/query"),
        .members(
            "method, headers and body on another scheme",
            #""tap_action":{"url":"app:x","method":"GET","headers":{},"body":""}"#,
            "http_only /tap_action/method", "http_only /tap_action/headers", "http_only /tap_action/body"),
        .members("an empty method on another scheme", #""tap_action":{"url":"app:x","method":""}"#),
        .members(
            "title, icon and foreground on another scheme",
            #""tap_action":{"url":"app:x","title":"t","icon":"i","foreground":true}"#),
        .members("method behind no url", #""tap_action":{"method":"GET"}"#, "required /tap_action/url"),
        .members(
            "a method before its url", #""tap_action":{"method":"GET","url":"app:x"}"#, "http_only /tap_action/method"),
    ]

    @Test(arguments: vectors)
    func `have the members of the contract`(_ vector: Vector) throws { try vector.check() }

    private static func headers(_ name: String, _ headers: String, _ rule: String? = nil, _ place: String = "")
        -> Vector
    {
        action("headers: \(name)", #""headers":\#(headers)"#, rule, "/headers\(place)")
    }

    private static let headerVectors: [Vector] = [
        headers("none", "{}"), headers("a token", ##"{"!#$%&'*+-.^_`|~09azAZ":"v"}"##),
        headers("an empty value", #"{"A":""}"#),
        headers("a value with a tab and more", #"{"A":"\té\u0001\u007f 😀"}"#),
        headers("an empty name", #"{"":"v"}"#, "header", "/"),
        headers("a space in the name", #"{"A B":"v"}"#, "header", "/A B"),
        headers("a colon in the name", #"{"A:":"v"}"#, "header", "/A:"),
        headers("a slash in the name", #"{"a/b":"v"}"#, "header", "/a~1b"),
        headers("é in the name", #"{"é":"v"}"#, "header", "/é"),
        headers("a line break in the name", #"{"A\n":"v"}"#, "header", "/A\n"),
        headers("CR", #"{"A":"a\rb"}"#, "header", "/A"), headers("LF", #"{"A":"a\nb"}"#, "header", "/A"),
        headers("NUL", #"{"A":"a\u0000b"}"#, "header", "/A"), headers("a number", #"{"A":1}"#, "type", "/A"),
        headers("an object", #"{"A":{}}"#, "type", "/A"), headers("an array", "[]", "type"),
        headers("a text", #""A: b""#, "type"),
        headers("1024 bytes", #"{"AB":"\#("x" * 1022)"}"#),
        headers("1025 bytes", #"{"AB":"\#("x" * 1023)"}"#, "max_bytes"),
        headers("1024 bytes in two", #"{"A":"\#("x" * 511)","B":"\#("x" * 511)"}"#),
        headers("1025 bytes in two", #"{"A":"\#("x" * 511)","B":"\#("x" * 512)"}"#, "max_bytes"),
        headers("1024 bytes of emoji", #"{"ABCD":"\#("😀" * 255)"}"#),
        headers("1028 bytes of emoji", #"{"ABCD":"\#("😀" * 256)"}"#, "max_bytes"),
        headers("1024 bytes of escapes", #"{"A":"\#(#"\t"# * 1023)"}"#),
        headers("1025 bytes of escapes", #"{"A":"\#(#"\t"# * 1024)"}"#, "max_bytes"),
    ]

    @Test(arguments: headerVectors)
    func `send headers of HTTP`(_ vector: Vector) throws { try vector.check() }

    @Test(arguments: [
        #"{"Authorization":"s3cret\n"}"#, #"{"Authorization":["s3cret"]}"#, #"{"Authorization":{"a":"s3cret"}}"#,
        #""s3cret""#,
        #"["s3cret"]"#, #"{"A B":"s3cret"}"#, #"{"A":"s3cret\#("x" * 1024)"}"#, #"{"A":"s3cret","A B":12345}"#,
    ])
    func `never show a header's value`(_ headers: String) throws {
        for url in ["https://a.example", "app:x"] {
            let action = #"{"url":"\#(url)","headers":\#(headers)}"#
            let rejection = try Trial.reject(
                .create, #"{"name":"n","content":{"template":"value","tap_action":\#(action)}}"#)
            let shown = rejection.violations.map {
                "\($0.location) \($0.message) \($0.value.map { String(decoding: $0, as: UTF8.self) } ?? "")"
            }
            #expect(!(shown.joined() + rejection.detail).contains("s3cret"))
            #expect(!(shown.joined() + rejection.detail).contains("12345"))
        }
    }
}
