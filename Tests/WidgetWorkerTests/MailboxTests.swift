import Dispatch
import Testing
import WidgetTestSupport
import WidgetWorker

@Suite struct MailboxTests {
    @Test("everything that is there is taken at once, oldest first")
    func order() {
        let mailbox = Mailbox<Int>()
        for number in 0..<5 { mailbox.post(number) }
        #expect(mailbox.take(waitingMilliseconds: nil) == [0, 1, 2, 3, 4])
        #expect(mailbox.take(waitingMilliseconds: 0) == [])
    }

    @Test("a take that nothing comes for returns empty after its time", arguments: [-5, 0, 20])
    func timedOut(_ milliseconds: Int) {
        let mailbox = Mailbox<Int>()
        let start = ContinuousClock.now
        #expect(mailbox.take(waitingMilliseconds: milliseconds) == [])
        #expect(start.duration(to: .now) >= .milliseconds(milliseconds))
        mailbox.post(1)
        #expect(mailbox.take(waitingMilliseconds: 0) == [1])
        #expect(mailbox.take(waitingMilliseconds: 1) == [])
    }

    @Test("a waiting take returns when something comes", arguments: [nil, 60_000])
    func woken(_ milliseconds: Int?) {
        let mailbox = Mailbox<Int>()
        DispatchQueue.global().async { mailbox.post(1) }
        let start = ContinuousClock.now
        #expect(mailbox.take(waitingMilliseconds: milliseconds) == [1])
        #expect(start.duration(to: .now) < .seconds(55))
    }

    @Test("posts from several threads all arrive, those of each in their order", arguments: [nil, 0, 1])
    func severalThreads(_ milliseconds: Int?) {
        let threads = 4
        let each = 2_000
        let mailbox = Mailbox<(thread: Int, number: Int)>()
        for thread in 0..<threads {
            DispatchQueue(label: "poster-\(thread)").async {
                for number in 0..<each { mailbox.post((thread, number)) }
            }
        }
        var next = Array(repeating: 0, count: threads)
        let isComplete = Poll.until {
            for (thread, number) in mailbox.take(waitingMilliseconds: milliseconds) {
                #expect(number == next[thread])
                next[thread] += 1
            }
            return next.allSatisfy { $0 == each }
        }
        #expect(isComplete)
        #expect(mailbox.take(waitingMilliseconds: 0).isEmpty)
    }
}
