/// What a widget is drawn on.
public struct Device: Hashable, Sendable {
    public var build: DeviceBuild
    public var family: Family

    public init(_ build: DeviceBuild, _ family: Family) {
        self.build = build
        self.family = family
    }
}

/// The build of the app on a device, as far as it tells what is drawn; the raw value is for routes and options.
public enum DeviceBuild: String, CaseIterable, Sendable {
    case before16 = "before_1.6"
    case from16 = "1.6"
}

/// The places a widget can stand in: three on the Home Screen, three on the Lock Screen.
public enum Family: String, CaseIterable, Sendable {
    case small, medium, large
    case rectangular, circular, inline

    public var isHomeScreen: Bool { FamilyRoom.of(self).isHomeScreen }
}
