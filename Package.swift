// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

// Kernels stay optimised in debug builds: the SIMD loops are some fifty times slower without it.
let hot: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// The layers: a folder of Sources/ each, its tests in the same folder of Tests/; docs/architecture.md draws them.
enum Layer: String {
    case engine = "Engine", show = "Show", platform = "Platform", adapters = "Adapters", services = "Services"

    /// The folder of a module: its own in its layer's, or the layer's if they have one name.
    func folder(_ name: String) -> String { rawValue == name ? name : "\(rawValue)/\(name)" }
}

func module(
    _ layer: Layer, _ name: String, _ imports: [Target.Dependency] = [], resources: [Resource]? = nil,
    settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: (name == "Basics" ? [] : ["Basics"]) + imports,
        path: "Sources/\(layer.folder(name))", resources: resources,
        swiftSettings: settings)
}

// Web pages lie beside the Swift that serves them; the build copies each such folder beside the program.
let pages: [Resource] = [.copy("Pages")]

func cLibrary(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(Layer.adapters.rawValue)/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([package])])
}

func tests(_ layer: Layer, of name: String, _ imports: [Target.Dependency] = []) -> Target {
    let helpers: [Target.Dependency] = layer == .engine || layer == .show ? [] : ["TestHelpers"]
    return .testTarget(
        name: name + "Tests",
        dependencies: [.target(name: name), "Repository"] + (name == "Basics" ? [] : ["Basics"]) + helpers
            + imports,
        path: "Tests/\(layer == .platform ? name : "\(layer.rawValue)/\(name)")Tests", swiftSettings: strict)
}

// Fixtures that several suites share. They see the internals of what they set up, so they are built with the tests.
func fixtures(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: imports, path: "Tests/Support/\(name)", swiftSettings: strict)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]

let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

let web: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

// Asks the routes of a server without a network.
let testedHTTP: Target.Dependency = "RouterTesting"

