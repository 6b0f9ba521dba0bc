// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target; warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Settings of the targets that meet C or plain memory: each unsafe use says so.
let meetsC: [SwiftSetting] = strict + [.strictMemorySafety()]

/// A released program has Swift's library in it: it needs no Swift where it runs, and calls into it are shorter.
let withItsLibrary: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]

let package = Package(
    name: "widgetd",
    products: [
        .executable(name: "widgetd", targets: ["widgetd"]),
        .executable(name: "widgetd-bench", targets: ["widgetd-bench"]),
    ],
    targets: [
        // Layer 0: C libraries, each with one importer.
        .systemLibrary(name: "CRabbitMQ", pkgConfig: "librabbitmq", providers: [.apt(["librabbitmq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CGetopt"),
        // Without pkgConfig: SwiftPM warns of a flag in hiredis.pc.
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CCrashNotes", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .target(
            name: "CAMQPShim", dependencies: ["CRabbitMQ"],
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .target(
            name: "CRelay", dependencies: ["CRabbitMQ"],
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .target(
            name: "CSimdJSONShim",
            cxxSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("simdjson")]),

        .target(
            name: "CYardstick",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            cxxSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("simdjson")]),

        // Layer 1: values without transport.
        .target(name: "WidgetJSON", swiftSettings: meetsC),
        .target(name: "WidgetTime", swiftSettings: strict),
        .target(name: "WidgetTelemetry", swiftSettings: meetsC),
        .target(name: "WidgetURL", swiftSettings: strict),

        // Layer 2: what is legal, what is shown, and bytes to documents.
        .target(name: "WidgetContract", dependencies: ["WidgetJSON", "WidgetTime"], swiftSettings: meetsC),
        .target(name: "WidgetPresentation", dependencies: ["WidgetJSON", "WidgetTime"], swiftSettings: strict),
        .target(name: "WidgetJSONParsing", dependencies: ["WidgetJSON", "CSimdJSONShim"], swiftSettings: meetsC),

        // Layer 3: ports, stages, the pipeline.
        .target(
            name: "WidgetWorker",
            dependencies: [
                "WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTelemetry", "WidgetTime", "CZlib",
            ],
            swiftSettings: meetsC),

        // Layer 4: adapters behind the ports.
        .target(
            name: "WidgetAMQP",
            dependencies: ["WidgetWorker", "WidgetContract", "WidgetTelemetry", "WidgetURL", "CAMQPShim"],
            swiftSettings: meetsC),
        .target(
            name: "WidgetSQLite", dependencies: ["WidgetWorker", "WidgetContract", "WidgetTelemetry", "CSQLite"],
            swiftSettings: meetsC),
        .target(
            name: "WidgetRedis",
            dependencies: [
                "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetTelemetry", "WidgetURL", "CHiredis", "COpenSSL",
            ],
            resources: [.embedInCode("Scripts")],
            swiftSettings: meetsC),

        .target(
            name: "WidgetAdmin",
            dependencies: [
                "WidgetWorker", "WidgetContract", "WidgetPresentation", "WidgetJSON", "WidgetJSONParsing",
                "WidgetTelemetry", "WidgetTime", "CMicroHTTPD",
            ],
            resources: [.embedInCode("Pages")],
            swiftSettings: meetsC),
        .target(name: "WidgetSystemd", dependencies: ["WidgetWorker", "CSystemd"], swiftSettings: meetsC),
        .target(
            name: "WidgetCrashNotes", dependencies: ["WidgetWorker", "CCrashNotes"], swiftSettings: meetsC),

        // Layer 5: programs.
        .executableTarget(
            name: "widgetd",
            dependencies: [
                "WidgetAMQP", "WidgetRedis", "WidgetSQLite", "WidgetAdmin", "WidgetCrashNotes", "WidgetSystemd",
                "WidgetWorker",
                "WidgetContract", "WidgetPresentation", "WidgetJSON", "WidgetJSONParsing", "WidgetTelemetry",
                "WidgetTime", "WidgetURL",
                "CGetopt",
            ],
            swiftSettings: meetsC, linkerSettings: withItsLibrary),
        .executableTarget(
            name: "widgetd-bench",
            dependencies: [
                "WidgetAMQP", "WidgetSQLite", "WidgetAdmin", "WidgetWorker", "WidgetContract", "WidgetPresentation",
                "WidgetJSON", "WidgetJSONParsing", "WidgetTime", "CRelay", "CYardstick",
            ],
            swiftSettings: meetsC, linkerSettings: withItsLibrary),

        // Tests.
        .target(
            name: "WidgetTestSupport",
            dependencies: ["WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTime"],
            path: "Tests/WidgetTestSupport", swiftSettings: strict),
        .target(
            name: "WidgetProperties",
            dependencies: [
                "WidgetAMQP", "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTime",
                "WidgetURL",
            ],
            path: "Tests/WidgetProperties", swiftSettings: strict),
        .testTarget(
            name: "WidgetPropertyTests",
            dependencies: ["WidgetProperties", "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetTestSupport"],
            swiftSettings: strict),
        .target(
            name: "WorkerTestSupport", dependencies: ["WidgetAMQP", "WidgetTestSupport"],
            path: "Tests/WorkerTestSupport", swiftSettings: strict),
        .testTarget(
            name: "WidgetJSONTests", dependencies: ["WidgetJSON", "WidgetJSONParsing", "WidgetTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetTelemetryTests", dependencies: ["WidgetTelemetry"], swiftSettings: strict),
        .testTarget(
            name: "WidgetTimeTests",
            dependencies: ["WidgetTime", "WidgetJSON", "WidgetJSONParsing", "WidgetTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetContractTests",
            dependencies: ["WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTime", "WidgetTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetPresentationTests",
            dependencies: [
                "WidgetPresentation", "WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTime",
                "WidgetTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetWorkerTests",
            dependencies: [
                "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetJSONParsing", "WidgetTelemetry",
                "WidgetTime", "WidgetTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetSQLiteTests",
            dependencies: ["WidgetSQLite", "WidgetWorker", "WidgetContract", "WidgetTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetRedisTests",
            dependencies: [
                "WidgetRedis", "WidgetWorker", "WidgetContract", "WidgetTelemetry", "WidgetURL", "WidgetTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WidgetAMQPTests",
            dependencies: [
                "WidgetAMQP", "WidgetWorker", "WidgetContract", "WidgetTelemetry", "WidgetURL", "WidgetTestSupport",
                "WorkerTestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "WidgetAMQP", "WidgetSQLite", "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetJSONParsing",
                "WidgetTime", "WidgetTestSupport", "WorkerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "WidgetAMQP", "WidgetRedis", "WidgetWorker", "WidgetContract", "WidgetJSON", "WidgetTestSupport",
                "WorkerTestSupport",
            ],
            exclude: ["Preload"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17,
    cxxLanguageStandard: .gnucxx20
)

// `deploy/fuzz` sets it. libFuzzer brings its own main, so that no plain build can link this program.
if Context.environment["WIDGETD_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "widgetd-fuzz", dependencies: ["WidgetProperties", "WidgetJSON", "WidgetJSONParsing"],
            path: "Tests/widgetd-fuzz", swiftSettings: meetsC + [.unsafeFlags(["-parse-as-library"])]))
}
