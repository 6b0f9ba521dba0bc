/// The templates, in the order in which the contract lists them.
public enum PresentedTemplate: String, CaseIterable, Sendable {
    case value, progress, status, gauge
    case statList = "stat_list"
    case trend, countdown, battery, schedule, flow
}
