/// What `check` finds, printed as it is found; the worst of it is the exit status.
struct CheckReport {
    enum Word: String {
        case ok
        /// Worth knowing, and no fault.
        case note
        case fault

        var style: Style {
            switch self {
            case .ok: .green
            case .note: .yellow
            case .fault: .red
            }
        }
    }

    private let terminal: Terminal
    private(set) var faults = 0
    private(set) var status = ProgramError.Status.done

    init(_ terminal: Terminal = .output) {
        self.terminal = terminal
    }

    /// A fault at a place in a text.
    mutating func add(_ fault: TextFault) throws {
        count(.faults)
        try Excerpt.write(fault, to: terminal)
    }

    /// A line on something that was looked at.
    /// - Parameter status: what a fault makes of the exit status.
    mutating func add(
        _ word: Word, _ subject: String, _ text: String, status: ProgramError.Status = .faults
    ) throws {
        if word == .fault { count(status) }
        let head = terminal.styled(word.rawValue, word.style) + String(repeating: " ", count: 7 - word.rawValue.count)
        try terminal.write(line: head + subject.padded(to: 15) + text.printable)
    }

    private mutating func count(_ status: ProgramError.Status) {
        faults += 1
        if status.rawValue > self.status.rawValue { self.status = status }
    }
}
