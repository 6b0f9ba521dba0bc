import Glibc
import WidgetContract
import WidgetJSON
import WidgetTime
import WidgetWorker

/// Runs a command and reports it as a `status` widget: running, done, failed. Nothing is made up on the way: a widget
/// that says running shows since when, and no bar.
///
/// The command comes first: its streams are its own, its exit status is this program's, and what goes wrong with a
/// report is a line on standard error.
struct RunReport {
    private let address: WidgetAddress
    private let command: [String]
    private let values: OptionValues
    private let widgetName: String

    init(_ address: WidgetAddress, command: [String], _ values: OptionValues) throws {
        guard !command.isEmpty else {
            throw ProgramError.usage("--run wants a command: widgetd send \(address.slug) --run -- make install")
        }
        for option in ["create", "delete", "clear", "message-id", "sequence"] where values.isGiven(option) {
            throw ProgramError.usage("--run reports by itself, and --\(option) stands beside it")
        }
        // Faults of the options are told before anything runs.
        for option in ["amqp-url", "updates-exchange", "queue", "accepted-exchange", "timeout"] {
            _ = try values.required(option)
        }
        self.address = address
        self.command = command
        self.values = values
        widgetName = try values.text("name") ?? address.slug
    }

    /// Ends the program with the command's exit status.
    func run() throws -> ProgramError.Status {
        let start = WorkerClock.system.now()
        let clock = WorkerClock.system.monotonicMilliseconds()
        let child: ChildProcess
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(command)
        } catch {
            TextFile.write(line: "widgetd: \(command[0].printable): \(error.reason)", to: STDERR_FILENO)
            report(State(label: "Could not start", severity: "critical", detail: error.reason))
            exit(error.status)
        }
        report(State(label: "Running", severity: "info", since: start))
        let end = child.wait()
        let took = Age.text(milliseconds: Int64(WorkerClock.system.monotonicMilliseconds() - clock))
        switch end {
        case .exited(0): report(State(label: "Done", severity: "success", detail: took))
        case .exited(let status): report(State(label: "Failed with \(status)", severity: "critical", detail: took))
        case .signalled(let number):
            report(State(label: "Ended by signal \(number)", severity: "critical", detail: took))
        }
        exit(end.status)
    }

    // MARK: What is told

    private struct State {
        let label: String
        let severity: String
        var detail: String?
        var since: Timestamp?
    }

    /// A patch keeps the icon, the actions and the throttle that somebody has given the widget; where there is none, it
    /// is created.
    private func report(_ state: State) {
        do {
            var sender = try UpdateSender(to: address, values)
            defer { sender.close() }
            let patch = body(state, isWhole: false)
            var receipt = try sender.send(UpdateSender.Update(kind: .patch, body: patch.bytes))
            if receipt.code == RejectionCode.notFound.rawValue {
                receipt = try sender.send(
                    UpdateSender.Update(kind: .create, body: body(state, isWhole: true).bytes))
            }
            guard !receipt.isAccepted else { return }
            try SendReport(address, on: .errors).write(rejected: receipt, body: patch)
        } catch {
            let reason = (error as? ProgramError)?.message ?? "\(error)"
            TextFile.write(
                line: "widgetd: \(address.slug) does not show \"\(state.label)\": \(reason)", to: STDERR_FILENO)
        }
    }

    private func body(_ state: State, isWhole: Bool) -> UpdateBody {
        // The program alone: arguments may hold what is not for everybody's eyes.
        let program = String(command[0].split(separator: "/").last ?? "")
        let subtitle = [program, state.detail].compactMap { $0 }.joined(separator: ", ")
        var words = [
            "template=status", "label=\(state.label)", "severity=\(state.severity)",
            "subtitle=\(String(subtitle.unicodeScalars.prefix(256)))",
        ]
        if let since = state.since {
            var text: [UInt8] = []
            DateTimeText.write(milliseconds: since.milliseconds, to: &text)
            words.append("subtitle_timer.date=\(String(decoding: text, as: UTF8.self))")
        } else if !isWhole {
            words.append("subtitle_timer=")
        }
        if isWhole || values.isGiven("name") { words.append("name=\(widgetName)") }
        do {
            return try UpdateBody(fields: words)
        } catch {
            preconditionFailure("the fields of a status are the contract's: \(error)")
        }
    }
}
