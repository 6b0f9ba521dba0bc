import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetPresentation
import WidgetTime
import WidgetWorker

/// What became of an update, for the person who sent it.
struct SendReport {
    private let address: WidgetAddress
    private let terminal: Terminal

    init(_ address: WidgetAddress, on terminal: Terminal = .output) {
        self.address = address
        self.terminal = terminal
    }

    private var subject: String { "\(address.account)/\(address.slug)" }

    // MARK: Accepted

    /// One line: what it is now.
    func write(accepted receipt: Receipt) throws {
        let revision = receipt.revision.map { " as revision \($0)" } ?? ""
        let what: String
        if let changed = receipt.changed {
            let names = changed.map { $0.tokens.drop { $0 == "content" }.joined(separator: ".") }
            what =
                "accepted\(revision), "
                + (names.isEmpty ? "nothing changed" : "changed \(names.joined(separator: ", "))")
        } else {
            what = "deleted\(revision)"
        }
        let again = receipt.isDuplicate ? " (a repeat: this is the first outcome, and nothing was done again)" : ""
        try terminal.write(line: terminal.styled("\(subject) \(what)", .green) + again)
    }

    /// What the device shows, as far as it is known here.
    /// - Parameters:
    ///   - widget: as it was fanned out; `nil` when it was not.
    ///   - body: what was sent.
    func draw(_ receipt: Receipt, widget: Document?, kind: CommandKind, body: [UInt8]) throws {
        guard receipt.changed != nil else { return }
        if let widget {
            let updatedAt = widget.text("updated_at").flatMap { DateTimeText.read(Array($0.utf8)[...]) }
            return try PictureOnScreen.draw(PresentableWidget(widget: widget, updatedAt: updatedAt), on: terminal)
        }
        guard !receipt.isDuplicate else { return }
        if receipt.changed?.isEmpty == false {
            try terminal.write(
                line: terminal.styled("devices are told at the end of the widget's throttle window", .yellow))
        }
        guard kind == .create, let widget = try? DocumentReader().read(body) else { return }
        let now = WorkerClock.system.now()
        try PictureOnScreen.draw(PresentableWidget(widget: widget, updatedAt: now), on: terminal)
    }

    // MARK: Rejected

    /// Each fault, with a caret under the member where it was written here.
    func write(rejected receipt: Receipt, body: UpdateBody) throws {
        try terminal.write(line: terminal.styled("\(subject) rejected, \(receipt.code.printable)", .red))
        let violations = receipt.violations
        guard !violations.isEmpty else {
            return try terminal.write(line: receipt.detail.printable + Self.advice(on: receipt.code))
        }
        for violation in violations {
            let name = violation.location.tokens.drop { $0 == "content" }.joined(separator: ".")
            let message =
                "\(name.isEmpty ? "the body" : name) \(violation.message)"
                + (violation.isStored ? " (stored before, and not sent now)" : "")
            let fault = body.fault(
                PayloadFinding(violation.location, isName: violation.isUnknownField, message))
            if fault.showsText {
                try Excerpt.write(fault, to: terminal)
            } else {
                try terminal.write(line: message.printable)
            }
        }
    }

    private static func advice(on code: String) -> String {
        switch RejectionCode(rawValue: code) {
        case .notFound: " (--create --name=NAME template=… does)"
        case .sequenceStale: "; --sequence wants a greater one"
        case .idConflict: "; --message-id names another update already"
        default: ""
        }
    }
}
