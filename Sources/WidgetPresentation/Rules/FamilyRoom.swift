/// What fits into a family, whatever the template.
struct FamilyRoom: Sendable {
    var isHomeScreen = false
    var hasTitle = true
    var hasSubtitle = false
    /// Of the actions, the primary first.
    var buttons = 0
    /// Rows of a stat list.
    var rows: Int
    /// Rows of a stat list when every value is very short: two columns.
    var packedRows = 0
    /// Rows below a number or a bar.
    var supportingRows = 0
    var devices: Int
    var flowNodes: Int
    /// The totals of a flow's nodes.
    var hasTotals = false
    /// Sparklines and schedules.
    var hasCharts = true
    /// What a template's meter becomes; `nil` leaves it away.
    var meter: [Meter.Shape: Meter.Shape]

    static func of(_ family: Family) -> FamilyRoom { table[family] ?? least }

    private static let least = FamilyRoom(rows: 1, devices: 1, flowNodes: 1, hasCharts: false, meter: [:])

    private static let asIs: [Meter.Shape: Meter.Shape] = [.bar: .bar, .arc: .arc]
    private static let table: [Family: FamilyRoom] = [
        .small: FamilyRoom(isHomeScreen: true, buttons: 1, rows: 4, devices: 2, flowNodes: 6, meter: asIs),
        .medium: FamilyRoom(
            isHomeScreen: true, hasSubtitle: true, buttons: 2, rows: 6, devices: 4, flowNodes: 6, hasTotals: true,
            meter: asIs),
        .large: FamilyRoom(
            isHomeScreen: true, hasSubtitle: true, buttons: 2, rows: 6, supportingRows: 3, devices: 8, flowNodes: 6,
            hasTotals: true, meter: asIs),
        .rectangular: FamilyRoom(
            rows: 3, packedRows: 6, devices: 2, flowNodes: 3, meter: [.bar: .bar, .arc: .bar]),
        .circular: FamilyRoom(
            hasTitle: false, rows: 1, devices: 1, flowNodes: 1, hasCharts: false, meter: [.bar: .ring, .arc: .ring]),
        .inline: least,
    ]
}
