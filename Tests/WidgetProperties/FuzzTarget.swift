/// The parts of widgetd that read what others wrote, by the names that `deploy/fuzz` takes.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case json
    case dateTime = "date-time"
    case address
    case decide

    public var property: any InputProperty.Type {
        switch self {
        case .json: JSONProperty.self
        case .dateTime: DateTimeProperty.self
        case .address: AddressProperty.self
        case .decide: DecisionProperty.self
        }
    }
}
