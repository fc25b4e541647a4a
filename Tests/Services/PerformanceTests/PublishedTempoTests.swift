import Basics
import Podium
import Score
import Testing

@testable import Hosting
@testable import Performance

/// What show control gets of the tempo.
@Suite struct PublishedTempoTests {
    @Test(arguments: [4, nil]) func beatsAMinuteAreSentWhereTheBeatsOfABarAreKnown(beats: Int?) throws {
        let map = try MeasureMap(
            marks: (0..<6).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0) * 2))
            }, end: ReferenceTime(seconds: 12))
        let piece = try ShowPiece(name: PieceName("A"), folder: "a", measures: map, beatsPerBar: beats)
        let programme = try ShowProgramme(title: "Tonight", pieces: [piece])
        let state = ShowEngineSnapshot(
            now: .zero, programme: programme, state: Podium(course: programme).state, measureFraction: 0,
            isActiveServer: true
        ).publishedState
        #expect(state.beatsPerMinute == beats.map { Double($0) * 30 * state.relativeTempo })
    }
}
