import Glibc
import WidgetAMQP

// widgetd-bench decide|apply|present [COUNT [WIDGETS]]: prints what a message or a picture costs, in CPU time.
// widgetd-bench store|worker [COUNT]: tables of what the store costs, and the whole worker beside a bare relay.
let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst().compactMap { Int($0) }
let count = numbers.first ?? 1_000_000
let widgets = numbers.count > 1 ? numbers[1] : 2_000
switch words.first {
case "decide" where numbers.count == words.count - 1:
    print(try DecideBenchmark(count: count, widgets: widgets).run())
case "apply" where numbers.count == words.count - 1:
    print(try ApplyBenchmark(count: count, widgets: widgets).run())
case "present" where numbers.count == words.count - 1:
    print(try PresentBenchmark(count: min(count, 100_000)).run())
case "store" where numbers.count == words.count - 1:
    try StoreBenchmark(count: numbers.first ?? 100_000).run()
case "worker" where numbers.count == words.count - 1:
    guard let url = unsafe getenv("WIDGETD_TEST_AMQP_URL") else {
        print("worker needs a broker of its own: eval \"$(deploy/broker env)\" after deploy/broker start")
        exit(2)
    }
    try WorkerBenchmark(count: numbers.first ?? 100_000, url: unsafe String(cString: url)).run()
case "relay" where words.count == 6:
    // For `worker`: URL QUEUE EXCHANGE KEY COUNT.
    let route = Relay.Route(queue: words[2], exchange: words[3], key: words[4])
    _ = Relay(address: try AMQPAddress(words[1])).run(route, count: Int(words[5]) ?? 0, prefetch: 1_000)
default:
    print("usage: widgetd-bench decide|apply|present [COUNT [WIDGETS]] | store|worker [COUNT]")
    exit(2)
}
