import WidgetAdmin

/// What the worker that runs here says of itself, for the probes of containers: `/livez` and `/readyz` of its admin
/// address, without another program in the image and without the token on a command line.
struct HealthCheck {
    enum Question: String, CaseIterable {
        case live, ready
    }

    private let question: Question
    private let address: AdminAddress
    private let token: String?

    /// - Throws: `ProgramError` where there is no address to ask.
    init(_ values: OptionValues) throws {
        question = try values.choice("health")
        guard let address = AdminAddress(try values.required("admin")) else {
            throw ProgramError.usage("--health asks the worker at --admin, and --admin is off; give it ADDRESS:PORT")
        }
        self.address = address
        token = try values.text("admin-token")
    }

    func run(_ report: inout CheckReport) throws {
        do {
            let answer = try AdminClient(address, token: token).get("/\(question.rawValue)z")
            let body = answer.body.split(whereSeparator: \.isNewline).joined(separator: " ")
            try report.add(answer.status == 200 ? .ok : .fault, "worker", "\(answer.status) \(body)")
        } catch let error as AdminError {
            try report.add(.fault, "worker", error.description, status: .unavailable)
        }
    }
}
