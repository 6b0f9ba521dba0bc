import WidgetAMQP

extension ProgramError {
    /// A fault of the broker, with what somebody at a terminal can do about it.
    /// - Parameter purpose: what it was done for; nothing where the error says it.
    static func broker(_ error: AMQPError, for purpose: String = "") -> ProgramError {
        var advice = purpose.isEmpty ? "" : " (\(purpose))"
        if error.code == 404 {
            advice +=
                "; `widgetd run` declares what it needs, under the names that --updates-exchange,"
                + " --accepted-exchange and --rejected-exchange give"
        }
        return .unavailable(error.description.printable + advice)
    }
}
