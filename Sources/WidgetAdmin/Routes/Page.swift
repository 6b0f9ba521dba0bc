/// The files of the pages, built into the program.
enum Page {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]

    private static let files: [String: [UInt8]] = [
        "status.html": PackageResources.status_html,
        "playground.html": PackageResources.playground_html,
        "style.css": PackageResources.style_css,
        "device.css": PackageResources.device_css,
        "status.js": PackageResources.status_js,
        "playground.js": PackageResources.playground_js,
        "presets.js": PackageResources.presets_js,
        "form.js": PackageResources.form_js,
        "messages.js": PackageResources.messages_js,
        "api.js": PackageResources.api_js,
        "element.js": PackageResources.element_js,
        "device.js": PackageResources.device_js,
        "chart.js": PackageResources.chart_js,
        "rejection.js": PackageResources.rejection_js,
    ]

    static func answer(_ name: String) -> Response {
        guard let bytes = files[name], let type = name.split(separator: ".").last.flatMap({ types[String($0)] }) else {
            return .problem(404, "Not Found", "there is no page \(name)")
        }
        return Response(type: type, content: .whole(bytes))
    }
}
