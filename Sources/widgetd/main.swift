import Glibc

// A reader that goes away is told by write(2), not by a signal.
signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
ProcessTitle.hidePasswords()
do {
    exit(try Program.run(arguments).rawValue)
} catch let error as ProgramError {
    TextFile.write(line: "widgetd: \(error.message)", to: STDERR_FILENO)
    exit(error.status.rawValue)
} catch {
    TextFile.write(line: "widgetd: \(error)", to: STDERR_FILENO)
    exit(ProgramError.Status.unavailable.rawValue)
}
