import Foundation
import Glibc
import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// Workers that a broker knows by their certificates, and senders that it knows by their users.
@Suite(
    .enabled(if: WorkerProcess.isPossible && PrivateBroker.isPossible, PrivateBroker.absence), .serialized,
    WithTLSBroker())
struct `The command run, and a broker that asks who is there,` {
    private let subject: TLSBroker

    init() throws {
        subject = try #require(TLSBroker.current)
    }

    private func addUser(_ name: String, password: String = "secret-word") throws {
        try subject.broker.control("add_user", name, password)
        try subject.broker.control("set_permissions", name, ".*", ".*", ".*")
    }

    private func removeUser(_ name: String) { _ = try? subject.broker.control("delete_user", name) }

    /// A worker that logs in with the certificate `own.pem` in its folder, which has the user's name.
    private func worker(_ user: String) throws -> WorkerProcess {
        let worker = try WorkerProcess(url: subject.broker.url)
        worker.url =
            "amqps://127.0.0.1:\(subject.port)/%2f?auth_mechanism=external&heartbeat=5"
            + "&cacertfile=\(subject.certificates.path("authority.pem"))"
            + "&certfile=\(worker.folder.path("own.pem"))&keyfile=\(worker.folder.path("own.key"))"
        try give(user, to: worker)
        return worker
    }

    /// Replaces the worker's certificate on disk.
    private func give(_ certificate: String, to worker: WorkerProcess) throws {
        for kind in ["pem", "key"] {
            try Data(contentsOf: URL(filePath: subject.certificates.path("\(certificate).\(kind)")))
                .write(to: URL(filePath: worker.folder.path("own.\(kind)")))
        }
    }

    /// The first line of the worker's log with these words.
    private func line(_ worker: WorkerProcess, _ words: String) -> Substring {
        worker.log.split(separator: "\n").first { $0.contains(words) } ?? ""
    }

    @Test(.row(10))
    func `renews its connections with a new certificate on SIGHUP, under load, and decides each message once`() throws {
        try addUser("worker")
        defer { removeUser("worker") }
        let worker = try worker("worker")
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.connections == 2 })
        _ = try worker.client.publish(Update.create(worker))

        // Without the new certificate the broker lets nobody in any more.
        try subject.trust("stranger")
        defer { try? subject.trust("authority") }
        worker.signal(SIGHUP)
        #expect(worker.waitUntil { worker.log.contains("stay as they are") }, "\(worker.log)")
        #expect(line(worker, "stay as they are").contains("certfile"))
        #expect(worker.connections == 2)

        try give("renewed", to: worker)
        worker.signal(SIGHUP)
        // Equal ones without an id, one not behind the other: each counts, whether or not it was under way.
        var sent = 0
        repeat {
            _ = try worker.client.publish(
                (1...50).map { Update.patch(worker, #"{"content":{"subtitle":"\#($0 % 2)"}}"#) })
            sent += 50
        } while worker.connections < 4 && sent < 20_000
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == sent + 1 }, "\(sent): \(worker.log)")
        #expect(worker.connections == 4)
        #expect(!worker.log.contains("is lost"), "\(worker.log)")
        #expect(worker.stop() == 0, "\(worker.log)")
        #expect(worker.messages(in: worker.updates) == 0)
        #expect(try worker.drain(worker.fanout).map(\.messageID) == Update.ids(sent + 1))
    }

    @Test func `takes a new password out of its file on SIGHUP`() throws {
        try addUser("rotated", password: "old-word")
        defer { removeUser("rotated") }
        let worker = try WorkerProcess(url: subject.broker.url)
        let port = try AMQPAddress(subject.broker.url).port
        let file = worker.folder.path("url")
        func write(_ password: String) throws {
            try "amqp://rotated:\(password)@127.0.0.1:\(port)/%2f\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            chmod(file, 0o600)
        }
        try write("old-word")
        worker.environment["WIDGETD_AMQP_URL_FILE"] = file
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.connections == 2 })
        try subject.broker.control("change_password", "rotated", "new-word")
        worker.signal(SIGHUP)
        #expect(worker.waitUntil { line(worker, "stay as they are").contains("check user, password") })
        try write("new-word")
        worker.signal(SIGHUP)
        #expect(worker.waitUntil { worker.connections == 4 }, "\(worker.log)")
        _ = try worker.client.publish(Update.create(worker))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        #expect(worker.stop() == 0)
        #expect(!worker.log.contains("old-word") && !worker.log.contains("new-word"))
    }

    @Test func `takes an account's messages from its own user alone, as the broker has verified it`() throws {
        for user in ["acme", "other"] { try addUser(user) }
        defer { for user in ["acme", "other"] { removeUser(user) } }
        let worker = try WorkerProcess(url: subject.broker.url)
        worker.options = ["--account-binding", "user-id"]
        try worker.startAndWait()
        let port = try AMQPAddress(subject.broker.url).port
        func send(as user: String, userID: String?) throws {
            let sender = try AMQPClient(AMQPAddress("amqp://\(user):secret-word@127.0.0.1:\(port)/%2f"))
            defer { sender.close() }
            var message = Update.create(worker)
            message.userID = userID
            #expect(try sender.publish(message) == .confirmed)
        }
        try send(as: "other", userID: "other")
        try send(as: "acme", userID: nil)
        #expect(throws: AMQPError.self) { try send(as: "other", userID: "acme") }
        try send(as: "acme", userID: "acme")
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 2 })
        let rejections = try worker.drain(worker.rejections)
        #expect(rejections.allSatisfy { $0.header("code") == .text("account.forbidden") })
        #expect(String(decoding: rejections[0].body, as: UTF8.self).contains(#"not open to user \"other\""#))
        #expect(try worker.drain(worker.fanout).map(\.messageID) == ["acme/pages@1"])
        #expect(worker.stop() == 0)
    }
}
