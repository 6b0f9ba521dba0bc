import WidgetPresentation

extension Style {
    /// The terminal's colour that is nearest to a named one; `nil` for one that has no name.
    init?(_ color: PresentedColor?) {
        switch color?.name {
        case .red, .pink: self = .red
        case .green, .mint: self = .green
        case .yellow, .orange, .brown: self = .yellow
        case .blue, .indigo, .purple: self = .blue
        case .teal, .cyan: self = .cyan
        case nil: return nil
        }
    }
}
