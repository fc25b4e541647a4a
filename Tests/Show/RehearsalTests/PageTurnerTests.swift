import Basics
import Foundation
import Podium
import Rehearsal
import Score
import Testing

@Suite struct PageTurnerTests {
    private func settings(_ change: (inout StandSettings) -> Void) -> StandSettings {
        var settings = StandSettings()
        change(&settings)
        return settings
    }

    @Test func thePageTurnsOneSecondAheadOfItsEnd() {
        var bench = StandBench()
        bench.hear(9, at: 18_000)
        bench.wait(until: 18_999)
        #expect(bench.page == 0)
        bench.wait(until: 19_000)
        #expect(bench.page == 1)
        #expect(bench.turns.map(\.cause) == [.played])
        bench.play(10..<40)
        #expect(bench.turns.map(\.view.page) == [1, 2, 3])
    }

    @Test(arguments: [(2.0, 0.7), (1.0, 1.0), (0.75, 1.2), (0.5, 1.3)])
    func fastMusicIsReadNearerSlowMusicFarther(tempo: Double, lead: Double) {
        var bench = StandBench()
        bench.hear(9, at: 0, tempo: tempo)
        bench.wait(until: 10_000)
        #expect(abs(Double(bench.turns[0].at) / 1_000 - (2 / tempo - lead)) < 0.002)
    }

    @Test func latencyIsAddedAndAPageCanHaveALeadOfItsOwn() {
        var bench = StandBench(
            settings: settings {
                $0.latencySeconds = 0.15
                $0.pageLeads = [PageLeadTime(page: 1, seconds: 2.5)]
            })
        bench.hear(9, at: 18_000)
        bench.wait(until: 20_000)
        #expect(bench.turns[0].at == 18_850)
        bench.play(10..<19)
        bench.wait(until: bench.now + 2_000)
        // Three and a half seconds before the end with a lead of 2.65.
        #expect(bench.turns[1].at == 40_000 - 2_650)
    }

    @Test func foolishSettingsAreKeptWithinReason() {
        var bench = StandBench(
            settings: settings {
                $0.leadSeconds = .nan
                $0.latencySeconds = .infinity
                $0.pageLeads = [PageLeadTime(page: 99, seconds: -7)]
            })
        bench.play(0..<40)
        #expect(bench.turns.map(\.view.page) == [1, 2, 3])
    }

    @Test func aLostFollowerTurnsNothing() {
        var bench = StandBench()
        bench.hear(9, at: 18_000)
        bench.hear(9, 0.2, at: 18_400, .lost)
        bench.wait(until: 60_000)
        bench.hear(25, at: 61_000, .lost)
        #expect(bench.turns.isEmpty)
        #expect(bench.turner.nextTickDue == nil)
        bench.hear(25, at: 62_000, jumped: true)
        #expect(bench.turns.map(\.view.page) == [2])
        #expect(bench.turns[0].cause == .jump)
    }

    @Test func aSilentFollowerTurnsNothing() {
        var bench = StandBench()
        bench.hear(5, at: 0)
        // The end is ten seconds away, and a word is worth six and a half.
        bench.wait(until: 30_000)
        #expect(bench.turns.isEmpty)
    }

    @Test func coastingIsBelievedForItsTimeOnly() {
        var short = StandBench()
        short.hear(7, at: 0)
        short.hear(7, 0.1, at: 200, .coasting)
        short.hear(8, 0.6, at: 3_200, .coasting)
        short.wait(until: 6_000)
        #expect(short.turns.map(\.view.page) == [1])
        var long = StandBench()
        long.hear(4, at: 0)
        for time in 1...16 {
            long.hear(4 + time / 2, Double(time % 2) * 0.5, at: Int64(time) * 1_000, .coasting)
        }
        #expect(long.turns.isEmpty)
    }

    @Test func aWaitingStandShowsThePlaceAndTurnsNothingAhead() {
        var bench = StandBench()
        bench.hear(19, 0.9, at: 0, .waiting)
        bench.wait(until: 9_000)
        #expect(bench.turns.map(\.view.page) == [1])
    }

    @Test(arguments: [LivePositionTrust.waiting, .playing, .coasting])
    func aWordWithoutAPlaceTurnsNothing(trust: LivePositionTrust) {
        var bench = StandBench()
        bench.hear(9, at: 18_000)
        bench.take(.liveUpdate(LivePositionUpdate(movement: 0, position: nil, trust: trust)), at: 18_500)
        bench.wait(until: 60_000)
        #expect(bench.turns.isEmpty)
        #expect(bench.turner.nextTickDue == nil)
        bench.hear(9, 0.6, at: 61_000)
        #expect(bench.turns.map(\.view.page) == [1])
    }

