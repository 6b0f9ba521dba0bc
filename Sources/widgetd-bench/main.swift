import Glibc

// widgetd-bench decide|apply|present [COUNT [WIDGETS]]: prints what a message or a picture costs, in CPU time.
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
default:
    print("usage: widgetd-bench decide|apply|present [COUNT [WIDGETS]]")
    exit(2)
}
