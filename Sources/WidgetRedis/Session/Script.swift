/// What runs inside the server, each as one transaction.
enum Script: CaseIterable {
    case commit, takeOver, abandoned

    var text: [UInt8] {
        switch self {
        case .commit: PackageResources.commit_lua
        case .takeOver: PackageResources.takeover_lua
        case .abandoned: PackageResources.abandoned_lua
        }
    }
}
