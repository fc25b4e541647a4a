import Basics
import Foundation
import Score
import ScoreFiles
import Testing

/// The sections of a piece, from wherever people entered them.
@Suite struct PieceSectionsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// Bars 1 to 4, played twice.
    private static func measures() throws -> MeasureMap {
        try MeasureMap(
            marks: (0..<8).map {
                PlayedMeasure(printed: $0 % 4 + 1, onset: ReferenceTime(seconds: Double($0) * 2))
            }, end: ReferenceTime(seconds: 16))
    }

    private func write(_ sections: [EnteredSection], to place: String) throws {
        try write(String(decoding: PieceSections.encode(sections), as: UTF8.self), to: place)
    }

    private func write(_ text: String, to place: String) throws {
        let url = folder.appending(path: place)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func starts(_ problems: (String) -> Void = { _ in }) throws -> [String] {
        defer { try? FileManager.default.removeItem(at: folder) }
        return try PieceSections(recordings: folder.path + "/recordings", data: folder.path + "/data")
            .starts(of: "piece", measures: Self.measures(), reportProblem: problems).map {
                "\($0.label)@\($0.start)"
            }
    }

    @Test func lettersOfAllSourcesAreKnownInTheOrderOfTheirMeasures() throws {
        try write(
            [
                EnteredSection(label: "Trio", printed: 3, played: 2, source: .content),
                EnteredSection(label: "B", printed: 3, source: .score),
            ], to: "data/sections/piece.json")
        try write(
            [EnteredSection(label: "C", printed: 1, played: 4, source: .preparation)],
            to: "recordings/piece/sections.json")
        #expect(try starts() == ["Trio@2", "B@2", "C@4"])
    }

    @Test func aLabelIsTakenFromOneSourceWhereItMayStandSeveralTimes() throws {
        try write(
            [
                EnteredSection(label: "Theme", printed: 1, played: 0, source: .content),
                EnteredSection(label: "Theme", printed: 1, played: 4, source: .content),
                EnteredSection(label: "theme", printed: 2, source: .score),
            ], to: "data/sections/piece.json")
        #expect(try starts() == ["Theme@0", "Theme@4"])
    }

    @Test func whatDoesNotFitTheMeasuresIsLeftOut() throws {
        try write(
            [
                EnteredSection(label: "A", printed: 9, source: .preparation),
                EnteredSection(label: "", printed: 1, source: .preparation),
                EnteredSection(label: "B", printed: 2, played: 70, source: .preparation),
            ], to: "recordings/piece/sections.json")
        #expect(try starts() == ["B@1"])
    }

    @Test(arguments: ["", "{}", "[1]", #"[{"label":"A"}]"#])
    func aDamagedFileIsNamedAndTheOthersCount(text: String) throws {
        try write(text, to: "recordings/piece/sections.json")
        try write(
            [EnteredSection(label: "A", printed: 2, source: .score)], to: "data/sections/piece.json")
        var said: [String] = []
        #expect(try starts { said.append($0) } == ["A@1"])
        #expect(said.count == 1 && said[0].hasPrefix("piece/sections.json is no list of sections"))
    }
}
