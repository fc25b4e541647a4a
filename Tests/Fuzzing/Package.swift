// swift-tools-version: 6.2
// Fuzzers of everything that parses bytes from outside; see Tools/fuzz. Not part of the product: libFuzzer brings its
// own main, and its instrumentation must not enter a release.
import PackageDescription

let watched: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-O", "-sanitize=fuzzer,address", "-enable-testing"]),
]

func library(_ name: String, _ imports: [Target.Dependency] = [], without: [String] = []) -> Target {
    let errors: [Target.Dependency] = name == "Explanations" ? [] : ["Explanations"]
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
        library("Explanations"),
        library("MusicalTime"),
        library("Names"),
        library("Score", ["Names", "MusicalTime"]),
        library("Features", ["MusicalTime", real]),
        library("Alignment", ["Features", "MusicalTime", real]),
        library("Following", ["Alignment", "Features", "Score", "MusicalTime", real]),
        library("Diary"),
        library("Concert", ["Diary", "Names", "Score", "MusicalTime"]),
        library("Spreadsheets"),
        library("Floor", ["Names"]),
        library("Titles", ["Spreadsheets"]),
        library(
            "Podium", ["Concert", "Floor", "Following", "Score", "Spreadsheets", "Titles", "MusicalTime"]),
        library("Rehearsal", ["Names", "Podium", "Score", "MusicalTime"]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0"),
        library("SafeXML", ["CXML2", "Spreadsheets"]),
        library("ScoreFiles", ["Concert", "SafeXML", "Score", "Spreadsheets", "MusicalTime"]),
        library("ShowControl", nio),
        library("PresentingProtocol", nio),
        library("Chance"),
        library("Tablature"),
        library("ChildProcesses"),
        .systemLibrary(name: "CZlib"),
        library("Compression", ["CZlib"]),
        library("ZipFiles", ["Compression"]),
        library("TabFiles", ["ChildProcesses", "SafeXML", "Spreadsheets", "Tablature"]),
        library("Rendering", ["Chance", "ChildProcesses", "Score", "Spreadsheets", "MusicalTime"]),
        library(
            "TabExchange", ["ChildProcesses", "Rendering", "TabFiles", "Tablature", "ZipFiles"],
            without: ["TabExchangeConverter.swift"]),

        library("FuzzDriver"),
        fuzzer("packets", ["Concert"]),
        fuzzer("osc", ["ShowControl"]),
        fuzzer("content", ["ScoreFiles", "Concert"]),
        fuzzer("drawings", ["ScoreFiles"]),
        fuzzer("times", ["ScoreFiles"]),
        fuzzer("stands", ["Rehearsal"]),
        fuzzer("tabs", ["TabExchange", "TabFiles", "Tablature"]),
        fuzzer("archives", ["TabFiles", "ZipFiles"]),
        fuzzer("presenting", ["PresentingProtocol"]),
        fuzzer("titles", ["Titles"]),
    ]
)
