/// A state, told by a colour and by a shape: on the Lock Screen only the shape is left.
enum Severity: String, CaseIterable, Sendable {
    case info, warning, critical, success

    var color: ColorName { Self.colors[self] ?? .blue }

    /// An SF Symbol's name; unset is a plain circle.
    static func symbol(_ severity: Severity?) -> String { severity.flatMap { symbols[$0] } ?? "circle.fill" }

    private static let colors: [Severity: ColorName] = [
        .info: .blue, .warning: .orange, .critical: .red, .success: .green,
    ]
    private static let symbols: [Severity: String] = [
        .info: "info.circle.fill", .warning: "exclamationmark.triangle.fill",
        .critical: "exclamationmark.octagon.fill", .success: "checkmark.circle.fill",
    ]
}
