import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetURL

struct `A broker's address` {
    @Test(
        .row(27),
        arguments: [
            ("amqp://h", "/"), ("amqp://h/", ""), ("amqp://h/%2f", "/"), ("amqp://h/%2F", "/"),
            ("amqp://h/a%2fb", "a/b"),
            ("amqp://h/prod", "prod"), ("amqp://h/%25", "%"), ("amqp://h?heartbeat=5", "/"),
            ("amqp://h/?heartbeat=5", ""),
        ])
    func `names the virtual host as the broker's rules say`(text: String, virtualHost: String) throws {
        #expect(try AMQPAddress(text).virtualHost == virtualHost)
    }

    @Test(.row(27)) func `decodes every special character of user and password`() throws {
        let address = try AMQPAddress("amqp://us%40er:p%40s%23s%24w%25o%3Ar%2Fd@broker.example:5673/v")
        #expect(address.user == "us@er")
        #expect(address.password == "p@s#s$w%o:r/d")
        #expect(address.host == "broker.example")
        #expect(address.port == 5673)
        #expect(address.virtualHost == "v")
    }

    @Test(.row(27)) func `takes a colon and a dollar in a password as they are`() throws {
        let address = try AMQPAddress("amqp://user:a:b$c@h")
        #expect(address.user == "user")
        #expect(address.password == "a:b$c")
    }

    @Test func `has defaults for what it does not say`() throws {
        let plain = try AMQPAddress("amqp://")
        #expect(plain == AMQPAddress())
        #expect(plain.user == "guest" && plain.password == "guest" && plain.port == 5672 && plain.security == nil)
        let secure = try AMQPAddress("AMQPS://broker")
        #expect(secure.port == 5671 && secure.security != nil)
        #expect(try AMQPAddress("amqp://broker:/v").port == 5672)
        #expect(try AMQPAddress("amqp://user@broker").password == "")
    }

    @Test func `takes IPv6 in brackets`() throws {
        let address = try AMQPAddress("amqp://[::1]:5673/v")
        #expect(address.host == "::1")
        #expect(address.port == 5673)
        #expect(address.endpoint == "[::1]:5673")
        #expect(try AMQPAddress("amqp://[2001:db8::7]").host == "2001:db8::7")
    }

    @Test func `reads its options`() throws {
        let address = try AMQPAddress(
            "amqps://h/v?heartbeat=2&connection_name=a%20b&cacertfile=/ca.pem&certfile=/c.pem&keyfile=/k.pem"
                + "&verify=verify_peer&server_name_indication=broker.example&auth_mechanism=EXTERNAL"
                + "&connection_timeout=3000")
        #expect(address.heartbeat == 2)
        #expect(address.connectionName == "a b")
        #expect(address.security?.authoritiesFile == "/ca.pem")
        #expect(address.security?.certificateFile == "/c.pem")
        #expect(address.security?.keyFile == "/k.pem")
        #expect(address.security?.verifyName == "broker.example")
        #expect(address.mechanism == .external)
        #expect(address.connectTimeout == 3)
    }

    @Test(
        .row(27),
        arguments: [
            "broker", "http://h", "amqp://h:0", "amqp://h:65536", "amqp://h:+5", "amqp://h:5x", "amqp://h/a/b",
            "amqp://secret:secret@h/%2", "amqp://u:secret%zz@h", "amqp://u:secret%00@h", "amqp://u:secret%ff@h",
            "amqp://u:secret@x@h", "amqp://u:secret/x@h", "amqp://u:secret#x@h", "amqp://[::1", "amqp://[::1]x",
            "amqp://::1", "amqp://h?heartbeat", "amqp://h?heartbeat=x", "amqp://h?heartbeat=70000",
            "amqp://h?colour=red",
            "amqp://h?verify=verify_none", "amqps://h?verify=verify_none", "amqp://h?auth_mechanism=kerberos",
            "amqp://u:?secret=x@h", "amqp://u:?verify=secret@h", "amqp://u:?heartbeat=secret@h",
            "amqp://h?connection_name=a@b",
            "u:secret://@h", "amqp://h?cacertfile=/x", "amqps://h?certfile=/x", "amqps://h?auth_mechanism=external",
            "amqp://h h", "amqp://h,i", "",
        ])
    func `that is none is refused, without a word of the password`(text: String) {
        let error = #expect(throws: URLError.self) { try AMQPAddress(text) }
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.isEmpty == false)
    }

    @Test(.row(27)) func `never shows the password`() throws {
        let address = try AMQPAddress("amqp://user:secret@h/a%2fb")
        var dumped = ""
        dump(address, to: &dumped)
        for shown in ["\(address)", String(reflecting: address), dumped, "\([address])"] {
            #expect(!shown.contains("secret"))
        }
        #expect("\(address)" == "amqp://user@h:5672/a%2fb")
    }

    @Test func `never shows a password that begins with a combining mark`() throws {
        let address = try AMQPAddress("amqp://user:\u{301}secret@h")
        #expect(address.user == "user")
        #expect(address.password == "\u{301}secret")
        #expect("\(address)" == "amqp://user@h:5672/%2f")
    }

    @Test(arguments: [
        ("amqp://us%40er:p@h", "amqp://us%40er@h:5672/%2f"), ("amqp://a%3Ab@h/", "amqp://a%3ab@h:5672/"),
        ("amqp://%25zz", "amqp://guest@%25zz:5672/%2f"),
        ("amqps://[fe80::1%25eth0]", "amqps://guest@[fe80::1%25eth0]:5671/%2f"),
    ])
    func `is shown as it may be written`(text: String, shown: String) throws {
        let address = try AMQPAddress(text)
        #expect(address.description == shown)
        #expect(try AMQPAddress(shown).description == shown)
    }

    @Test func `may be one of several, and may have a comma itself`() throws {
        let addresses = try AMQPAddress.list("amqp://u:a,b@one, amqps://two,amqp://three:1")
        #expect(addresses.map(\.host) == ["one", "two", "three"])
        #expect(addresses[0].password == "a,b")
        #expect(addresses[1].security != nil)
        #expect(addresses[2].port == 1)
    }
}
