import Glibc
import Synchronization

/// The terminal's alternate screen: drawn on whole, left as it was at the end, at a signal and at a stop.
///
/// One at a time: signal handlers put the terminal back, and they see only what is global.
struct FullScreen {
    private let terminal: Terminal
    private var shown: [String] = []
    private var size = (columns: 0, rows: 0)

    /// Alternate screen, no cursor; and back (xterm's private modes 1049 and 25).
    fileprivate static let enter: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
    fileprivate static let leave: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

    init(_ terminal: Terminal) {
        self.terminal = terminal
        unsafe screenDescriptor = terminal.descriptor
        unsafe keysAreSaved = tcgetattr(STDIN_FILENO, &keysBefore) == 0
        isLost.store(true, ordering: .relaxed)
        Self.take()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { _ in
                FullScreen.giveBack()
                // What the broker keeps for us goes with the connection.
                _exit(0)
            }
        }
        signal(SIGTSTP) { _ in
            FullScreen.giveBack()
            kill(getpid(), SIGSTOP)
            FullScreen.take()
            isLost.store(true, ordering: .relaxed)
        }
    }

    /// Draws the lines from the top, as many as fit; each is at most as wide as the terminal.
    mutating func draw(_ lines: [String], columns: Int, rows: Int) {
        let lines = Array(lines.prefix(rows))
        let isAnew = size != (columns, rows) || isLost.exchange(false, ordering: .relaxed)
        guard isAnew || lines != shown else { return }
        var text = isAnew ? "\u{1B}[2J" : ""
        for row in 0..<max(lines.count, shown.count) where row < rows {
            let line = row < lines.count ? lines[row] : ""
            if isAnew || row >= shown.count || shown[row] != line { text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)" }
        }
        shown = lines
        size = (columns, rows)
        TextFile.write(Array(text.utf8), to: terminal.descriptor)
    }

    /// What was typed since the last look.
    func typed() -> [UInt8] {
        var keys = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe keysAreSaved, unsafe poll(&keys, 1, 0) > 0 else { return [] }
        return TextFile.readChunk(STDIN_FILENO, size: 64) ?? []
    }

    func close() { Self.giveBack() }

    // MARK: In signal handlers as well: write(2) and tcsetattr(3) are safe there (signal-safety(7)).

    fileprivate static func take() {
        if unsafe keysAreSaved {
            var keys = unsafe keysBefore
            // Keys come at once and are not shown; those that send signals still do.
            keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys)
        }
        put(enter)
    }

    fileprivate static func giveBack() {
        put(leave)
        if unsafe keysAreSaved { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keysBefore) }
    }

    private static func put(_ text: StaticString) {
        _ = unsafe write(screenDescriptor, text.utf8Start, text.utf8CodeUnitCount)
    }
}

// What the handlers need, set before they are installed and never again.
nonisolated(unsafe) private var screenDescriptor: Int32 = -1
nonisolated(unsafe) private var keysBefore = termios()
nonisolated(unsafe) private var keysAreSaved = false
/// What was drawn is not on the screen any more.
private let isLost = Atomic(true)
