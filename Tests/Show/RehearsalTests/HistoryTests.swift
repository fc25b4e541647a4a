import Basics
import Podium
import Rehearsal
import Score
import Testing

/// The rehearsal history of a room, over all its sessions.
@Suite struct HistoryTests {
    private let day: Int64 = 86_400_000

    private func words(_ measures: Range<Int>, at start: Int64) -> [LoggedLivePositionUpdate] {
        measures.enumerated().map { index, played in
            LoggedLivePositionUpdate(
                at: CalendarTime(milliseconds: start + Int64(index) * 2_000),
                word: LivePositionUpdate(
                    movement: 0, position: ScorePosition(played: played, fraction: 0), trust: .playing))
        }
    }

    private func history(_ sessions: [Range<Int>], sections: [PieceSection]) throws -> RehearsalHistory {
        let map = try measures()
        return RehearsalHistory(
            score: try symphony(), measures: [map], sections: [sections],
            sessions: sessions.enumerated().map { index, played in
                let start = Int64(index) * day
                let end = CalendarTime(milliseconds: start + Int64(played.count) * 2_000)
                return RehearsalHistory.Session(
                    id: id(UInt64(index + 1)), began: CalendarTime(milliseconds: start),
                    seconds: RehearsalHistory.secondsByBar(
                        words(played, at: start), measures: [map], end: end))
            })
    }

    @Test func eachBarHasItsSecondsInEachSession() throws {
        let found = try history([0..<4, 2..<8], sections: [])
        #expect(found.sessions.count == 2 && found.movements[0].bars.prefix(3) == [1, 2, 3])
        #expect(found.sessions[0].seconds[0].prefix(5) == [2, 2, 2, 2, 0])
        #expect(found.sessions[1].seconds[0].prefix(5) == [0, 0, 2, 2, 2])
    }

    @Test func theScoresOwnMarksDivideWhatTheReferenceDoesNot() throws {
        let plain = try symphony()
        let marked = try Rehearsal.Score(
            id: plain.id, title: plain.title,
            movements: [try Movement(name: "", marks: [RehearsalMark(label: "B", measure: 4)])]
                + plain.movements.dropFirst(), parts: plain.parts)
        let found = RehearsalHistory(score: marked, measures: [try measures()], sections: [[]], sessions: [])
        #expect(found.passages.map(\.label) == ["", "B"] && found.passages.last?.from == 4)
    }

    @Test func aPassageTellsHowOftenAndWhenItWasPlayedLast() throws {
        let sections = [
            PieceSection(label: "A", start: 0), PieceSection(label: "B", start: 4),
            PieceSection(label: "C", start: 12),
        ]
        let found = try history([0..<4, 0..<8, 4..<8], sections: sections)
        let passages = found.passages
        #expect(passages.map(\.label) == ["A", "B", "C"])
        #expect(passages.map(\.sessions) == [2, 2, 0])
        #expect(passages[0].seconds == 16 && passages[0].lastPlayed == CalendarTime(milliseconds: day))
        #expect(passages[1].lastPlayed == CalendarTime(milliseconds: 2 * day))
        #expect(passages[2].seconds == 0 && passages[2].lastPlayed == nil)
    }

    @Test func withoutMarksSixteenBarsAreAPassage() throws {
        let found = try history([0..<4], sections: [])
        #expect(found.passages[0].from == 1 && found.passages[0].to == 16)
    }
}
