import Podium
import Rehearsal
import Testing

@Suite struct HalfTurnTests {
    private var settings: StandSettings {
        var settings = StandSettings()
        settings.halfTurns = true
        return settings
    }

    @Test func theUpperHalfIsAheadWhileThePlayerIsInTheLowerOne() {
        var bench = StandBench(settings: settings)
        bench.play(0..<5)
        #expect(bench.turns.isEmpty)
        bench.play(5..<10)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 1)])
        bench.wait(until: bench.now + 1_999)
        // The lower half is needed to its end.
        #expect(bench.turns.count == 1)
        bench.play(10..<11)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 1), PageView(page: 1)])
        #expect(bench.turns.map(\.cause) == [.half, .played])
    }

    @Test func lostInTheLowerHalfNothingMoves() {
        var bench = StandBench(settings: settings)
        bench.play(0..<8)
        bench.hear(8, at: bench.now + 100, .lost)
        bench.hear(13, at: bench.now + 9_000, .lost)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 1)])
    }

    @Test func anUpperHalfThatIsNeededAgainStays() {
        // 1–8 twice: from the lower half back to the upper one.
        var bench = StandBench(printed: Array(1...8) + Array(1...40), settings: settings)
        bench.play(0..<13)
        #expect(bench.turns.isEmpty)
        bench.play(13..<14)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 1)])
    }

    @Test func whereTheMusicGoesOnInALowerHalfTheWholePageTurns() throws {
        var bench = StandBench(
            performances: [try PerformedPassages(passages: [1...10, 17...40])], settings: settings)
        bench.play(0..<10)
        bench.wait(until: bench.now + 1_990)
        #expect(bench.turns.map(\.view) == [PageView(page: 1)])
        #expect(bench.turns[0].at == 19_000)
    }

    @Test func aRetakeIntoTheUpperHalfBringsItBack() {
        var bench = StandBench(settings: settings)
        bench.play(0..<8)
        bench.hear(1, at: bench.now + 3_000, jumped: true)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 1), PageView(page: 0)])
        bench.play(1..<6)
        #expect(bench.turner.state.view == PageView(page: 0, ahead: 1))
    }

    @Test func aTrembleAboutTheMiddleShowsNothing() {
        var bench = StandBench(settings: settings)
        bench.play(0..<6)
        bench.hear(4, 0.9, at: bench.now + 100)
        bench.hear(5, at: bench.now + 100)
        #expect(bench.turns.count == 1)
    }

    @Test func onFacingPagesTheLeftOneIsAhead() {
        var settings = settings
        settings.facing = .pages
        var bench = StandBench(settings: settings)
        bench.play(0..<21)
        #expect(bench.turns.map(\.view) == [PageView(page: 0, ahead: 2), PageView(page: 2)])
        #expect(bench.turns[0].at == 20_000)
    }

    @Test func thePedalTurnsTheRest() {
        var bench = StandBench(settings: settings)
        bench.play(0..<8)
        bench.take(.pedalPressed(.forward), at: bench.now + 1_000)
        #expect(bench.turner.state.view == PageView(page: 1))
        bench.play(8..<11)
        #expect(bench.turner.state.view == PageView(page: 1))
        #expect(bench.fellIn == 1)
    }
}
