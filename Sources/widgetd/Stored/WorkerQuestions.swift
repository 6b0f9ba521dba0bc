import WidgetAdmin
import WidgetJSON
import WidgetJSONParsing

/// Asks the worker at `--admin` for JSON (PROTOCOL section 5).
struct WorkerQuestions {
    private let client: AdminClient
    private let reader = DocumentReader()
    /// The address as people write it.
    let place: String

    /// - Returns: `nil` when the options name no address.
    init?(_ values: OptionValues) throws {
        guard let text = try values.text("admin"), let address = AdminAddress(text) else { return nil }
        client = AdminClient(address, token: try values.text("admin-token"))
        place = text
    }

    /// - Parameter path: with its query, both of letters that need no escape.
    /// - Returns: the answer; `nil` when there is nothing at the path.
    /// - Throws: `ProgramError` when the worker is not there or refuses to tell.
    func get(_ path: String) throws -> Document? {
        let answer: AdminClient.Answer
        do {
            answer = try client.get(path)
        } catch let error as AdminError {
            throw ProgramError.unavailable(
                "\(error); name its admin address with --admin, or its store with --store")
        }
        guard let document = try? reader.read(Array(answer.body.utf8), depth: 64) else {
            throw ProgramError.unavailable(
                "\(place) answers GET \(path) with something else than JSON; is that a worker's admin address?")
        }
        switch answer.status {
        case 200: return document
        case 404: return nil
        case 401:
            throw ProgramError.unavailable(
                "the worker at \(place) wants its token: name the token's file in WIDGETD_ADMIN_TOKEN_FILE")
        default:
            throw ProgramError.unavailable(
                "the worker at \(place) answers \(answer.status): \(document.text("detail") ?? "without a reason")")
        }
    }
}
