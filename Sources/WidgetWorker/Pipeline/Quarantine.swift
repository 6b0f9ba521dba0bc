/// Keeps a message that crashes the worker from doing so for ever: what was in hand at one crash is run alone, so that
/// no other message shares its fate, and what was in hand at two is refused unread.
///
/// Only what comes back can have been in hand. The first delivery that never was handed out before comes behind all
/// that were, so once it is finished the notes are, too.
struct Quarantine {
    enum Advice {
        case usual
        case alone
        case refuse
    }

    private var crashes: [Fingerprint: Int] = [:]
    /// At some crash a whole batch was in hand.
    private var isBatchSuspect = false

    init(_ notes: [InHand]) {
        for hand in notes {
            switch hand {
            case .nothing: break
            case .batch: isBatchSuspect = true
            case .message(let fingerprint): crashes[fingerprint, default: 0] += 1
            }
        }
    }

    /// Some message is under suspicion.
    var isActive: Bool { isBatchSuspect || !crashes.isEmpty }

    func advice(for fingerprint: Fingerprint, redelivered: Bool) -> Advice {
        guard redelivered else { return .usual }
        switch crashes[fingerprint, default: 0] + (isBatchSuspect ? 1 : 0) {
        case 0: return .usual
        case 1: return .alone
        default: return .refuse
        }
    }
}