    @Test func aSlowedEndDoesNotTurnThePageBack() {
        var bench = StandBench()
        bench.hear(9, 0.55, at: 0)
        bench.wait(until: 10)
        #expect(bench.page == 1)
        bench.hear(9, 0.6, at: 1_000, tempo: 0.1)
        bench.hear(9, 0.65, at: 3_000, tempo: 0.05)
        bench.hear(9, 0.64, at: 5_000, tempo: 0)
        #expect(bench.turns.count == 1)
        bench.hear(10, at: 9_000)
        #expect(bench.turns.count == 1)
    }

    @Test func aRetakeIsFollowedAtOnceAlsoOnTheSamePage() {
        var bench = StandBench()
        bench.play(0..<15)
        bench.hear(2, at: 40_000, jumped: true)
        #expect(bench.turns.map(\.view.page) == [1, 0])
        #expect(bench.turns[1].at == 40_000)
        #expect(bench.turns[1].cause == .retake)
        // Turned ahead already, and then back to the middle of the page before.
        bench.hear(9, 0.6, at: 50_000)
        #expect(bench.page == 1)
        bench.hear(3, at: 51_000, jumped: true)
        #expect(bench.page == 0)
        bench.play(3..<12)
        #expect(bench.page == 1)
    }

    @Test func aSmallStepBackOverABarLineTurnsNothingBack() {
        var bench = StandBench()
        bench.play(0..<11)
        bench.hear(9, 0.5, at: bench.now + 300, jumped: true)
        #expect(bench.page == 1)
        #expect(bench.turns.count == 1)
    }

    @Test func aRepeatGoesBackPagesAndAheadOfTime() {
        // 1–15 twice, then on: the reference plays it so.
        var bench = StandBench(printed: Array(1...15) + Array(1...40))
        bench.play(0..<55)
        #expect(bench.turns.map(\.view.page) == [1, 0, 1, 2, 3])
        #expect(bench.turns[1].at == 29_000)
        #expect(bench.turns.allSatisfy { $0.cause == .played })
    }

    @Test func aCutIsTurnedAheadOfTime() throws {
        // The reference plays everything, tonight 6–32 are left out.
        var bench = StandBench(performances: [try PerformedPassages(passages: [1...5, 33...40])])
        bench.play(0..<5)
        bench.wait(until: bench.now + 1_999)
        #expect(bench.turns.map(\.view.page) == [3])
        #expect(bench.turns[0].at == 9_000)
        bench.hear(32, at: 10_000, jumped: true)
        #expect(bench.turns.count == 1)
    }

    @Test func aRepeatTheReferenceDoesNotPlayIsFollowed() throws {
        var bench = StandBench(performances: [try PerformedPassages(passages: [1...12, 1...40])])
        bench.play(0..<12)
        bench.wait(until: bench.now + 1_500)
        #expect(bench.turns.map(\.view.page) == [1, 0])
        bench.hear(0, at: bench.now + 500, jumped: true)
        bench.play(0..<12)
        // The second time goes on.
        bench.wait(until: bench.now + 1_990)
        #expect(bench.page == 1)
        bench.play(12..<21)
        #expect(bench.turns.map(\.view.page) == [1, 0, 1, 2])
    }

    @Test func aRepeatThatIsPlannedIsTheReferencesSecondTime() throws {
        let printed = Array(1...15) + Array(1...40)
        var bench = StandBench(
            performances: [try PerformedPassages(passages: [1...15, 1...40])], printed: printed)
        bench.play(0..<55)
        #expect(bench.turns.map(\.view.page) == [1, 0, 1, 2, 3])
    }

    @Test func aRepeatThatIsLeftOutMayBeHeardAsEitherTime() throws {
        let printed = Array(1...15) + Array(1...40)
        var bench = StandBench(performances: [try PerformedPassages(passages: [1...40])], printed: printed)
        bench.play(0..<5)
        bench.hear(20, at: bench.now + 2_000, jumped: true)
        bench.play(20..<55)
        #expect(bench.turns.map(\.view.page) == [1, 2, 3])
    }

    @Test func anotherPartTurnsAtItsOwnPlaces() {
        var bench = StandBench(part: 1)
        bench.play(0..<40)
        #expect(bench.turns.map(\.at) == [39_000])
    }

