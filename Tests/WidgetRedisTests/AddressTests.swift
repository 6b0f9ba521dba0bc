import Testing
import WidgetRedis
import WidgetURL

@Suite struct AddressTests {
    @Test("what is left out has its usual value")
    func defaults() throws {
        let address = try RedisAddress("redis://")
        #expect(address == RedisAddress())
        #expect(address.endpoints == [Endpoint(host: "localhost", port: 6379)])
        #expect(address.database == 0 && address.user == nil && address.password == nil && address.security == nil)
    }

    @Test("user, password and options are percent-decoded, whatever is in them")
    func decodes() throws {
        let address = try RedisAddress(
            "rediss://us%40er:p%40%3a%2f%23%25%3F@[::1]:6380/3?prefix=team-a&cacertfile=%2Fetc%2Fca.pem"
                + "&certfile=c&keyfile=k&server_name_indication=redis.example&verify=verify_peer&command_timeout=500")
        #expect(address.user == "us@er")
        #expect(address.password == "p@:/#%?")
        #expect(address.endpoints == [Endpoint(host: "::1", port: 6380)])
        #expect(address.database == 3)
        #expect(address.prefix == "team-a")
        #expect(address.commandTimeout == 500)
        #expect(address.security?.authoritiesFile == "/etc/ca.pem")
        #expect(address.security?.verifyName == "redis.example")
        #expect(try RedisAddress("redis://:secret@host").user == nil)
        #expect(try RedisAddress("redis://:secret@host").password == "secret")
    }

    @Test("sentinels and nodes of a cluster are several hosts")
    func severalHosts() throws {
        let sentinel = try RedisAddress("redis+sentinel://:pw@a,b:26380/widgets/2")
        #expect(sentinel.kind == .sentinel(master: "widgets"))
        #expect(sentinel.endpoints == [Endpoint(host: "a", port: 26379), Endpoint(host: "b", port: 26380)])
        #expect(sentinel.database == 2)
        let cluster = try RedisAddress("rediss+cluster://a,b:7001")
        #expect(cluster.kind == .cluster)
        #expect(cluster.endpoints == [Endpoint(host: "a", port: 6379), Endpoint(host: "b", port: 7001)])
        #expect(cluster.security != nil)
        #expect("\(sentinel) \(cluster)" == "redis+sentinel://a:26379,b:26380/widgets/2 rediss+cluster://a:6379,b:7001")
    }

    @Test(
        "what is no address is refused with what was wanted and found",
        arguments: [
            ("http://host", "one of redis, redis+sentinel and redis+cluster"),
            ("redis:host", "no ://"), ("redis://user@host", "a user without a password"),
            ("redis://host:0", "a port"), ("redis://host:70000", "a port"), ("redis://::1", "brackets"),
            ("redis://[::1", "]"), ("redis://host/one", "no number of a database"), ("redis://a,b", "several hosts"),
            ("redis://host/0/1", "no number of a database"), ("redis+sentinel://host", "no master's name"),
            ("redis+cluster://host/1", "only database 0"), ("redis://host?wrong=1", "unknown option wrong"),
            ("redis://host?prefix=a%7Bb", "letters"), ("redis://host?cacertfile=x", "without TLS"),
            ("rediss://host?certfile=x", "only one of certfile and keyfile"),
            ("rediss://host?verify=verify_none", "verify_peer is the only choice"),
            ("redis://:s%zz@host", "two hexadecimal digits"), ("redis://:a@b@host", "more than one @"),
            ("redis://:secret#@host", "write it as %23"), ("redis://host?command_timeout=60000", "10000"),
        ])
    func refuses(_ text: String, _ words: String) {
        let error = #expect(throws: URLError.self) { try RedisAddress(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test("a password is in no description and in no error")
    func hidesPasswords() throws {
        let address = try RedisAddress("redis://someone:hush@host/1")
        for text in [
            "\(address)", String(reflecting: address), String(describing: Mirror(reflecting: address).children),
        ] {
            #expect(!text.contains("hush") && !text.contains("someone"), "\(text)")
        }
        for text in ["redis://u:hush#1@host", "redis://u:hu@sh@host", "redis://u:hush%@host", "redis://u:hush@host:x"] {
            let error = #expect(throws: URLError.self) { try RedisAddress(text) }
            #expect(error?.description.contains("hu") == false)
        }
    }
}
