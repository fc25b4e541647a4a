// swift-tools-version: 6.2
// Fuzzers of everything that parses bytes from outside; see Tools/fuzz. Not part of the product: libFuzzer brings its
// own main, and its instrumentation must not enter a release.
import PackageDescription

let watched: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-O", "-sanitize=fuzzer,address", "-enable-testing"]),
]

func library(_ name: String, _ imports: [Target.Dependency] = [], without: [String] = []) -> Target {
    let errors: [Target.Dependency] = name == "Basics" ? [] : ["Basics"]
    return .target(name: name, dependencies: errors + imports, exclude: without, swiftSettings: watched)
}

func fuzzer(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: imports + ["FuzzDriver"], path: "Fuzzers/" + name,
        swiftSettings: watched + [.unsafeFlags(["-parse-as-library"])],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]
let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    ],
    targets: [
        // The product's own sources, compiled again with instrumentation.
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        library("Basics"),
        library("Score"),
        library("Features", [real]),
        library("Alignment", ["Features", real]),
        library("Following", ["Alignment", "Features", "Score", real]),
        library("Tablature"),
        library("Diary"),
        library("Concert", ["Diary", "Score"]),
        library("Floor"),
        library("Titles"),
        library("Podium", ["Concert", "Floor", "Following", "Score", "Titles"]),
        library("Rehearsal", ["Podium", "Score"]),
        library("Platform", ["CSodium", "CXML2", "CZlib"]),
        library("ScoreFiles", ["Concert", "Platform", "Score"]),
        library("ShowControl", ["Platform", "Podium"] + nio),
        library("PresentingProtocol", nio),
        library("TabFiles", ["Platform", "Tablature"]),
        library(
            "TabExchange", ["Platform", "ScoreFiles", "TabFiles", "Tablature"],
            without: ["TabExchangeConverter.swift"]),

        library("FuzzDriver"),
        fuzzer("packets", ["Concert"]),
        fuzzer("osc", ["ShowControl"]),
        fuzzer("content", ["ScoreFiles", "Concert"]),
        fuzzer("drawings", ["ScoreFiles"]),
        fuzzer("times", ["ScoreFiles"]),
        fuzzer("stands", ["Rehearsal"]),
        fuzzer("tabs", ["TabExchange", "TabFiles", "Tablature"]),
        fuzzer("archives", ["Platform", "TabFiles"]),
        fuzzer("presenting", ["PresentingProtocol"]),
        fuzzer("titles", ["Titles"]),
    ]
)
