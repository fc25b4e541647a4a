import Basics
import Podium
import Rehearsal
import Score
import Testing

@Suite struct ReportTests {
    private let start: Int64 = 1_795_000_000_000

    private func word(
        _ seconds: Double, _ played: Int, _ fraction: Double = 0, tempo: Double = 1,
        _ trust: LivePositionTrust = .playing,
        jumped: Bool = false
    ) -> LoggedLivePositionUpdate {
        LoggedLivePositionUpdate(
            at: CalendarTime(milliseconds: start + Int64((seconds * 1_000).rounded())),
            word: LivePositionUpdate(
                movement: 0, position: ScorePosition(played: played, fraction: fraction), tempo: tempo,
                trust: trust, jumped: jumped))
    }

    /// Measures one after the other, each with its own length in seconds.
    private func take(from first: Int, at: Double, lengths: [Double]) -> [LoggedLivePositionUpdate] {
        var time = at
        return lengths.enumerated().map { index, length in
            defer { time += length }
            return word(time, first + index, tempo: 2 / length, jumped: index == 0 && first < 20 && at > 0)
        }
    }

    private func report(
        _ words: [LoggedLivePositionUpdate], events: [SequencedEvent] = [], part: Int = 0, end: Double,
        sections: [[PieceSection]] = []
    ) throws -> SessionReport {
        SessionReport(
            of: id(30), events: events, words: words, score: try symphony(), part: part,
            measures: [try measures()], sections: sections,
            end: CalendarTime(milliseconds: start + Int64(end * 1_000)))
    }

    @Test func timeIsCountedOnPagesAndPassages() throws {
        let words = take(from: 0, at: 0, lengths: Array(repeating: 2.5, count: 15))
        let sections = [[PieceSection(label: "A", start: 0), PieceSection(label: "B", start: 12)]]
        let found = try report(words, end: 37.5, sections: sections)
        #expect(found.pages.map(\.page) == [0, 1])
        #expect(zip(found.pages, [25, 12.5]).allSatisfy { abs($0.seconds - $1) < 0.001 })
        #expect(zip(found.passages, [30, 7.5]).allSatisfy { abs($0.seconds - $1) < 0.001 })
        #expect(abs(found.playedSeconds - 37.5) < 0.001)
        #expect(found.retakes.isEmpty)
        let viola = try report(words, part: 1, end: 37.5)
        #expect(viola.pages.map(\.page) == [0])
    }

    @Test func aPositionThatIsHeldIsNotPlayed() throws {
        var words = take(from: 0, at: 0, lengths: Array(repeating: 2, count: 4))
        words += (0..<20).map { word(8 + 5 * Double($0), 4, 0.2, tempo: 0) }
        let found = try report(words, end: 108)
        #expect(abs(found.playedSeconds - 8) < 0.001 && found.lostSeconds == 0)
        #expect(found.pages.map(\.seconds).reduce(0, +) < 8.001)
    }

    @Test func tempoIsHeldAgainstTheReference() throws {
        let found = try report(take(from: 0, at: 0, lengths: Array(repeating: 1.6, count: 20)), end: 32)
        #expect(abs(found.tempo! - 1.25) < 0.001)
        #expect(found.bars.count == 19)
        #expect(found.bars.allSatisfy { abs($0.tempo - 1.25) < 0.001 && abs($0.deviationSeconds!) < 0.001 })
    }

    @Test func aBarThatDragsIsFoundAndItsNeighboursAreNot() throws {
        var lengths = Array(repeating: 1.6, count: 20)
        lengths[8] = 2.1
        let found = try report(take(from: 0, at: 0, lengths: lengths), end: 33)
        let worst = found.bars.max { abs($0.deviationSeconds ?? 0) < abs($1.deviationSeconds ?? 0) }
        #expect(worst?.printed == 9)
        #expect(abs(worst!.deviationSeconds! - 0.5) < 0.01)
        #expect(found.bars.filter { abs($0.deviationSeconds ?? 0) > 0.05 }.count == 1)
    }

