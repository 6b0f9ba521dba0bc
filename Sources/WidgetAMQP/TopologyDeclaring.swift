extension Connection {
    /// Declares, or looks for, everything in order.
    func declare(_ declarations: [Declaration], _ mode: Topology.Mode) throws(AMQPError) {
        for declaration in declarations {
            do {
                try declare(declaration, mode)
            } catch {
                throw Self.explained(error, declaration, mode)
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
            _ = try declareQueue(name, passive: passive, durable: true, arguments: arguments)
        case .binding(let queue, let exchange, let key):
            if !passive { try bindQueue(queue, to: exchange, key: key) }
        case .exchangeBinding(let destination, let source, let key):
            if !passive { try bindExchange(destination, to: source, key: key) }
        }
    }

    private static func explained(_ error: AMQPError, _ wanted: Declaration, _ mode: Topology.Mode) -> AMQPError {
        let advice =
            switch error.code {
            case 404 where mode == .check: "; create it, or run with --topology create"
            case 406: "; delete it or move it away, or ask for what is there"
            default: ""
            }
        return AMQPError(
            "wanted \(wanted): \(error.description)\(advice)", next: error.next, code: error.code,
            isLoginRefused: error.isLoginRefused)
    }
}
