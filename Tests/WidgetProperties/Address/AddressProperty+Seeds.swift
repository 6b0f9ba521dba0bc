extension AddressProperty {
    public static let seeds = bytes([
        "amqp://guest:guest@127.0.0.1:5672/%2f", "amqp://", "amqps://broker", "AMQP://h:/", "amqp://h", "amqp://h/%2F",
        "amqp://h/a%2fb", "amqp://us%40er:p%40s%23s%24w%25o%3Ar%2Fd@broker.example:5673/v", "amqp://user:a:b$c@h",
        "amqp://user@broker/", "amqp://@h", "amqp://:@h", "amqp://[::1]:5673/v", "amqp://[2001:db8::7]",
        "amqp://h%C3%A9", "amqp://\u{E9}/\u{1F600}", "amqp://h?heartbeat=5",
        "amqp://h/v?connection_timeout=3000&heartbeat=0",
        "amqps://h/v?heartbeat=2&connection_name=a%20b&cacertfile=/ca.pem&certfile=/c.pem&keyfile=/k.pem"
            + "&verify=verify_peer&server_name_indication=broker.example&auth_mechanism=EXTERNAL",
        "http://h", "broker", "amqp://h:0", "amqp://h:65536", "amqp://h/a/b", "amqp://u:p@x@h", "amqp://u:p#x@h",
        "amqp://[::1", "amqp://[::1]x", "amqp://::1", "amqp://h?x", "amqp://h?colour=red",
        "amqp://h?verify=verify_none",
        "amqp://u:p%zz@h", "amqp://u:p%00@h", "amqp://u:p%ff@h", "amqp://one, amqps://two,amqp://three:1/a,b", "",
        "user\npass\nword\nhost:5672/%2f", "\n\n\n", "u\na:b\n%40\n[::1]/v?heartbeat=3", "u\n\n\nh?connection_name=a",
        "u%40\n/\n#\nh", "u\n[\n]\nh:1", "amqp\n//\n\nh",
    ])

    public static let findings = bytes([
        // What follows an unescaped ? in a password was taken for an option and named.
        "u\n?\n=x\nh", "u\n?verify=\n\nh", "u\n?heartbeat=\n\nh",
        // A delimiter with a combining mark behind it was none.
        "u\n\u{301}\n\nh",
        // The text in front of :// was named, whatever it was.
        "u\n\n://\nh",
        // Shown as they are, these were no addresses.
        "amqp://us%40er:p@h", "amqp://a%3Ab@h", "amqp://%25@h", "amqp://%25zz", "amqp://a%3A%C3%A9",
        "amqp://[fe80::1%25eth0]",
    ])

    public static let words = [
        "amqp://", "amqps://", "%2f", "%40", "%25", "%3A", "?heartbeat=", "&connection_name=", "verify=", "[::1]",
        "\u{301}",
        "auth_mechanism=", "cacertfile=", "connection_timeout=", ",amqp://", "\n", "65535",
    ]
}
