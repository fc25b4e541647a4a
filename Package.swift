// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

// Kernels stay optimised in debug builds: the SIMD loops are some fifty times slower without it.
let hot: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// The layers: a folder of Sources/ each, its tests in the same folder of Tests/; docs/architecture.md draws them.
enum Layer: String { case engine = "Engine", show = "Show", adapters = "Adapters", services = "Services" }

func module(
    _ layer: Layer, _ name: String, _ imports: [Target.Dependency] = [], resources: [Resource]? = nil,
    settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: imports, path: "Sources/\(layer.rawValue)/\(name)", resources: resources,
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
        name: name + "Tests", dependencies: [.target(name: name), "Repository"] + helpers + imports,
        path: "Tests/\(layer.rawValue)/\(name)Tests", swiftSettings: strict)
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
        module(.engine, "MusicalTime"),
        module(.engine, "Chance", settings: hot),
        module(.engine, "Names"),
        module(.engine, "Score", ["MusicalTime", "Names"]),
        module(.engine, "Features", ["MusicalTime", real], settings: hot),
        module(.engine, "Alignment", ["Features", "MusicalTime", real], settings: hot),
        module(.engine, "Following", ["Alignment", "Features", "Score", "MusicalTime", real], settings: hot),
        module(.show, "Concert", ["Diary", "Names", "Score", "MusicalTime"]),
        module(.show, "Floor", ["Names"]),
        module(.show, "Spreadsheets"),
        module(.show, "Titles", ["Spreadsheets"]),
        module(
            .show, "Podium",
            ["Concert", "Floor", "Following", "Score", "Spreadsheets", "Titles", "MusicalTime"]),
        module(.show, "Rehearsal", ["Names", "Podium", "Score", "MusicalTime"]),
        module(.show, "Drafts", ["Names", "Score"]),
        module(.show, "Diary", settings: hot),
        module(.engine, "Tablature", settings: hot),
        module(.engine, "Accuracy", ["Chance", "Score", "MusicalTime"]),
        module(.engine, "TakeReport", ["Features", "MusicalTime", real], settings: hot),

        // Under the adapters: what several of them use.
        module(.adapters, "ChildProcesses"),
        module(.adapters, "Compression", ["CZlib"]),
        module(.adapters, "Digests", ["CSodium"], settings: hot),
        module(.adapters, "DurableFiles"),
        module(.adapters, "PDFWriting", ["CCairo"]),
        module(.adapters, "SafeXML", ["CXML2", "Spreadsheets"], settings: hot),

        // Adapters: each owns one technology, none imports another.
        module(.adapters, "RealTime", ["MusicalTime"], settings: hot),
        module(.adapters, "FFTWTransform", ["CFFTW3f", "Features"], settings: hot),
        module(.adapters, "Pictures", ["ChildProcesses", "Compression"]),
        module(.adapters, "SoundFiles", ["CSndFile", "ChildProcesses", "MusicalTime"], settings: hot),
        module(.adapters, "ALSACapture", ["CALSA", "MusicalTime"], settings: hot),
        module(
            .adapters, "ReferenceStore",
            [
                "Alignment", "Compression", "Digests", "DurableFiles", "Features", "Following", "Score",
                "MusicalTime",
            ],
            settings: hot),
        module(.adapters, "ScoreFiles", ["Concert", "MusicalTime", "SafeXML", "Score", "Spreadsheets"]),
        module(
            .adapters, "ScorePages", ["ChildProcesses", "PDFWriting", "Score", "MusicalTime"], settings: hot),
        module(
            .adapters, "Rendering", ["Chance", "ChildProcesses", "Score", "Spreadsheets", "MusicalTime"]),
        module(
            .adapters, "TabFiles", ["ChildProcesses", "SafeXML", "Spreadsheets", "Tablature"], settings: hot),
        module(.adapters, "Multicast", ["Concert", "MusicalTime"] + nio),
        module(.adapters, "ShowControl", ["Podium"] + nio),
        module(.adapters, "MessageBroker", ["CMosquitto", "Podium"]),
        module(.adapters, "Passwords", ["Digests"]),
        module(.adapters, "ZipFiles", ["Compression"]),
        module(.adapters, "QRCodes", ["CQRencode"]),
        module(.adapters, "SettingsFiles", ["Spreadsheets", .product(name: "Yams", package: "Yams")]),
        module(
            .adapters, "Catalogue",
            [
                "Diary", "Digests", "DurableFiles", "Names", "Rehearsal",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        module(.adapters, "DiaryFiles", ["Diary", "DurableFiles", "Spreadsheets"], settings: hot),
        module(.adapters, "MusicDatabases", ["ChildProcesses", "Diary"]),
        module(.adapters, "ShowLog", ["Compression", "DurableFiles", "Podium"]),
        module(.adapters, "BackupLink", ["Digests", "Podium"] + nio),
        module(.adapters, "PresentingProtocol", nio),
        module(
            .adapters, "WebServer",
            ["ChildProcesses", "Compression", "Digests", "DurableFiles"] + nio + web + [
                .product(name: "NIOHTTP1", package: "swift-nio")
            ],
            resources: pages),

        // Services: what runs. The first three are what services share; no service imports another.
        module(
            .services, "Hosting",
            [
                lifecycle,
                "BackupLink", "Catalogue", "DurableFiles", "Following", "MusicalTime", "Podium", "RealTime",
                "Rehearsal", "ShowLog", "Titles", "WebServer",
            ]),
        module(
            .services, "Listening",
            [
                "Accuracy", "Alignment", "FFTWTransform", "Features", "Following", "MusicalTime", "Score",
                "ScoreFiles", "SoundFiles",
            ]),
        module(
            .services, "Content",
            [
                "Catalogue", "Concert", "Digests", "MusicalTime", "PDFWriting", "Pictures", "Podium", "Score",
                "ScoreFiles", "WebServer",
            ]),
        module(
            .services, "Performance",
            [
                lifecycle,
                "ALSACapture", "BackupLink", "Concert", "DurableFiles", "FFTWTransform", "Features",
                "Digests",
                "Following", "Hosting", "Listening", "MessageBroker", "Multicast", "MusicalTime", "Podium",
                "RealTime", "ReferenceStore", "Score",
                "ScoreFiles",
                "ShowControl", "ShowLog", "SoundFiles", "Titles", "WebServer",
            ]),
        module(
            .services, "Console",
            ["Concert", "Following", "Hosting", "Names", "Podium", "RealTime", "Score", "WebServer"],
            resources: pages),
        module(
            .services, "Screen",
            [
                "Catalogue", "Concert", "Floor", "Hosting", "MusicalTime", "PDFWriting", "Podium", "Score",
                "ScoreFiles",
                "Titles", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Practice",
            [
                "Catalogue", "ChildProcesses", "Hosting", "Rendering", "TabFiles", "Tablature", "WebServer",
                "ZipFiles",
            ],
            resources: pages),
        module(
            .services, "SignIn", ["Catalogue", "Hosting", "Names", "Passwords", "QRCodes", "WebServer"],
            resources: pages),
        module(
            .services, "Audience",
            [
                "Catalogue", "Concert", "Content", "Digests", "Hosting", "MessageBroker", "Multicast",
                "Podium", "QRCodes", "ReferenceStore", "Score", "ScoreFiles", "Titles", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Editor",
            [
                lifecycle,
                "Catalogue", "Concert", "Content", "Digests", "DurableFiles", "Following", "Hosting",
                "Listening", "MusicalTime", "Names", "Podium", "ReferenceStore", "Rehearsal", "Score",
                "ScoreFiles", "SoundFiles",
                "WebServer", "ZipFiles",
            ],
            resources: pages),
        module(
            .services, "ScoreLibrary",
            [
                lifecycle,
                "Catalogue", "Digests", "Hosting", "MusicalTime", "Podium", "Rehearsal", "Score",
                "Rendering", "ScoreFiles",
                "ScorePages", "SoundFiles", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Remarking", [lifecycle, "Catalogue", "Hosting", "Rehearsal", "WebServer"]),
        module(
            .services, "Stands",
            [
                lifecycle, "Alignment", "Catalogue", "Digests", "FFTWTransform", "Following", "Hosting",
                "Listening",
                "MusicalTime", "Passwords", "Podium", "RealTime", "ReferenceStore", "Rehearsal", "Score",
                "SoundFiles", "TakeReport", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Presenting",
            [
                lifecycle,
                "ChildProcesses", "Digests", "Floor", "Hosting", "Names", "PDFWriting", "Pictures", "Podium",
                "PresentingProtocol", "ScorePages", "ShowLog", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Replication",
            [
                lifecycle, "BackupLink", "Catalogue", "Digests", "DurableFiles", "Hosting", "Passwords",
                "Podium",
                "RealTime", "ShowLog",
            ]),
        module(
            .services, "Preparation",
            [
                lifecycle,
                "Alignment", "Chance", "ChildProcesses", "Drafts", "DurableFiles", "FFTWTransform",
                "Features",
                "Following", "Hosting", "Listening", "MusicalTime", "Podium", "ReferenceStore", "Rendering",
                "Score",
                "ScoreFiles", "ScorePages",
                "ShowLog", "SoundFiles", "WebServer",
            ],
            resources: pages, settings: hot),
        module(
            .services, "Recordings",
            [
                lifecycle,
                "Catalogue", "ChildProcesses", "DurableFiles", "Hosting", "Listening", "MusicalTime",
                "RealTime",
                "ReferenceStore", "SoundFiles", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Students",
            [
                lifecycle,
                "Alignment", "Catalogue", "Digests", "FFTWTransform", "Features", "Following", "Hosting",
                "Listening", "MusicalTime", "Names", "Passwords", "Podium", "RealTime", "ReferenceStore",
                "Rendering", "Score", "ScoreFiles", "ScorePages", "SoundFiles", "TabFiles", "TakeReport",
                "WebServer",
            ],
            resources: pages),
        module(
            .services, "DiaryKeeping",
            [
                lifecycle, "Catalogue", "Diary", "DiaryFiles", "Digests", "Hosting", "Names", "Passwords",
                "Podium", "Score",
                "ShowLog", "WebServer",
            ],
            resources: pages),
        module(
            .services, "Evaluation",
            [
                "Accuracy", "Alignment", "FFTWTransform", "Features", "Following", "Listening", "MusicalTime",
                "Podium", "Rehearsal", "Score", "SoundFiles", "Spreadsheets",
            ]),
        module(
            .services, "Benchmark",
            [
                "Alignment", "Chance",
                "FFTWTransform", "Features", "Following", "Hosting", "Listening", "MusicalTime", "RealTime",
                "Score", "SoundFiles",
            ]),

        // The list of services that a running server is.
        .target(
            name: "Composition",
            dependencies: [
                lifecycle,
                "Audience", "BackupLink", "Catalogue", "Console", "Content", "Diary", "DiaryKeeping",
                "Editor",
                "Following",
                "Hosting",
                "MusicDatabases", "Passwords",
                "Performance", "Podium", "Practice", "Preparation", "Presenting", "Recordings",
                "Rehearsal", "Remarking", "Replication",
                "Score",
                "ScoreLibrary", "Screen", "ShowLog", "SignIn", "Stands", "Students", "WebServer",
            ],
            path: "Sources/baton/Composition", swiftSettings: strict),

        // The one command: arguments, sentences for errors, exit codes.
        .executableTarget(
            name: "baton",
            dependencies: [
                "Composition",
                "ALSACapture", "Accuracy", "Alignment",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                "Audience", "BackupLink", "Benchmark", "Catalogue", "Concert", "Console", "Content", "Diary",
                "DiaryFiles", "DiaryKeeping", "Editor", "Evaluation", "FFTWTransform", "Features",
                "Following", "Hosting",
                "Listening", "MessageBroker", "Multicast", "MusicalTime", "Names", "Passwords", "Performance",
                "Podium", "Practice", "Preparation", "Presenting", "PresentingProtocol", "RealTime",
                "Recordings",
                "ReferenceStore", "Rendering",
                "Score", "ScoreFiles", "Screen", "SettingsFiles", "ShowControl", "ShowLog", "SoundFiles",
                "Spreadsheets", "TakeReport",
                "TabFiles",
                "Tablature", "Titles", "WebServer",
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
                "TestHelpers", "Console", "FFTWTransform", "Following", "Hosting", "MusicalTime",
                "Performance",
                "Podium", "RealTime", "Score", "ShowLog", "SoundFiles", "WebServer",
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
                "Alignment", .product(name: "ArgumentParser", package: "swift-argument-parser"), "BackupLink",
                "Composition", "Concert", "Features", "Following", "Hosting", "MessageBroker", "Multicast",
                "MusicalTime", "Performance", "Podium", "RealTime", "Score", "ScoreFiles", "ShowControl",
                "WebServer",
            ],
            path: "Tests/Support/ScriptedServer", swiftSettings: strict),

        tests(.engine, of: "MusicalTime"),
        tests(.engine, of: "Names"),
        tests(.engine, of: "Chance"),
        tests(.adapters, of: "Digests"),
        tests(.adapters, of: "DurableFiles"),
        tests(.engine, of: "Score", ["MusicalTime"]),
        tests(.engine, of: "TakeReport", ["Chance", "FFTWTransform", "Features"]),
        tests(.engine, of: "Features", ["MusicalTime", "FFTWTransform"]),
        tests(.engine, of: "Alignment", ["Features", "MusicalTime"]),
        tests(.engine, of: "Following", ["Alignment", "Features", "Score", "MusicalTime", "FFTWTransform"]),
        tests(.show, of: "Concert", ["Chance", "Score", "MusicalTime"]),
        tests(.engine, of: "Tablature"),
        tests(.engine, of: "Accuracy", ["Chance", "Score", "MusicalTime"]),
        tests(.adapters, of: "RealTime", ["MusicalTime"]),
        tests(.adapters, of: "SoundFiles", ["MusicalTime"]),
        tests(.adapters, of: "ALSACapture", ["MusicalTime"]),
        tests(
            .adapters, of: "ReferenceStore",
            [
                "Alignment", "Chance", "Compression", "Digests", "Features", "Following", "Score",
                "MusicalTime",
            ]),
        tests(.adapters, of: "ScoreFiles", ["Chance", "Concert", "MusicalTime", "SafeXML", "Score"]),
        tests(.adapters, of: "ChildProcesses"),
        tests(.adapters, of: "Compression"),
        tests(.adapters, of: "Rendering", ["ChildProcesses", "Score", "MusicalTime"]),
        tests(.adapters, of: "PresentingProtocol", ["Chance"]),
        tests(.adapters, of: "Multicast", ["Concert", "Score", "MusicalTime"] + nio),
        tests(.show, of: "Floor", ["Chance"]),
        tests(
            .show, of: "Podium",
            ["Chance", "Concert", "Floor", "Following", "Score", "Titles", "MusicalTime"]),
        tests(.show, of: "Titles", ["Chance"]),
        tests(.show, of: "Drafts", ["Chance"]),
        tests(.show, of: "Diary"),
        tests(.adapters, of: "DiaryFiles", ["Diary"]),
        tests(
            .adapters, of: "MusicDatabases",
            ["Diary", .product(name: "NIOHTTP1", package: "swift-nio")] + nio),
        tests(.show, of: "Rehearsal", ["Chance", "Podium", "Concert", "Following", "Score", "MusicalTime"]),
        tests(
            .services, of: "Presenting",
            [
                "ShowStages", "Floor", "Hosting", "Performance", "Podium", "PresentingProtocol", "Score",
                "ScorePages", "ShowLog", "WebServer",
            ]),
        tests(.adapters, of: "ScorePages", ["ChildProcesses", "PDFWriting", "Score", "MusicalTime"]),
        tests(.adapters, of: "ShowControl", ["Chance", "Podium"] + nio),
        tests(.adapters, of: "MessageBroker", ["Podium"]),
        tests(.adapters, of: "Passwords"),
        tests(.adapters, of: "TabFiles", ["Tablature"]),
        tests(.adapters, of: "Pictures", ["Compression"]),
        tests(.adapters, of: "ZipFiles"),
        tests(.adapters, of: "QRCodes"),
        tests(.adapters, of: "SettingsFiles"),
        tests(
            .adapters, of: "Catalogue",
            ["Chance", "Diary", "Rehearsal", .product(name: "GRDB", package: "GRDB.swift")]),
        tests(.adapters, of: "ShowLog", ["Podium"]),
        tests(.adapters, of: "BackupLink", ["Podium"] + nio),
        tests(
            .adapters, of: "WebServer",
            nio + web + [
                "ChildProcesses", "Console", "Hosting", testedHTTP,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(.services, of: "Hosting", ["ContentStages", "Catalogue", "WebServer"]),
        tests(
            .services, of: "Content", ["Catalogue", "ContentStages", "Concert", "Editor", "Hosting"]),
        tests(
            .services, of: "Performance",
            [
                "ShowStages", "BackupLink", "Concert", "Console", "FFTWTransform", "Following", "Hosting",
                "MessageBroker", "MusicalTime", "Podium", "RealTime", "Score", "ScoreLibrary", "ShowControl",
                "ALSACapture", "ShowLog",
                "SoundFiles", "Titles", "WebServer",
            ]),
        tests(
            .services, of: "Console",
            [
                testedHTTP, .product(name: "Hummingbird", package: "hummingbird"),
                "ShowStages", "Concert", "Following", "Hosting", "Performance", "Podium", "RealTime",
                "ShowControl",
                "WebServer",
            ]),
        tests(
            .services, of: "Screen",
            [
                "BackupLink", "Catalogue", "Floor", "ShowStages", "Hosting", "Podium", "RealTime", "Titles",
                "WebServer",
            ]),
        tests(
            .services, of: "Practice",
            ["Catalogue", "Hosting", "TabFiles", "Tablature", "WebServer", "ZipFiles", testedHTTP] + web),
        tests(.services, of: "SignIn", ["Catalogue", "Hosting", "Passwords", "WebServer"]),
        tests(
            .services, of: "Audience",
            [
                "ContentStages", "Concert", "Content", "Digests", "Editor", "Following", "Hosting",
                "Multicast",
                "MusicalTime", "Performance", "Podium", "Score", "ScoreFiles", "Titles", "WebServer",
                testedHTTP,
            ] + nio + web),
        tests(
            .services, of: "Editor",
            [
                "Audience", "ContentStages", "Catalogue", "Concert", "Content", "Hosting", "MusicalTime",
                "Podium", "Rehearsal", "Score", "ScoreFiles",
                "WebServer", "ZipFiles", testedHTTP,
            ] + nio + web),
        tests(
            .services, of: "ScoreLibrary",
            [
                "LibraryStages", "Catalogue", "Digests", "Hosting", "Rehearsal", "ScorePages", "WebServer",
                testedHTTP,
            ]
                + web),
        tests(.services, of: "Remarking", ["Catalogue", "Hosting", "Rehearsal", "WebServer"]),
        tests(
            .services, of: "Stands",
            [
                "ShowStages", "Catalogue", "Hosting", "MusicalTime", "Passwords", "Podium", "ReferenceStore",
                "Rehearsal", "Score", "SoundFiles", "WebServer",
            ] + nio),
        tests(
            .services, of: "Recordings",
            [
                "Catalogue", "Hosting", "Listening", "MusicalTime", "RealTime", "ReferenceStore",
                "SoundFiles",
                "WebServer", testedHTTP,
            ] + web),
        tests(
            .services, of: "DiaryKeeping",
            [
                "ShowStages", "Catalogue", "Diary", "Hosting", "Performance", "Podium", "Score", "ShowLog",
                "WebServer", testedHTTP,
            ] + web),
        tests(
            .services, of: "Preparation",
            [
                "Alignment", "ChildProcesses", "Drafts", "DurableFiles", "Features", "Following", "Hosting",
                "Listening", "MusicalTime", "Podium", "ReferenceStore", "Score", "ScoreFiles", "ShowLog",
                "SoundFiles",
                "WebServer",
                testedHTTP,
            ] + web),
        tests(
            .services, of: "Students",
            [
                "Catalogue", "Chance", "FFTWTransform", "Features", "Following", "Hosting", "MusicalTime",
                "RealTime", "ReferenceStore", "Rendering", "Score", "SoundFiles", "TabFiles", "WebServer",
            ]),
        tests(.services, of: "Replication", ["Catalogue", "Digests", "Hosting", "ScoreLibrary"]),
        tests(
            .services, of: "Evaluation",
            [
                "ShowStages", "Accuracy", "Benchmark", "Hosting", "Listening", "MusicalTime", "Score",
                "SoundFiles",
            ]),
        .testTarget(
            name: "batonTests",
            dependencies: [
                "baton", "Composition", "TestHelpers", "ShowStages", "ContentStages", "LibraryStages",
                "Audience", "Console", "Content", "DiaryKeeping", "Editor", "Evaluation", "Hosting",
                "Performance",
                "Practice", "Preparation", "Presenting", "Recordings", "Remarking",
                "ScoreLibrary", "Screen", "SignIn", "Stands", "Students",
                "Accuracy", "BackupLink", "Catalogue", "Features", "Following", "MessageBroker",
                "MusicalTime",
                "Passwords", "Podium", "PresentingProtocol", "RealTime", "Repository", "Score",
                "SettingsFiles",
                "ShowControl", "ShowLog", "SoundFiles", "WebServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), testedHTTP,
            ] + nio + web,
            swiftSettings: strict),
    ]
)
