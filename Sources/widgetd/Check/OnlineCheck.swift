import WidgetAMQP
import WidgetRedis
import WidgetSQLite
import WidgetURL
import WidgetWorker

/// What the worker would find if it started now: brokers, what is declared there, permissions, certificates, the store.
/// Nothing is created, changed or consumed.
struct OnlineCheck {
    private let addresses: [AMQPAddress]
    private let topology: Topology
    private let store: StoreAddress

    /// Days before the end of a certificate that are worth a word.
    private static let fewDays = 30

    init(_ values: OptionValues) throws {
        addresses = try AMQPAddress.list(values)
        topology = try Topology(values)
        store = try StoreAddress(values)
    }

    func run(_ report: inout CheckReport) throws {
        for address in addresses {
            let start = WorkerClock.system.monotonicMilliseconds()
            do {
                let client = try AMQPClient(address, settings: ConnectionSettings(name: "widgetd check"))
                let milliseconds = WorkerClock.system.monotonicMilliseconds() - start
                try report.add(.ok, "broker", "\(address) lets us in, after \(milliseconds) ms")
                try certificates(of: client, address, &report)
                try permissions(of: client, address, &report)
                // Last, since it may cost the connection.
                try topology(of: client, &report)
                client.close()
            } catch let error as AMQPError {
                try report.add(.fault, "broker", "\(address): \(error)", status: .unavailable)
            }
        }
        try checkStore(&report)
    }

    private func topology(of client: AMQPClient, _ report: inout CheckReport) throws {
        let findings = try client.inspect(topology)
        for finding in findings {
            switch finding.state {
            case .asWanted: break
            case .missing where topology.mode == .create:
                try report.add(.note, "topology", "\(finding.wanted) is not there yet; `run` declares it")
            case .missing, .different: try report.add(.fault, "topology", finding.words)
            // Declaring what is there takes the permission to configure it, and `run` does that unless told not to.
            case .notComparable where topology.mode == .create: try report.add(.fault, "topology", finding.words)
            case .notComparable:
                try report.add(.note, "topology", "\(finding.wanted) is there; its arguments are not for us to compare")
            }
        }
        let good = findings.count { $0.state == .asWanted }
        try report.add(
            good == findings.count ? .ok : .note, "topology",
            "\(good) of \(findings.count) exchanges and queues are as wanted; bindings cannot be looked at over AMQP")
    }

    private func permissions(of client: AMQPClient, _ address: AMQPAddress, _ report: inout CheckReport) throws {
        let missing = try client.missingPermissions(for: topology)
        for permission in missing {
            try report.add(
                .fault, "permissions",
                "user \(address.user) may not \(permission.access.rawValue) \(permission.resource)"
                    + " (to \(permission.purpose)); rabbitmqctl set_permissions gives it")
        }
        if missing.isEmpty {
            try report.add(.ok, "permissions", "user \(address.user) may read and write what is needed")
        }
    }

    private func certificates(of client: AMQPClient, _ address: AMQPAddress, _ report: inout CheckReport) throws {
        guard let security = address.security else { return }
        try certificate(client.certificateDays, Self.chain(of: "broker"), &report)
        guard let file = security.certificateFile else { return }
        try certificate(client.ownCertificateDays, "our certificate \(file)", &report)
    }

    private static func chain(of server: String) -> String {
        "the \(server)'s certificates (the first to end of their chain counts)"
    }

    private func certificate(_ days: Int?, _ whose: String, _ report: inout CheckReport) throws {
        guard let days else {
            return try report.add(.note, "certificate", "the TLS library does not tell the end of \(whose)")
        }
        try report.add(
            days < 0 ? .fault : days < Self.fewDays ? .note : .ok, "certificate",
            days < 0 ? "\(whose) has ended: renew it" : "\(days) days are left of \(whose)")
    }

    private func checkStore(_ report: inout CheckReport) throws {
        do {
            switch store {
            case .memory: try report.add(.note, "store", "memory: nothing of it outlives the worker")
            case .sqlite(let path): try checkFile(path, &report)
            case .redis(let address): try checkServer(address, &report)
            }
        } catch let error as StoreError {
            try report.add(.fault, "store", error.description, status: .unavailable)
        }
    }

    private func checkFile(_ path: String, _ report: inout CheckReport) throws {
        let found = try StoreInspection(path: path)
        let state = found.exists ? "there and writable" : "not there yet, its folder is writable"
        let megabytes = found.freeBytes / 1_000_000
        try report.add(
            megabytes < 100 ? .note : .ok, "store",
            "\(found.path) is \(state); \(megabytes) MB are free on its disk")
    }

    private func checkServer(_ address: RedisAddress, _ report: inout CheckReport) throws {
        let found = try RedisInspection(address: address)
        try report.add(
            .ok, "store",
            "\(address): Redis \(found.version) at \(found.endpoint) lets us do what is needed;"
                + " a round trip takes \(found.microseconds) µs")
        try report.add(.note, "store", found.durability)
        if let policy = found.evictionPolicy {
            try report.add(
                .fault, "store",
                "it throws keys away when its memory is short (maxmemory-policy \(policy)): state would"
                    + " be lost; set noeviction")
        }
        if let days = found.certificateDays { try certificate(days, Self.chain(of: "store"), &report) }
    }
}
