extension Connection {
    /// Declares, or looks for, everything in order.
    func declare(_ declarations: [Declaration], _ mode: Topology.Mode) throws(AMQPError) {
        for declaration in declarations {
            do {
                try declare(declaration, mode)
            } catch {
                throw error.explained(declaration, mode)
            }
        }
    }

    private func declare(_ declaration: Declaration, _ mode: Topology.Mode) throws(AMQPError) {
        let passive = mode == .check
        switch declaration {
        case .exchange(let name, let type):
            try declareExchange(name, type: type, passive: passive)
        case .queue(let name, let type, let single):
            var arguments: [(name: String, value: AMQPArgument)] = [("x-queue-type", .text(type.rawValue))]
            if single { arguments.append(("x-single-active-consumer", .boolean(true))) }
            guard type == .classic, !single, !passive else {
                _ = try declareQueue(name, passive: passive, durable: true, arguments: arguments)
                return
            }
            try declareOnDisk(name, arguments)
        case .binding(let queue, let exchange, let key):
            if !passive { try bindQueue(queue, to: exchange, key: key) }
        case .exchangeBinding(let destination, let source, let key):
            if !passive { try bindExchange(destination, to: source, key: key) }
        }
    }

    /// A classic queue that keeps its messages on the disk alone, as all do from RabbitMQ 3.12 on: where nobody takes
    /// the outcomes for a while, earlier ones spend more time on their memory than on anything else. One that is there
    /// without the argument is taken as it is.
    private func declareOnDisk(
        _ name: String, _ arguments: [(name: String, value: AMQPArgument)]
    ) throws(AMQPError) {
        let mode = "x-queue-mode"
        do {
            _ = try declareQueue(name, durable: true, arguments: arguments + [(mode, .text("lazy"))])
        } catch {
            guard error.code == 406, error.description.contains(mode) else { throw error }
            try reopenChannel()
            _ = try declareQueue(name, durable: true, arguments: arguments)
        }
    }
}

extension AMQPError {
    /// With what was wanted, and what to do about it.
    func explained(_ wanted: Declaration, _ mode: Topology.Mode) -> AMQPError {
        let advice =
            switch code {
            case _ where isUnknownExchangeType:
                "; enable its plugin on each node of the broker: rabbitmq-plugins enable rabbitmq_consistent_hash_exchange"
            case 404 where mode == .check: "; create it, or run with --topology create"
            case 406: "; delete it or move it away, or ask for what is there"
            default: ""
            }
        return AMQPError(
            "wanted \(wanted): \(description)\(advice)", next: isUnknownExchangeType ? .giveUp : next, code: code,
            isLoginRefused: isLoginRefused)
    }

    /// The broker lacks the plugin that an exchange is of. It ends the connection with 503 `command_invalid`, the channel
    /// with 406 from RabbitMQ 4 on, and tells it in words alone (`check_type` in its rabbit_exchange.erl).
    var isUnknownExchangeType: Bool {
        (code == 503 || code == 406) && description.contains(" exchange type '")
    }
}
