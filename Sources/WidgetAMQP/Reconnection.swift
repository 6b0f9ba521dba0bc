/// Decides when to try which address next.
struct Reconnection {
    enum Step: Equatable {
        /// Try the address at this index now.
        case connect(Int)
        /// Wait for so many milliseconds, then ask again.
        case wait(milliseconds: Int)
    }

    /// A connection that served this long was a success: one that is lost sooner goes on with the backoff, so a queue
    /// that can be declared and not consumed is no busy loop. Milliseconds.
    static let lasting = 5_000

    private let addresses: Int
    private var backoff: Backoff
    private var address = 0
    private var triedInRound = 0
    private var roundNeedsSomebody = false
    private var readySince: Int?

    init(addresses: Int, backoff: Backoff) {
        self.addresses = addresses
        self.backoff = backoff
    }

    /// What comes next, at the start and after a wait.
    func begin() -> Step { .connect(address) }

    /// The connection serves.
    mutating func ready(now: Int) {
        readySince = now
        triedInRound = 0
        roundNeedsSomebody = false
    }

    /// An attempt failed, or a connection was lost. The other addresses of the round are tried before any wait.
    mutating func failed(needsSomebody: Bool, now: Int) -> Step {
        if let since = readySince {
            readySince = nil
            if now - since >= Self.lasting { backoff.reset() }
            // A connection that served and was lost: the same broker again, after a while.
            return .wait(milliseconds: backoff.next(slowly: needsSomebody))
        }
        triedInRound += 1
        roundNeedsSomebody = roundNeedsSomebody || needsSomebody
        address = (address + 1) % addresses
        if triedInRound < addresses { return .connect(address) }
        defer {
            triedInRound = 0
            roundNeedsSomebody = false
        }
        return .wait(milliseconds: backoff.next(slowly: roundNeedsSomebody))
    }
}
