import Foundation
import Repository
import TabFiles
import Testing

@testable import Students

/// The fermatas at which a partner waits with the student.
@Suite struct ScoreHoldsTests {
    @Test func aHoldIsThereEachTimeItsMeasureIsPlayed() {
        let written = [
            MusicXMLHolds.Hold(measure: 2, begin: 0.5, end: 1),
            MusicXMLHolds.Hold(measure: 4, begin: 0, end: 0.25),
        ]
        #expect(
            ScoreHolds.played(written, bars: [1, 2, 1, 2, 3, 4]) == [1.5...2, 3.5...4, 5...5.25])
    }

    @Test func theHoldOfTheNinthIsFound() async throws {
        let holds = ScoreHolds(thread: try PracticeThread(name: "score-holds"))
        let found = await holds.holds(
            piece: "beethoven-symphony-9-ode-to-joy-variations",
            recordings: Repository.root.appending(path: "Recordings").path, bars: Array(1...156))
        #expect(found == [102...103, 155...156])
    }

    @Test(arguments: ["..", "", "no-such-piece", "../Recordings"])
    func aPieceWithoutAScoreHasNone(piece: String) async throws {
        let holds = ScoreHolds(thread: try PracticeThread(name: "score-holds"))
        let found = await holds.holds(
            piece: piece, recordings: Repository.root.appending(path: "Recordings").path, bars: [1])
        #expect(found.isEmpty)
    }
}
