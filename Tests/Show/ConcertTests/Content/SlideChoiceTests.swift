import Basics
import Concert
import Score
import Testing

@Suite struct SlideChoiceTests {
    let track = Track(name: "The Music", slides: [slide(1, "one"), slide(3, "two"), slide(4, "three")])

    @Test func aSlideIsNeverShownBeforeItsMeasure() {
        #expect((0..<7).map { track.slideIndex(at: $0) } == [nil, 0, 0, 1, 2, 2, 2])
        #expect(track.slideIndex(at: -1) == nil)
    }

    @Test func nothingLaterEverStandsWhateverTheOrder() {
        var random = SeededRandomGenerator(seed: 9)
        for _ in 0..<300 {
            let slides = (0..<5).map { _ in
                let played = Int.random(in: -1..<6, using: &random)
                return played < 0
                    ? Slide(
                        place: MeasureAnchor(printed: 99, played: nil, time: .init(seconds: 0)),
                        text: SlideText("x"))
                    : slide(played)
            }
            let track = Track(name: "t", slides: slides)
            for played in 0..<6 {
                let begun = slides.compactMap(\.place.played).filter { $0 <= played }.max()
                #expect(
                    track.slideIndex(at: played).map { slides[$0].place.played } == begun.map { .some($0) })
            }
        }
    }

    @Test func theFirstPageWaitsForItsMeasure() {
        #expect(track.waitingSlideIndex == 0)
        #expect(Track(name: "empty").waitingSlideIndex == nil)
    }

    @Test func aSlideStandsUntilTheNext() {
        #expect(track.playedMeasures(ofSlide: 0, count: 6) == 1..<3)
        #expect(track.playedMeasures(ofSlide: 2, count: 6) == 4..<6)
        #expect(track.playedMeasures(ofSlide: 3, count: 6) == nil)
    }

    @Test func aPrintedNumberAndATimeNameThePlayedMeasure() {
        let played = PlayedMeasureLookup(sixMarks)
        #expect(played.playedMeasure(printed: 3, near: ReferenceTime(seconds: 5)) == 2)
        #expect(played.playedMeasure(printed: 3, near: ReferenceTime(seconds: 8)) == 4)
        #expect(played.playedMeasure(printed: 3, near: ReferenceTime(seconds: 6.5)) == 2)
        #expect(played.playedMeasure(printed: 3, near: ReferenceTime(seconds: 1e9)) == 4)
        #expect(played.playedMeasure(printed: 7, near: ReferenceTime(seconds: 5)) == nil)
    }

    @Test func aClientOfPrintedNumbersFollowsARepeat() throws {
        let piece = try goodPiece()
        var heard: [Int?] = []
        var last: Int?
        for printed in [1, 2, 3, 4, 3, 4, 1] {
            last = piece.playedMeasure(printed: printed, after: last)
            heard.append(last)
        }
        #expect(heard == [0, 1, 2, 3, 4, 5, 0])
        #expect(piece.playedMeasure(printed: 9, after: 2) == nil)
    }

    @Test func aSectionEndsWhereTheStructureDoes() throws {
        let piece = try goodPiece()
        #expect(piece.structure.endMeasureIndex(in: piece.measures) == 6)
        #expect(
            (0..<6).map { piece.structure.sectionIndex(at: $0, in: piece.measures) } == [0, 0, 1, 1, 1, 1])
        var early = piece.structure
        early.end = measurePlace(4)
        #expect(early.endMeasureIndex(in: piece.measures) == 4)
        #expect(early.sectionIndex(at: 4, in: piece.measures) == nil)
        #expect(piece.musicEndSeconds == 12.5)
    }

    @Test func anotherRecordingMovesTheTimesAndNotTheMeasures() throws {
        let piece = try goodPiece()
        let slower = sixMarks.map {
            PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.onset.seconds * 2))
        }
        let moved = try #require(piece.retimed(to: slower, end: ReferenceTime(seconds: 25)))
        #expect(moved.tracks[0].slides.map(\.place.played) == piece.tracks[0].slides.map(\.place.played))
        #expect(moved.tracks[0].slides.map(\.place.time.seconds) == [1, 17])
        #expect(moved.structure.sections.map(\.place.time.seconds) == [1, 9])
        #expect(moved.structure.end?.time.seconds == 25)
        #expect(moved.structure.endMeasureIndex(in: moved.measures) == 6)
        #expect(rules(moved).isEmpty)
        #expect(moved.retimed(to: sixMarks, end: ReferenceTime(seconds: 12.5)) == piece)
        #expect(piece.retimed(to: Array(slower.dropLast()), end: ReferenceTime(seconds: 25)) == nil)
    }
}