let package = Package(
    name: "baton",
    products: [.executable(name: "baton", targets: ["baton"])],
    dependencies: [
        // The command line.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // What hummingbird logs to.
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        // Sockets and their event loops.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        // TLS.
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        // Elementary functions for the engine.
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
        // SQLite.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // HTTP: server, router, cookies.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        // YAML, for settings files: it tells the line of each setting.
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        // Starting and stopping in order.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // C libraries: a shim header and a module map each.
        cLibrary("CFFTW3f", pkgConfig: "fftw3f", package: "libfftw3-dev"),
        cLibrary("CALSA", pkgConfig: "alsa", package: "libasound2-dev"),
        cLibrary("CSndFile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
        cLibrary("CMosquitto", pkgConfig: "libmosquitto", package: "libmosquitto-dev"),
        cLibrary("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        cLibrary("CCairo", pkgConfig: "pangocairo", package: "libpango1.0-dev"),
        cLibrary("CQRencode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        cLibrary("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        cLibrary("CXML2", pkgConfig: "libxml-2.0", package: "libxml2-dev"),

        // Domain: knows neither files nor sockets.
        module(.engine, "Basics", settings: hot),
        module(.engine, "Score"),
        module(.engine, "Features", [real], settings: hot),
        module(.engine, "Alignment", [real, "Features"], settings: hot),
        module(.engine, "Following", [real, "Alignment", "Features", "Score"], settings: hot),
        module(.show, "Concert", ["Diary", "Score"]),
        module(.show, "Editing"),
        module(.show, "Floor"),
        module(.show, "TimeCode"),
        module(.show, "Titles"),
        module(.show, "Podium", ["Concert", "Floor", "Following", "Score", "Titles"]),
        module(.show, "Rehearsal", ["Podium", "Score"]),
        module(.show, "Diary", settings: hot),
        module(.engine, "Tablature", settings: hot),
        module(.engine, "Accuracy", ["Score"]),
        module(.engine, "TakeReport", [real, "Alignment", "Features", "Score"], settings: hot),

        // Under the adapters: what several of them use.
        module(.platform, "Platform", ["CSodium", "CXML2", "CZlib"], settings: hot),
        module(.adapters, "PDFWriting", ["CCairo"]),
        module(
            .adapters, "Sound", ["CALSA", "CFFTW3f", "CSndFile", "Features", "Platform"],
            settings: hot),
        module(.adapters, "Pictures", ["CQRencode", "Platform"]),
        module(
            .adapters, "ReferenceStore",
            ["Alignment", "Features", "Following", "Platform", "Score"], settings: hot),
        module(.adapters, "ScoreFiles", ["Concert", "Platform", "Score"]),
        module(.adapters, "ScorePages", ["PDFWriting", "Platform", "Score"], settings: hot),
        module(.adapters, "TabFiles", ["Platform", "Tablature"], settings: hot),
        module(.adapters, "NetworkLinks", ["CMosquitto", "Concert", "Podium"] + nio),
        module(.adapters, "ShowControl", ["Platform", "Podium"] + nio),
        module(.adapters, "MIDILinks", ["Platform"]),
        module(.adapters, "TimeCodeLinks"),
        module(.adapters, "SettingsFiles", [.product(name: "Yams", package: "Yams")]),
        module(
            .adapters, "Catalogue",
            ["Diary", "Editing", "Platform", "Rehearsal", .product(name: "GRDB", package: "GRDB.swift")]),
        module(.adapters, "DiaryFiles", ["Diary", "Platform"], settings: hot),
        module(.adapters, "ShowLog", ["Platform", "Podium"]),
        module(.adapters, "BackupLink", ["Platform", "Podium"] + nio),
        module(.adapters, "PresentingProtocol", nio),
        module(
            .adapters, "WebServer",
            ["Platform", .product(name: "NIOHTTP1", package: "swift-nio")] + nio + web, resources: pages),

        // Services: what runs. The first three are what services share; no service imports another.
        module(
            .services, "Hosting",
            [
                lifecycle, "BackupLink", "Catalogue", "Following", "Platform", "Podium",
                "Rehearsal", "Score", "ShowLog", "TimeCode", "Titles", "WebServer",
            ]),
        module(
            .services, "Listening",
            ["Accuracy", "Alignment", "Features", "Following", "Score", "ScoreFiles", "Sound"]),
        module(
            .services, "Content",
            [
                "Catalogue", "Concert", "PDFWriting", "Pictures", "Platform", "Podium", "Score",
                "ScoreFiles", "WebServer",
            ]),
        module(
            .services, "Performance",
            [
                lifecycle, "BackupLink", "Concert", "Features", "Following", "Hosting", "Listening",
                "MIDILinks", "NetworkLinks", "Platform", "Podium", "ReferenceStore", "Score", "ScoreFiles",
                "ShowControl",
                "ShowLog", "Sound", "Titles", "WebServer",
            ]),
        module(
            .services, "TimeCodeSending",
            [
                lifecycle, "Following", "Hosting", "MIDILinks", "Platform", "Podium", "Score", "ShowLog",
                "Sound", "TimeCode", "TimeCodeLinks", "WebServer",
            ]),
        module(
            .services, "Console",
            ["Concert", "Following", "Hosting", "Platform", "Podium", "Score", "WebServer"],
            resources: pages),
        module(
            .services, "Screen",
            [
                lifecycle, "Catalogue", "Concert", "Floor", "Hosting", "Listening", "PDFWriting", "Pictures",
                "Platform", "Podium", "Score", "ScoreFiles", "TimeCode", "Titles", "WebServer",
            ], resources: pages),
        module(
            .services, "Practice",
            ["Catalogue", "Hosting", "Platform", "ScoreFiles", "TabFiles", "Tablature", "WebServer"],
            resources: pages),
        module(
            .services, "SignIn", ["Catalogue", "Hosting", "Pictures", "Platform", "WebServer"],
            resources: pages),
        module(
            .services, "Audience",
            [
                "Catalogue", "Concert", "Content", "Hosting", "NetworkLinks", "Pictures", "Platform",
                "Podium", "Score", "Titles", "WebServer",
            ], resources: pages),
        module(
            .services, "Editor",
            [
                lifecycle, "Catalogue", "Concert", "Content", "Following", "Hosting", "Listening",
                "Platform", "Podium", "ReferenceStore", "Rehearsal", "Score", "ScoreFiles", "Sound",
                "WebServer",
            ], resources: pages),
        module(
            .services, "ScoreLibrary",
            [
                lifecycle, "Catalogue", "Hosting", "Platform", "Podium", "Rehearsal", "Score",
                "ScoreFiles", "ScorePages", "Sound", "WebServer",
            ], resources: pages),
        module(
            .services, "Stands",
            [
                lifecycle, "Alignment", "Catalogue", "Following", "Hosting", "Listening",
                "Platform", "Podium", "ReferenceStore", "Rehearsal", "Score", "Sound", "TakeReport",
                "WebServer",
            ], resources: pages),
        module(
            .services, "Presenting",
            [
                lifecycle, "Floor", "Hosting", "PDFWriting", "Pictures", "Platform", "Podium",
                "PresentingProtocol", "ScorePages", "ShowLog", "WebServer",
            ], resources: pages),
        module(
            .services, "Replication",
            [lifecycle, "BackupLink", "Catalogue", "Hosting", "Platform", "Podium", "ShowLog"]),
        module(
            .services, "Preparation",
            [
                lifecycle, "Alignment", "Catalogue", "Concert", "Content", "Features", "Following",
                "Hosting", "Listening", "Platform", "Podium", "ReferenceStore", "Rehearsal", "Score",
                "ScoreFiles", "ScorePages", "ShowLog", "Sound", "WebServer",
            ], resources: pages, settings: hot),
        module(
            .services, "Recordings",
            [
                lifecycle, "Catalogue", "Hosting", "Listening", "Platform", "ReferenceStore",
                "Sound", "WebServer",
            ], resources: pages),
        module(
            .services, "Students",
            [
                lifecycle, "Alignment", "Catalogue", "Features", "Following", "Hosting",
                "Listening", "Platform", "Podium", "ReferenceStore", "Score", "ScoreFiles", "ScorePages",
                "Sound", "TabFiles", "TakeReport", "WebServer",
            ], resources: pages),
        module(
            .services, "DiaryKeeping",
            [
                lifecycle, "Catalogue", "Concert", "Diary", "DiaryFiles", "Editing", "Hosting", "Platform",
                "Podium", "Score", "ShowLog", "WebServer",
            ], resources: pages),
        module(
            .services, "Evaluation",
            [
                "Accuracy", "Alignment", "Features", "Following", "Hosting", "Listening",
                "Platform", "Podium", "Rehearsal", "Score", "Sound",
            ]),

        // The list of services that a running server is.
        .target(
            name: "Composition",
            dependencies: [
                lifecycle, "Audience", "BackupLink", "Basics", "Catalogue", "Console", "Content", "Diary",
                "DiaryFiles", "DiaryKeeping", "Editor", "Following", "Hosting", "Performance", "Platform",
                "Podium", "Practice", "Preparation", "Presenting", "Recordings", "Rehearsal", "Replication",
                "Score", "ScoreLibrary", "Screen", "ShowLog", "SignIn", "Stands", "Students",
                "TimeCode", "TimeCodeSending", "WebServer",
            ],
            path: "Sources/baton/Composition", swiftSettings: strict),

        // The one command: arguments, sentences for errors, exit codes.
        .executableTarget(
            name: "baton",
            dependencies: [
                "Accuracy", "Alignment", "Audience", "BackupLink", "Basics", "Catalogue", "Composition",
                "Concert", "Console", "Content", "Diary", "DiaryFiles", "DiaryKeeping", "Editor",
                "Evaluation", "Features", "Following", "Hosting", "Listening", "NetworkLinks", "Performance",
                "Platform", "Podium", "Practice", "Preparation", "Presenting", "PresentingProtocol",
                "Recordings", "ReferenceStore", "Score", "ScoreFiles", "Screen", "SettingsFiles",
                "ShowControl", "ShowLog", "Sound", "TabFiles", "Tablature", "TakeReport", "TimeCode",
                "TimeCodeLinks", "TimeCodeSending", "Titles",
                "WebServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Composition"], swiftSettings: strict),

        // Where the tests find the files of the repository.
        .target(name: "Repository", path: "Tests/Support/Repository", swiftSettings: strict),

        .target(
            name: "RouterTesting",
            dependencies: web + [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/Support/RouterTesting", swiftSettings: strict),

        // What several suites share: threads and files for every layer, then a stage for each kind of service.
        fixtures("TestHelpers", ["Repository"]),
        fixtures(
            "ShowStages",
            [
                "TestHelpers", "Basics", "Console", "Sound", "Following", "Hosting", "Performance",
                "Podium", "Platform", "Score", "ShowLog", "WebServer",
            ]),
        fixtures(
            "ContentStages",
            ["Repository", "Audience", "Catalogue", "Content", "Editor", "Hosting", "WebServer", testedHTTP]
                + nio
                + web),
        fixtures(
            "LibraryStages",
            ["Catalogue", "Hosting", "Rehearsal", "ScoreLibrary", "ScorePages", "WebServer", testedHTTP] + nio
                + web),

        // A server for tests of the pages: all of it is real but the follower.
        .executableTarget(
            name: "ScriptedServer",
            dependencies: [
                "Alignment", "BackupLink", "Basics", "Composition", "Concert", "Features", "Following",
                "Hosting", "NetworkLinks", "Performance", "Platform", "Podium", "Score", "ScoreFiles",
                "ShowControl", "WebServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Support/ScriptedServer", swiftSettings: strict),

        tests(.engine, of: "Basics"),
        tests(.platform, of: "Platform"),
        tests(.engine, of: "Score"),
        tests(.engine, of: "TakeReport", ["Features", "Sound"]),
        tests(.engine, of: "Features", ["Sound"]),
        tests(.engine, of: "Alignment", ["Features"]),
        tests(.engine, of: "Following", ["Alignment", "Features", "Score", "Sound"]),
        tests(.show, of: "Concert", ["Score"]),
        tests(.engine, of: "Tablature"),
        tests(.engine, of: "Accuracy", ["Score"]),
        tests(.adapters, of: "Sound"),
        tests(
            .adapters, of: "ReferenceStore",
            ["Alignment", "Features", "Following", "Platform", "Score"]),
        tests(.adapters, of: "ScoreFiles", ["Concert", "Platform", "Score"]),
        tests(.adapters, of: "PresentingProtocol"),
        tests(.adapters, of: "NetworkLinks", ["Concert", "Podium", "Score"] + nio),
        tests(.show, of: "Editing"),
        tests(.show, of: "Floor"),
        tests(.show, of: "Podium", ["Concert", "Floor", "Following", "Score", "Titles"]),
        tests(.show, of: "TimeCode"),
        tests(.show, of: "Titles"),
        tests(.show, of: "Diary"),
        tests(
            .adapters, of: "DiaryFiles", ["Diary", .product(name: "NIOHTTP1", package: "swift-nio")] + nio),
        tests(.show, of: "Rehearsal", ["Concert", "Following", "Podium", "Score"]),
        tests(
            .services, of: "Presenting",
            [
                "Floor", "Hosting", "Performance", "Pictures", "Podium", "PresentingProtocol", "Score",
                "ScorePages", "ShowLog", "ShowStages", "WebServer",
            ]),
        tests(.adapters, of: "ScorePages", ["PDFWriting", "Platform", "Score"]),
        tests(.adapters, of: "ShowControl", ["Podium"] + nio),
        tests(.adapters, of: "MIDILinks", ["Platform"]),
        tests(.adapters, of: "TabFiles", ["Tablature"]),
        tests(.adapters, of: "Pictures", ["Platform"]),
        tests(.adapters, of: "SettingsFiles"),
        tests(
            .adapters, of: "Catalogue",
            ["Diary", "Rehearsal", .product(name: "GRDB", package: "GRDB.swift")]),
        tests(.adapters, of: "ShowLog", ["Podium"]),
        tests(.adapters, of: "BackupLink", ["Podium"] + nio),
        tests(
            .adapters, of: "WebServer",
            [
                testedHTTP, "Console", "Hosting", "Platform",
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio + web),
        tests(.services, of: "Hosting", ["Catalogue", "ContentStages", "WebServer"]),
        tests(.services, of: "Content", ["Catalogue", "Concert", "ContentStages", "Editor", "Hosting"]),
        tests(
            .services, of: "Performance",
            [
                "BackupLink", "Concert", "Console", "Following", "Hosting", "MIDILinks", "NetworkLinks",
                "Platform",
                "Podium", "Score", "ScoreLibrary", "ShowControl", "ShowLog", "ShowStages", "Sound", "Titles",
                "WebServer",
            ]),
        tests(
            .services, of: "TimeCodeSending",
            [
                "Following", "Hosting", "MIDILinks", "Platform", "Podium", "Score", "ShowLog", "ShowStages",
                "Sound",
                "TimeCode", "WebServer",
            ]),
        tests(
            .services, of: "Console",
            [
                testedHTTP, "Concert", "Following", "Hosting", "Performance", "Platform", "Podium",
                "ShowControl", "ShowStages", "WebServer",
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        tests(
            .services, of: "Screen",
            [
                "BackupLink", "Catalogue", "Floor", "Hosting", "Platform", "Podium", "ShowStages", "TimeCode",
                "Titles", "WebServer",
            ]),
        tests(
            .services, of: "Practice",
            [testedHTTP, "Catalogue", "Hosting", "Platform", "TabFiles", "Tablature", "WebServer"] + web),
        tests(.services, of: "SignIn", ["Catalogue", "Hosting", "Platform", "WebServer"]),
        tests(
            .services, of: "Audience",
            [
                testedHTTP, "Concert", "Content", "ContentStages", "Editor", "Following", "Hosting",
                "NetworkLinks", "Performance", "Podium", "Score", "ScoreFiles", "Titles", "WebServer",
            ] + nio + web),
        tests(
            .services, of: "Editor",
            [
                testedHTTP, "Audience", "Catalogue", "Concert", "Content", "ContentStages",
                "Hosting", "Platform", "Podium", "Rehearsal", "Score", "ScoreFiles", "WebServer",
            ] + nio + web),
        tests(
            .services, of: "ScoreLibrary",
            [
                testedHTTP, "Catalogue", "Hosting", "LibraryStages", "Platform", "Rehearsal", "ScorePages",
                "WebServer",
            ] + web),
        tests(
            .services, of: "Stands",
            [
                "Catalogue", "Hosting", "Platform", "Podium", "ReferenceStore", "Rehearsal",
                "Score", "ShowStages", "Sound", "WebServer",
            ] + nio),
        tests(
            .services, of: "Recordings",
            [
                testedHTTP, "Catalogue", "Hosting", "Listening", "Platform", "ReferenceStore",
                "Sound", "WebServer",
            ] + web),
        tests(
            .services, of: "DiaryKeeping",
            [
                testedHTTP, "Catalogue", "Concert", "Diary", "Hosting", "Performance", "Podium", "Score",
                "ShowLog", "ShowStages", "WebServer",
            ] + web),
        tests(
            .services, of: "Preparation",
            [
                testedHTTP, "Alignment", "Concert", "Features", "Following", "Hosting", "Listening",
                "Platform", "Podium", "ReferenceStore", "Score", "ScoreFiles", "ShowLog", "Sound",
                "WebServer",
            ] + web),
        tests(
            .services, of: "Students",
            [
                "Catalogue", "Hosting", "Platform", "ReferenceStore", "ScoreFiles", "Sound", "TabFiles",
                "TakeReport", "WebServer",
            ]),
        tests(
            .services, of: "Replication",
            ["BackupLink", "Catalogue", "Hosting", "Platform", "ScoreLibrary"]),
        tests(
            .services, of: "Evaluation",
            ["Accuracy", "Hosting", "Listening", "Score", "ShowStages", "Sound"]),
        .testTarget(
            name: "batonTests",
            dependencies: [
                testedHTTP, "Accuracy", "Audience", "BackupLink", "Basics", "Catalogue", "Composition",
                "Console", "Content", "ContentStages", "DiaryKeeping", "Editor", "Evaluation", "Features",
                "Following", "Hosting", "LibraryStages", "NetworkLinks", "Performance", "Platform", "Podium",
                "Practice", "Preparation", "Presenting", "PresentingProtocol", "Recordings", "Repository",
                "Score", "ScoreLibrary", "Screen", "SettingsFiles", "ShowControl", "ShowLog", "ShowStages",
                "SignIn", "Sound", "Stands", "Students", "TestHelpers",
                "TimeCodeSending", "WebServer", "baton",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + nio + web,
            swiftSettings: strict),
    ]
)
