import Glibc

// widgetd-bench decide [COUNT [WIDGETS]]: prints what a decision costs.
let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst().compactMap { Int($0) }
guard words.first == "decide", numbers.count == words.count - 1 else {
    print("usage: widgetd-bench decide [COUNT [WIDGETS]]")
    exit(2)
}
let benchmark = DecideBenchmark(
    count: numbers.first ?? 1_000_000, widgets: numbers.count > 1 ? numbers[1] : 2_000)
print(try benchmark.run())
