import Foundation
import Testing
import WidgetAMQP
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

/// A message that aborts the process.
@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence))
struct QuarantineTests {
    /// Stands before zlib's `inflate` and aborts on a packed body with the word "poison" in it.
    private static let poisonable = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <string.h>
        #include <zlib.h>
        int inflate(z_streamp stream, int flush) {
            static int (*next)(z_streamp, int);
            if (memmem(stream->next_in, stream->avail_in, "poison", 6)) abort();
            if (!next) next = (int (*)(z_streamp, int))dlsym(RTLD_NEXT, "inflate");
            return next(stream, flush);
        }
        """#

    @Test(
        "a message that aborts the process is quarantined at the third start, and a hundred others are done", .row(14))
    func quarantined() throws {
        let worker = try WorkerProcess()
        // A sanitizer's library may be there already.
        let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { $0 + ":" } ?? ""
        worker.environment["LD_PRELOAD"] = try preloaded + Self.library(in: worker.folder)
        try worker.startAndWait()
        for number in 0..<50 { try Self.send(number, to: worker) }
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 50 }, "\(worker.log)")
        worker.kill()
        var poison = AMQPMessage(
            exchange: worker.updates, routingKey: "acme.poison", body: Gzip.stored(#"{"name":"poison"}"#))
        poison.contentEncoding = "gzip"
        poison.messageID = "the-poison"
        for number in 50..<75 { try Self.send(number, to: worker) }
        _ = try worker.client.publish(poison)
        for number in 75..<100 { try Self.send(number, to: worker) }

        for _ in 0..<2 {
            try worker.start()
            #expect(worker.waitUntil { worker.hasEnded }, "\(worker.log)")
        }
        try worker.start()
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 1 }, "\(worker.log)")
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        #expect(worker.stop() == 0)
        let slugs = try worker.drain(worker.fanout).map(\.routingKey)
        #expect(Set(slugs).count == 100)
        let rejection = try #require(try worker.drain(worker.rejections).first)
        #expect(rejection.routingKey == "acme.poison.message.quarantined")
        #expect(rejection.messageID == "rejected:the-poison")
        #expect(String(decoding: rejection.body, as: UTF8.self).contains(#""status":500"#))
    }

    private static func send(_ number: Int, to worker: WorkerProcess) throws {
        let body = #"{"name":"n","content":{"template":"value","value":\#(number)}}"#
        var message = AMQPMessage(exchange: worker.updates, routingKey: "acme.w\(number)", body: Array(body.utf8))
        message.type = "widget.create"
        _ = try worker.client.publish(message)
    }

    private static func library(in folder: TemporaryFolder) throws -> String {
        let source = folder.path("poisonable.c")
        try poisonable.write(toFile: source, atomically: false, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/cc")
        compiler.arguments = ["-shared", "-fPIC", "-o", folder.path("poisonable.so"), source, "-ldl"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return folder.path("poisonable.so")
    }
}
