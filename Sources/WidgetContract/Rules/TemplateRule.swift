/// The templates, in the order in which the contract lists them.
public enum Template: String, CaseIterable, Sendable {
    case value, progress, status, gauge
    case statList = "stat_list"
    case trend, countdown, battery, schedule, flow

    /// Its position in `allCases`.
    var position: Int {
        switch self {
        case .value: 0
        case .progress: 1
        case .status: 2
        case .gauge: 3
        case .statList: 4
        case .trend: 5
        case .countdown: 6
        case .battery: 7
        case .schedule: 8
        case .flow: 9
        }
    }
}

/// What a template asks of the content beyond the rules of each member.
public final class TemplateRule: Sendable {
    public let template: Template
    /// Members of the content that must be set.
    public let needs: [String]
    /// When all of these are set, `needs` is waived.
    public let unlessAllOf: [String]
    /// Bounds of `value`.
    public let valueRange: ClosedRange<Double>?
    /// `min_value` strictly below `max_value` when both are set.
    public let ordersBounds: Bool
    /// `value` from `min_value` to `max_value`.
    public let keepsValueInBounds: Bool
    /// `device_sort` is applied to `devices` on write.
    public let sortsDevices: Bool
    /// A device build of at least 1.6 is needed to draw it.
    public let needsNewBuild: Bool

    let neededPositions: [Int]
    let waivingPositions: [Int]

    init(
        _ template: Template, needs: [String] = [], unlessAllOf: [String] = [], valueRange: ClosedRange<Double>? = nil,
        ordersBounds: Bool = false, keepsValueInBounds: Bool = false, sortsDevices: Bool = false,
        needsNewBuild: Bool = false
    ) {
        self.template = template
        self.needs = needs
        self.unlessAllOf = unlessAllOf
        self.valueRange = valueRange
        self.ordersBounds = ordersBounds
        self.keepsValueInBounds = keepsValueInBounds
        self.sortsDevices = sortsDevices
        self.needsNewBuild = needsNewBuild
        let content = Contract.object(.content)
        neededPositions = needs.compactMap { content.position(of: $0) }
        waivingPositions = unlessAllOf.compactMap { content.position(of: $0) }
    }
}

/// Members of the content that rules name beyond their own; the raw value is the position in the rule table.
enum ContentMember: Int {
    case template = 0
    case value = 10
    case minValue = 11
    case maxValue = 12
    case startDate = 14
    case endDate = 15
    case statRows = 16
    case devices = 18
    case deviceSort = 19
    case subtitleTimer = 22
}
