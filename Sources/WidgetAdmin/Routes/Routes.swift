import Synchronization
import WidgetContract
import WidgetJSON
import WidgetWorker

/// Which request is answered by what.
final class Routes: Sendable {
    fileprivate typealias Answer = @Sendable (Routes, Request, [String]) throws -> Response

    fileprivate struct Route {
        let method: String
        /// Words of the path; `*` stands for any.
        let path: [String]
        /// It holds nothing of the worker's, and a browser asks for it before it can hand over a token.
        var isOpen = false
        let answer: Answer
    }

    private static let all: [Route] = [
        Route(method: "GET", path: ["livez"]) { routes, _, _ in routes.health.live() },
        Route(method: "GET", path: ["readyz"]) { routes, _, _ in routes.health.ready() },
        Route(method: "GET", path: ["metrics"]) { routes, _, _ in routes.metrics() },
        Route(method: "GET", path: ["api", "widgets"]) { routes, request, _ in
            try routes.widgets.list(request)
        },
        Route(method: "GET", path: ["api", "widgets", "*", "*"]) { routes, _, words in
            try routes.widgets.one(WidgetAddress(account: words[2], slug: words[3]))
        },
        Route(method: "GET", path: ["api", "widgets", "*", "*", "pending"]) { routes, _, words in
            try routes.widgets.pending(WidgetAddress(account: words[2], slug: words[3]))
        },
        Route(method: "GET", path: ["api", "pending"]) { routes, request, _ in
            try routes.widgets.pending(request)
        },
        Route(method: "GET", path: ["api", "accepted"]) { routes, request, _ in
            try routes.widgets.accepted(request)
        },
        Route(method: "GET", path: ["api", "status"]) { routes, request, _ in routes.status.answer(request) },
        Route(method: "GET", path: ["api", "contract"]) { _, _, _ in .json(ContractText.bytes) },
        Route(method: "POST", path: ["api", "check"]) { routes, request, _ in
            try routes.trial.check(request)
        },
        Route(method: "POST", path: ["api", "present"]) { routes, request, _ in
            routes.trial.present(request)
        },
        Route(method: "GET", path: ["api", "rejections"]) { routes, _, _ in routes.events.rejections() },
        Route(method: "GET", path: ["api", "events"]) { routes, request, _ in routes.events.stream(request) },
        Route(method: "GET", path: [], isOpen: true) { _, _, _ in Page.answer("status.html") },
        Route(method: "GET", path: ["playground"], isOpen: true) { _, _, _ in Page.answer("playground.html") },
        Route(method: "GET", path: ["pages", "*"], isOpen: true) { _, _, words in Page.answer(words[1]) },
    ]

    private let access: Access
    private let metricsText: MetricsText
    private let view: WorkerView
    private let health: HealthRoutes
    private let widgets: WidgetRoutes
    private let events: EventRoutes
    private let status: StatusRoute
    private let trial: TrialRoutes

    init(
        _ configuration: AdminServer.Configuration, view: WorkerView, clock: WorkerClock,
        openReader: (@Sendable () throws -> any WidgetReader)?
    ) {
        access = Access(token: configuration.token, address: configuration.address)
        metricsText = MetricsText(
            version: configuration.version, storeBytes: configuration.storeBytes,
            certificateEnds: configuration.certificateEnds)
        self.view = view
        health = HealthRoutes(view: view, clock: clock)
        let store = StoreView(openReader: openReader)
        widgets = WidgetRoutes(store: store, view: view)
        events = EventRoutes(view: view)
        status = StatusRoute(view: view, version: configuration.version, guarantees: configuration.guarantees)
        trial = TrialRoutes(store: store, limits: configuration.limits, clock: clock)
    }

    func answer(_ request: Request) -> Response {
        let words = request.words
        // HEAD is GET without the body (RFC 9110 section 9.3.2); the library leaves the body out.
        let method = request.method == "HEAD" ? "GET" : request.method
        let fitting = Self.all.filter { $0.matches(words) }
        if let refusal = access.refusal(of: request, isOpen: fitting.contains(where: \.isOpen)) { return refusal }
        guard let route = fitting.first(where: { $0.method == method }) else {
            guard let other = fitting.first else {
                return .problem(404, "Not Found", "there is nothing at \(request.path)")
            }
            var response = Response.problem(405, "Method Not Allowed", "\(request.path) takes \(other.method)")
            response.headers.append(("Allow", fitting.map(\.method).joined(separator: ", ")))
            return response
        }
        do {
            return try route.answer(self, request, words)
        } catch let error as StoreError {
            return .problem(503, "Service Unavailable", error.description)
        } catch {
            return .problem(500, "Internal Server Error", "\(error)")
        }
    }

    private func metrics() -> Response {
        .text(
            metricsText.write(view.read { $0.measures }),
            type: "text/plain; version=0.0.4; charset=utf-8")
    }
}

extension Routes.Route {
    fileprivate func matches(_ words: [String]) -> Bool {
        path.count == words.count && zip(path, words).allSatisfy { $0 == "*" || $0 == $1 }
    }
}
