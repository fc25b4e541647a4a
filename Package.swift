// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

// Kernels stay optimised in debug builds: the SIMD loops are some fifty times slower without it.
let hot: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func domain(_ name: String, _ imports: [Target.Dependency] = [], settings: [SwiftSetting] = strict) -> Target
{
    .target(name: name, dependencies: imports, swiftSettings: settings)
}

func tests(of name: String, _ imports: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.target(name: name)] + imports, swiftSettings: strict)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]

let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

let web: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HummingbirdTLS", package: "hummingbird"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

let package = Package(
    name: "baton",
    products: [.executable(name: "baton", targets: ["baton"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries: a shim header and a module map each.
        .systemLibrary(name: "CFFTW3f", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Domain: knows neither files nor sockets.
        domain("MusicalTime"),
        domain("Chance", settings: hot),
        domain("Digests", settings: hot),
        domain("Score", ["MusicalTime"]),
        domain("Features", ["MusicalTime", real], settings: hot),
        domain("Alignment", ["Features", "MusicalTime", real], settings: hot),
        domain("Following", ["Alignment", "Features", "Score", "MusicalTime", real], settings: hot),
        domain("Concert", ["Score", "MusicalTime"]),
        domain("Podium", ["Concert", "Following", "Score", "MusicalTime"]),
        domain("Rehearsal", ["Podium", "Score", "MusicalTime"]),
        domain("Accuracy", ["Chance", "Score", "MusicalTime"]),

        // Adapters: each owns one technology, none imports another.
        domain("RealTime", ["MusicalTime"], settings: hot),
        domain("FFTWTransform", ["CFFTW3f", "Features"], settings: hot),
        domain("SoundFiles", ["CSndFile", "MusicalTime"], settings: hot),
        domain("ALSACapture", ["CALSA", "MusicalTime"], settings: hot),
        domain(
            "ReferenceStore", ["Alignment", "Digests", "Features", "Following", "Score", "MusicalTime"],
            settings: hot),
        domain("ScoreFiles", ["Concert", "Score", "MusicalTime"]),
        domain("ChildProcesses"),
        domain("ScorePages", ["ChildProcesses", "Score", "MusicalTime"], settings: hot),
        domain("Rendering", ["Chance", "ChildProcesses", "Score", "MusicalTime"]),
        domain("Multicast", ["Concert", "MusicalTime"] + nio),
        domain("ShowControl", ["Podium"] + nio),
        domain("MessageBroker", ["CMosquitto", "Podium"]),
        domain("Passwords", ["CSodium"]),
        domain("ZipFiles", ["CZlib"]),
        domain("Catalogue", [.product(name: "GRDB", package: "GRDB.swift")]),
        domain("ShowLog", ["Podium"]),
        domain("BackupLink", ["Digests", "Podium"] + nio),
        .target(
            name: "WebServer",
            dependencies: nio + web + [.product(name: "NIOHTTP1", package: "swift-nio")],
            resources: [.copy("Pages")], swiftSettings: strict),

        // The one command: composition, sentences for errors, exit codes.
        .executableTarget(
            name: "baton",
            dependencies: [
                "MusicalTime", "Digests", "Score", "Features", "Alignment", "Following", "Concert",
                "Accuracy", "Chance",
                "RealTime", "FFTWTransform", "SoundFiles", "ALSACapture", "ReferenceStore", "ScoreFiles",
                "Rendering", "Multicast", "Podium", "ShowControl", "MessageBroker", "Passwords", "Catalogue",
                "ShowLog", "BackupLink", "WebServer", "Rehearsal", "ScorePages", "ZipFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        tests(of: "MusicalTime"),
        tests(of: "Chance"),
        tests(of: "Digests"),
        tests(of: "Score", ["MusicalTime"]),
        tests(of: "Features", ["MusicalTime", "FFTWTransform"]),
        tests(of: "Alignment", ["Features", "MusicalTime"]),
        tests(of: "Following", ["Alignment", "Features", "Score", "MusicalTime", "FFTWTransform"]),
        tests(of: "Concert", ["Chance", "Score", "MusicalTime"]),
        tests(of: "Accuracy", ["Chance", "Score", "MusicalTime"]),
        tests(of: "RealTime", ["MusicalTime"]),
        tests(of: "SoundFiles", ["MusicalTime"]),
        tests(of: "ALSACapture", ["MusicalTime"]),
        tests(
            of: "ReferenceStore",
            ["Alignment", "Chance", "Digests", "Features", "Following", "Score", "MusicalTime"]),
        tests(of: "ScoreFiles", ["Chance", "Concert", "Score", "MusicalTime"]),
        tests(of: "ChildProcesses"),
        tests(of: "Rendering", ["ChildProcesses", "Score", "MusicalTime"]),
        tests(of: "Multicast", ["Concert", "Score", "MusicalTime"] + nio),
        tests(of: "Podium", ["Chance", "Concert", "Following", "Score", "MusicalTime"]),
        tests(of: "Rehearsal", ["Chance", "Podium", "Concert", "Following", "Score", "MusicalTime"]),
        tests(of: "ScorePages", ["ChildProcesses", "Score", "MusicalTime"]),
        tests(of: "ShowControl", ["Chance", "Podium"] + nio),
        tests(of: "MessageBroker", ["Podium"]),
        tests(of: "Passwords"),
        tests(of: "ZipFiles"),
        tests(of: "Catalogue", ["Chance", .product(name: "GRDB", package: "GRDB.swift")]),
        tests(of: "ShowLog", ["Podium"]),
        tests(of: "BackupLink", ["Podium"] + nio),
        tests(
            of: "WebServer",
            nio + web + [
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        .testTarget(
            name: "batonTests",
            dependencies: [
                "baton", "Accuracy", "Catalogue", "Concert", "Digests", "FFTWTransform", "Following",
                "MessageBroker",
                "MusicalTime", "Podium", "RealTime", "Score", "ScoreFiles", "ShowControl", "ShowLog",
                "Multicast", "Passwords", "ReferenceStore", "Rehearsal", "ScorePages", "SoundFiles",
                "WebServer", "ZipFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ] + nio + web,
            swiftSettings: strict),
    ]
)
