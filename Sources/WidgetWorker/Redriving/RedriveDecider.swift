/// Says of each message of a rejections queue what a redrive does with it. Knows no broker.
public struct RedriveDecider {
    public enum Decision: Sendable {
        /// It is not meant.
        case leave
        /// It is meant, or may be, and cannot be sent in again; the rejection as far as it could be read.
        case refuse(StoredRejection?, RedriveRefusal)
        case send(StoredRejection, Message)
    }

    private let selection: RedriveSelection
    private var reader = StoredRejectionReader()

    public init(_ selection: RedriveSelection) {
        self.selection = selection
    }

    /// - Parameter message: as the queue handed it out.
    public mutating func decide(_ message: Message) -> Decision {
        guard message.type == OutcomeWriter.rejectionType else { return .leave }
        let rejection: StoredRejection
        do throws(RedriveRefusal) {
            rejection = try reader.read(message)
        } catch {
            return .refuse(nil, error)
        }
        guard selection.takes(rejection) else { return .leave }
        do throws(RedriveRefusal) {
            return .send(rejection, try rejection.restored(from: message))
        } catch {
            return .refuse(rejection, error)
        }
    }
}
