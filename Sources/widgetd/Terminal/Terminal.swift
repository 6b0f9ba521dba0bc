import Glibc

/// A standard stream and what may be written to it: colour and drawing only where somebody looks.
struct Terminal: Sendable {
    static let output = Terminal(STDOUT_FILENO)
    static let errors = Terminal(STDERR_FILENO)

    let descriptor: Int32
    /// A person reads it, not a file or a pipe.
    let isTerminal: Bool
    /// A terminal that moves its cursor; one without `TERM`, or with `TERM=dumb`, cannot.
    let canDraw: Bool
    /// Drawn in colour: never under `NO_COLOR` (https://no-color.org: set, and not empty).
    let hasColour: Bool

    init(_ descriptor: Int32, environment: (String) -> String? = OptionValues.process) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        canDraw = isTerminal && (environment("TERM") ?? "dumb") != "dumb"
        hasColour = canDraw && (environment("NO_COLOR") ?? "").isEmpty
    }

    /// How wide it is now; it may be resized at any time. 80 where it does not say.
    var columns: Int { size.columns }

    /// How wide and high it is now; 80 by 24 where it does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColour, let style else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// - Throws: `ProgramError` when the reader is gone.
    func write(line: String) throws {
        try write(line + "\n")
    }

    /// - Throws: `ProgramError` when the reader is gone.
    func write(_ text: String) throws {
        guard TextFile.write(Array(text.utf8), to: descriptor) else {
            throw ProgramError.unavailable("standard output is closed")
        }
    }
}

/// How text looks; the raw value is the parameter of SGR (ECMA-48 section 8.3.117).
enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case cyan = 36
}