    @Test func aSlowerTempoAsSuchIsNoDeviation() throws {
        let lengths = (0..<30).map { 1.5 + 0.02 * Double($0) }
        let found = try report(take(from: 0, at: 0, lengths: lengths), end: 60)
        #expect(found.bars.allSatisfy { abs($0.deviationSeconds ?? 0) < 0.15 })
    }

    @Test func retakesAreFoundWithTheirBarsAndWhatCausedThem() throws {
        var fresh = Hall()
        fresh.now = start
        var events = delivered(
            fresh.say(.beginSession(id(30), publicLayer: publicLayer, performances: []), anna))
        fresh.now = start + 26_000
        events += delivered(
            fresh.say(
                .pinpoint(Pinpoint(part: 0, page: 0, point: PagePoint(nearX: 0, nearY: 0), measure: 5)), anna)
        )
        var words = take(from: 0, at: 0, lengths: Array(repeating: 2, count: 12))
        words.append(word(24, 11, 0.9, .lost))
        words += take(from: 4, at: 30, lengths: Array(repeating: 2, count: 20))
        words += take(from: 18, at: 70, lengths: [2, 2, 2])
        let found = try report(words, events: events, end: 76)
        #expect(found.retakes.map(\.from) == [12, 24])
        #expect(found.retakes.map(\.to) == [5, 19])
        #expect(found.retakes.map(\.isPinpointed) == [true, false])
        #expect(found.bars.first { $0.printed == 6 }?.times == 2)
        #expect(abs(found.lostSeconds - 6) < 0.001)
    }

    @Test func attendanceIsWhoWasThereAndHowLong() throws {
        var hall = Hall()
        hall.now = start
        var events = delivered(hall.say(.joinRoom(id(22)), bert))
        events += delivered(hall.say(.beginSession(id(30), publicLayer: publicLayer, performances: []), anna))
        events += delivered(hall.say(.enterSession(id(41), part: 0), anna))
        events += delivered(hall.say(.enterSession(id(42), part: 1), bert))
        events += delivered(hall.say(.placeRemark(hall.remark(by: bert)), bert))
        events += delivered(hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)), anna))
        hall.now = start + 600_000
        events += delivered(hall.say(.leaveSession, bert))
        hall.now = start + 900_000
        events += delivered(hall.say(.enterSession(id(43), part: 0), bert))
        hall.now = start + 1_000_000
        events += delivered(hall.say(.endSession, anna))
        // Another session is another report.
        events += delivered(hall.say(.beginSession(id(31), publicLayer: id(901), performances: []), anna))
        events += delivered(hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)), anna))
        let found = try report([], events: events, end: 5_000)
        #expect(found.attendance.map(\.user) == [anna.user, bert.user])
        #expect(abs(found.attendance[0].seconds - 1_000) < 0.2)
        #expect(abs(found.attendance[1].seconds - 700) < 0.2)
        #expect(found.attendance.map(\.remarks) == [0, 1])
        #expect(found.attendance[1].part == 0)
        #expect(found.turnsForEverybodyCount == 1)
        #expect(found.tempo == nil)
        #expect(try back(json(found), as: SessionReport.self) == found)
    }

    @Test func oddWordsDoNoHarm() throws {
        var words = [
            word(0, 99), word(1, -3, .nan), word(0.5, 3, .infinity), word(4, 5, tempo: .nan, .coasting),
        ]
        words.append(LoggedLivePositionUpdate(at: CalendarTime(milliseconds: .max), word: words[0].word))
        words.append(
            LoggedLivePositionUpdate(
                at: CalendarTime(milliseconds: .min),
                word: LivePositionUpdate(movement: 7, position: nil, trust: .playing))
        )
        let found = try report(words, end: 10)
        #expect(found.playedSeconds.isFinite)
        #expect(found.pages.allSatisfy { $0.seconds.isFinite && $0.seconds >= 0 })
    }
}
