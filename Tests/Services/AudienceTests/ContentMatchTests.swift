import Basics
import Concert
import Podium
import Score
import Testing

@testable import Audience
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers

/// Bars that the follower may name and the slides do not know.
@Suite(.ownThreads) struct ContentMatchTests {
    let stage: ContentStage
    let served: PublishedConcert

    init() async throws {
        stage = try await ContentStage()
        served = try #require(stage.desk.servedConcert)
    }

    /// The first piece with further bars behind its own.
    private func longer(by bars: Int) throws -> ShowPiece {
        let piece = try served.course().pieces[0]
        let last = try #require(piece.measures.marks.last)
        let more = (0..<bars).map {
            PlayedMeasure(
                printed: 900 + $0, onset: ReferenceTime(seconds: last.onset.seconds + 100 + Double($0)))
        }
        return try ShowPiece(
            name: piece.name, folder: piece.folder,
            measures: MeasureMap(
                marks: piece.measures.marks + more,
                end: ReferenceTime(seconds: last.onset.seconds + 101 + Double(bars))))
    }

    @Test func piecesFromTheSameScoreHaveNoFinding() throws {
        #expect(SlideCoverage.describeUncoveredMeasuresOfProgramme(try served.course(), in: served) == [])
        #expect(SlideCoverage.describeUncoveredMeasures(try longer(by: 1), in: nil) == nil)
    }

    @Test func barsThatTheSlidesDoNotKnowAreNamed() throws {
        let sentence = try #require(SlideCoverage.describeUncoveredMeasures(try longer(by: 3), in: served))
        #expect(sentence.contains("has no bars 900 to 902,") && sentence.contains("slide before"))
    }

    @Test func aPieceWithoutContentIsNamed() throws {
        let piece = try ShowPiece(
            name: PieceName("Nobody, Nothing: I"), folder: "x",
            measures: try served.course().pieces[0].measures)
        #expect(
            SlideCoverage.describeUncoveredMeasures(piece, in: served)?.contains(
                "no piece “Nobody, Nothing: I”") == true)
    }

    @Test func stretchesAreWrittenAsPeopleSayThem() {
        #expect(SlideCoverage.measureRangesText([57]) == "bar 57")
        #expect(SlideCoverage.measureRangesText([57, 58, 59, 88]) == "bars 57 to 59, 88")
        #expect(SlideCoverage.measureRangesText([1, 3, 5, 7, 9, 11]) == "bars 1, 3, 5, 7, 9 and others")
    }

    @Test func theFindingLastsAsLongAsThePieceIsLive() throws {
        var podium = Podium(course: try ShowProgramme(title: "T", pieces: [longer(by: 1)]))
        func picture() -> ShowEngineSnapshot {
            ShowEngineSnapshot(
                now: .zero, programme: podium.course, state: podium.state, measureFraction: 0,
                newestReport: nil,
                isActiveServer: true,
                nextCueCountdown: nil)
        }
        let watch = SlideCoverageCache()
        #expect(watch.findFault(picture(), served) == nil)
        let command = try PodiumCommand(words: ["piece", "1"])
        _ = podium.process(.command(command, by: CommandSender(name: "a", role: .technician)), at: .zero)
        #expect(watch.findFault(picture(), served)?.contains("bar 900") == true)
        #expect(watch.findFault(picture(), nil) == nil)
    }
}
