import Glibc
import WidgetContract
import WidgetJSON
import WidgetTime
import WidgetWorker

/// `apply`: the same decisions without a broker.
enum ApplyCommand: Command {
    static let name = "apply"
    static let summary = "decide messages from files or standard input, a line of JSON each"
    static let operands = "[FILE…]"
    static let options = Option.apply
    static let operandKind = OptionKind.file
    static let examples = [
        #"echo '{"type":"widget.create","slug":"pages","body":{"name":"Pages","content":{"template":"progress","value":0.6}}}' | widgetd apply"#,
        "widgetd apply --quiet --strict --store sqlite:widgetd.db updates.ndjson",
    ]

    /// Lines that are decided and stored together.
    private static let batchSize = 1000

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        let limits = try MessageLimits(values)
        let fixedNow = try values.text("now").flatMap { DateTimeText.read(Array($0.utf8)[...]) }
        let store = try StoreAddress(values).open()
        var source = LineSource(descriptors: try open(values.operands))
        var run = ApplyRun(
            limits: limits, fixedNow: fixedNow, store: store, isQuiet: values.isSet("quiet"))
        let start = WorkerClock.system.monotonicMilliseconds()
        var progress = ProgressBar("messages")
        // Outcome lines on the same screen are progress enough, and a bar between them would tear them.
        let drawsProgress = values.isSet("quiet") || !Terminal.output.isTerminal
        var batch: [ApplyLine] = []
        while let line = try source.next() {
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            batch.append(run.read(line))
            if batch.count == batchSize {
                try run.decide(batch)
                batch.removeAll(keepingCapacity: true)
                if drawsProgress { progress.show(run.summary.count, fraction: source.fraction) }
            }
        }
        try run.decide(batch)
        try store.close()
        progress.clear()
        for line in run.summary.lines(milliseconds: WorkerClock.system.monotonicMilliseconds() - start) {
            TextFile.write(line: line, to: STDERR_FILENO)
        }
        return values.isSet("strict") && run.summary.hasRejections ? .faults : .done
    }

    private static func open(_ paths: [String]) throws -> [Int32] {
        guard !paths.isEmpty else { return [STDIN_FILENO] }
        return try paths.map { path in
            if path == "-" { return STDIN_FILENO }
            let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw ProgramError.usage("\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
            }
            return descriptor
        }
    }
}

/// A run of `apply` under way.
private struct ApplyRun {
    private let fixedNow: Timestamp?
    private let store: any WidgetStore
    private let isQuiet: Bool
    private var reader: ApplyLineReader
    private var decider: BatchDecider
    private var output: [UInt8] = []
    var summary = ApplySummary()

    init(limits: MessageLimits, fixedNow: Timestamp?, store: any WidgetStore, isQuiet: Bool) {
        self.fixedNow = fixedNow
        self.store = store
        self.isQuiet = isQuiet
        reader = ApplyLineReader(limits: limits)
        decider = BatchDecider(
            limits: limits, cachedWidgets: 100_000, sharing: store.isShared ? .widgets : .none)
    }

    /// Decides messages and stores it, again for as long as other workers are faster.
    private mutating func settle(_ messages: [Delivery], _ times: [Timestamp]) throws {
        let (isQuiet, before) = (isQuiet, (summary: summary, output: output))
        while true {
            let changes = try decider.decide(
                messages, now: { times[$0] }, store: store,
                each: { _, verdict, widget, _ in
                    summary.add(verdict)
                    if !isQuiet { ReceiptText.writeLine(verdict, widget, to: &output) }
                })
            do {
                _ = try store.commit(changes)
                return
            } catch is LostComparison {
                (summary, output) = (before.summary, before.output)
            }
        }
    }

    mutating func read(_ line: ArraySlice<UInt8>) -> ApplyLine { reader.read(line) }

    mutating func decide(_ lines: [ApplyLine]) throws {
        let now = fixedNow ?? WorkerClock.system.now()
        let isQuiet = isQuiet
        var lines = lines[...]
        output.removeAll(keepingCapacity: true)
        while !lines.isEmpty {
            let messages = lines.prefix { $0.fault == nil }
            let times = messages.map { $0.at ?? now }
            try settle(messages.map { Delivery($0.message) }, times)
            lines = lines.dropFirst(messages.count)
            for line in lines.prefix(while: { $0.fault != nil }) {
                guard let fault = line.fault else { continue }
                let verdict = Verdict.refusal(
                    of: line.message, fault, decidedAt: (line.at ?? now).milliseconds)
                summary.add(verdict)
                if !isQuiet { ReceiptText.writeLine(verdict, nil, to: &output) }
            }
            lines = lines.drop { $0.fault != nil }
        }
        guard TextFile.write(output, to: STDOUT_FILENO) else {
            throw ProgramError.unavailable("standard output is closed")
        }
    }
}
