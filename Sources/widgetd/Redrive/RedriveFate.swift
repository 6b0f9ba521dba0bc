import WidgetWorker

/// What becomes of a rejection that is meant.
struct RedriveFate {
    enum Outcome {
        /// Under `--dry-run`: would be sent.
        case sent
        case refused(RedriveRefusal)
    }

    let rejectionID: String
    /// `nil` where it cannot be read.
    let rejection: StoredRejection?
    let outcome: Outcome
}
