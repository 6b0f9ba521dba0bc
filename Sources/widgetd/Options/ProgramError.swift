/// What ends the program before its work is done, and with which exit status.
struct ProgramError: Error {
    /// Exit statuses of the whole program.
    enum Status: Int32 {
        case done = 0
        /// The work found faults.
        case faults = 1
        /// Wrong usage or configuration.
        case usage = 2
        /// A service that is needed is not there.
        case unavailable = 3
    }

    let status: Status
    /// One line: what was wanted, what was found, what to do.
    let message: String

    static func usage(_ message: String) -> ProgramError { ProgramError(status: .usage, message: message) }
    static func unavailable(_ message: String) -> ProgramError { ProgramError(status: .unavailable, message: message) }
}