    @Test func theEndOfThePieceIsSaidOnceAndTurnsNothing() {
        var bench = StandBench()
        bench.play(30..<40)
        bench.hear(39, 1, at: 90_000, .finished)
        bench.hear(39, 1, at: 91_000, .finished)
        #expect(bench.hasEnded)
        #expect(bench.page == 3)
    }

    private func twoMovements(attacca: Bool) throws -> PageTurnPlan {
        let page = PageSize(width: 1, height: 1)
        let part = try Part(
            name: "Flute", pages: [page, page],
            places: [
                MeasureBox(movement: 0, page: 0, first: 1, last: 10),
                MeasureBox(movement: 1, page: 1, first: 1, last: 10),
            ])
        let score = try Score(
            id: id(1), title: "Suite",
            movements: [try Movement(name: "I", isAttacca: attacca), try Movement(name: "II")], parts: [part])
        let map = try measures(Array(1...10))
        return PageTurnPlan(score: score, part: 0, measures: [map, map])
    }

    @Test func theNextMovementsPageComesWhenThisOneIsOver() throws {
        var bench = StandBench(try twoMovements(attacca: false))
        bench.play(0..<10)
        bench.wait(until: bench.now + 3_000)
        #expect(bench.turns.isEmpty)
        bench.hear(9, 1, .finished)
        #expect(bench.turns.map(\.cause) == [.nextMovement])
        bench.hear(0, at: bench.now + 5_000, .waiting, movement: 1)
        #expect(bench.page == 1)
        #expect(!bench.hasEnded)
        bench.hear(9, 1, at: bench.now + 5_000, .finished, movement: 1)
        #expect(bench.hasEnded)
    }

    @Test func attaccaTurnsLikeAnyPage() throws {
        var bench = StandBench(try twoMovements(attacca: true))
        bench.play(0..<10)
        bench.wait(until: bench.now + 1_500)
        #expect(bench.turns.map(\.at) == [19_000])
    }

    @Test func facingPagesTurnTwoAtATime() {
        var pages = StandBench(settings: settings { $0.facing = .pages })
        pages.play(0..<40)
        #expect(pages.turns.map(\.view.page) == [2])
        var book = StandBench(settings: settings { $0.facing = .book })
        #expect(book.page == -1)
        book.play(0..<40)
        #expect(book.turns.map(\.view.page) == [1, 3])
        book.take(.pedalPressed(.forward))
        #expect(book.page == 3)
        book.take(.turnedByPlayer(page: 0))
        #expect(book.page == -1)
    }

    @Test func aStandThatDoesNotFollowTurnsByHandAlone() {
        var bench = StandBench(settings: settings { $0.followsMusic = false })
        bench.play(0..<40)
        #expect(bench.turns.isEmpty)
        bench.take(.pedalPressed(.forward))
        #expect(bench.page == 1)
        #expect(bench.turner.nextTickDue == nil)
    }

    @Test func aStandGoesOnAfterACrash() throws {
        var bench = StandBench()
        bench.play(0..<13)
        bench.take(.pedalPressed(.back))
        let state = try back(json(bench.turner.state), as: PageTurnerState.self)
        let again = PageTurner(plan: bench.turner.plan, settings: StandSettings(), continuing: state)
        #expect(again == bench.turner)
        #expect(PageTurner(plan: bench.turner.plan, settings: StandSettings(), page: 99).state.view.page == 3)
    }

    @Test func aStateOfTheFormerVersionIsRead() throws {
        var bench = StandBench()
        bench.play(0..<10)
        var fields = try #require(
            try JSONSerialization.jsonObject(with: Data(json(bench.turner.state).utf8)) as? [String: Any])
        #expect(fields.removeValue(forKey: "speed") != nil)
        let old = try JSONDecoder().decode(
            PageTurnerState.self, from: JSONSerialization.data(withJSONObject: fields))
        bench.turner = PageTurner(plan: bench.turner.plan, settings: StandSettings(), continuing: old)
        bench.wait(until: 19_000)
        #expect(bench.turns.map(\.at) == [19_000])
    }

    @Test func anEarlyTurnStaysWhenAnotherPlanExpectsOtherDurations() throws {
        var slow = StandBench(seconds: 3)
        slow.play(0..<10, seconds: 3)
        slow.wait(until: slow.now + 2_500)
        #expect(slow.page == 1)
        var bench = StandBench()
        bench.turner = PageTurner(
            plan: bench.turner.plan, settings: StandSettings(), continuing: slow.turner.state)
        bench.now = slow.now
        bench.hear(9, 0.6, at: slow.now + 100, tempo: 0)
        #expect(bench.turns.isEmpty)
        #expect(bench.page == 1)
    }
}
