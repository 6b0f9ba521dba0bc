import Glibc
import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite struct `Both connections` {
        /// Clock ticks of processor time that this process's threads with a name of ours have used.
        private func ticks() -> Int {
            var total = 0
            guard let folder = opendir("/proc/self/task") else { return 0 }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard let line = read("/proc/self/task/\(name)/stat"), line.contains("(amqp-") else { continue }
                // proc_pid_stat(5): user and system time are fields 14 and 15, counted from before the name.
                let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
                total += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
            }
            return total
        }

        private func read(_ path: String) -> String? {
            guard let file = fopen(path, "r") else { return nil }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 1024)
            let count = fread(&line, 1, line.count, file)
            return String(decoding: line.prefix(count), as: UTF8.self)
        }

        @Test(.row(2)) func `use next to nothing while nothing happens, after a confirmed publish too`() throws {
            let topology = Broker.topology("idle")
            defer { Broker.remove(topology) }
            let events = Events()
            let source = AMQPDeliverySource(addresses: [try Broker.address()], topology: topology, prefetch: 10)
            let publisher = AMQPPublisher(addresses: [try Broker.address()], topology: topology)
            source.start(reportingTo: events.mailbox)
            publisher.start(reportingTo: events.mailbox)
            defer {
                source.close()
                publisher.close()
            }
            var batch = OutcomeBatch()
            batch.append(OutcomeEnvelope(destination: .accepted, routingKey: "a")) { $0 += [1] }
            publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            #expect(
                events.waitUntil { !Events.generations($0).isEmpty && Events.confirmations($0).map(\.batch) == [1] })
            let before = ticks()
            #expect(!events.waitUntil(seconds: 5) { !Events.losses($0).isEmpty })
            // 5 % of one processor over 5 s.
            #expect(ticks() - before <= sysconf(Int32(_SC_CLK_TCK)) / 4)
        }
    }
}
