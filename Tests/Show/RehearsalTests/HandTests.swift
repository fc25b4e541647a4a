import Podium
import Rehearsal
import Testing

/// The player's own hand always wins, and the stand falls in again by itself.
@Suite struct HandTests {
    @Test func aPageByHandStaysWhateverTheFollowerSays() {
        var bench = StandBench()
        bench.play(0..<4)
        bench.take(.turnedByPlayer(page: 3))
        bench.play(4..<9)
        bench.hear(15, at: bench.now + 100, .lost)
        bench.hear(9, at: bench.now + 100)
        #expect(bench.page == 3)
        #expect(bench.fellIn == 0)
    }

    @Test func aStandTurnedEarlyByHandFallsInWhenTheFollowerAgrees() {
        var bench = StandBench()
        bench.play(0..<9)
        bench.take(.pedalPressed(.forward), at: bench.now + 500)
        #expect(bench.page == 1)
        bench.play(9..<12)
        #expect(bench.page == 1)
        #expect(bench.fellIn == 1)
        #expect(bench.turner.state.hand == nil)
        bench.play(12..<21)
        #expect(bench.page == 2)
        #expect(bench.turns.map(\.cause) == [.player, .played])
    }

    @Test func aPageTurnedEarlyByHandStaysHoweverSlowTheEndGets() {
        var bench = StandBench()
        bench.play(0..<10)
        bench.take(.pedalPressed(.forward), at: bench.now + 200)
        bench.wait(until: bench.now + 1_200)
        #expect(bench.fellIn == 1)
        bench.hear(9, 0.8, at: bench.now + 300, tempo: 0.05)
        bench.hear(9, 0.9, at: bench.now + 3_000, tempo: 0.02)
        #expect(bench.page == 1)
        #expect(bench.turns.count == 1)
    }

    @Test func aPageAheadIsPassedByAJumpBeyondIt() {
        var bench = StandBench()
        bench.play(0..<4)
        bench.take(.turnedByPlayer(page: 2))
        bench.hear(12, at: bench.now + 5_000, jumped: true)
        #expect(bench.page == 2)
        bench.hear(33, at: bench.now + 5_000, jumped: true)
        #expect(bench.page == 3)
        #expect(bench.fellIn == 1)
    }

    @Test func aPageBehindStaysUntilTheFollowerTurnsAgain() {
        var bench = StandBench()
        bench.play(0..<12)
        bench.take(.pedalPressed(.back))
        #expect(bench.page == 0)
        bench.play(12..<19)
        #expect(bench.page == 0)
        bench.play(19..<21)
        #expect(bench.page == 2)
        #expect(bench.fellIn == 1)
    }

    @Test func aFollowerThatTurnedTooEarlyAndAgreesLaterIsFollowed() {
        var bench = StandBench()
        bench.play(0..<8)
        bench.hear(10, at: bench.now + 100, jumped: true)
        #expect(bench.page == 1)
        bench.take(.pedalPressed(.back), at: bench.now + 600)
        #expect(bench.page == 0)
        bench.hear(8, at: bench.now + 500, jumped: true)
        #expect(bench.page == 0)
        #expect(bench.fellIn == 1)
        bench.play(8..<11)
        #expect(bench.page == 1)
    }

    @Test func nothingButAgreementTakesAPageBackJustAfterTheHand() {
        var bench = StandBench()
        bench.play(0..<19)
        bench.take(.turnedByPlayer(page: 0))
        // It turns to the third page and back within two seconds.
        bench.hear(20, at: bench.now + 900)
        bench.hear(12, at: bench.now + 900, jumped: true)
        #expect(bench.page == 0)
    }

    @Test func aDoubtfulFollowerTakesNoPageBack() {
        var bench = StandBench()
        bench.play(0..<12)
        bench.take(.pedalPressed(.back))
        bench.hear(25, at: bench.now + 4_000, .coasting)
        bench.hear(30, at: bench.now + 1_000, .waiting)
        #expect(bench.page == 0)
        #expect(bench.fellIn == 0)
    }

    @Test func aRetakeTakesEverybodyAlong() {
        var bench = StandBench()
        bench.play(0..<25)
        bench.take(.turnedByPlayer(page: 3))
        bench.hear(12, at: bench.now + 8_000, jumped: true)
        #expect(bench.page == 1)
        #expect(bench.fellIn == 1)
    }

    @Test func whenTheMusicBeginsEverybodyIsThere() {
        var bench = StandBench()
        bench.hear(0, at: 0, .waiting)
        bench.take(.turnedByPlayer(page: 2), at: 1_000)
        bench.hear(0, at: 5_000, .waiting)
        #expect(bench.page == 2)
        bench.hear(0, at: 9_000)
        #expect(bench.page == 0)
    }

    @Test func thePedalForATurnJustMadeIsNoSecondTurn() {
        var bench = StandBench()
        bench.hear(9, at: 18_000)
        bench.wait(until: 19_000)
        bench.take(.pedalPressed(.forward), at: 19_300)
        #expect(bench.page == 1)
        bench.take(.pedalPressed(.forward), at: 19_500)
        #expect(bench.page == 2)
        bench.take(.pedalPressed(.forward), at: 19_600)
        #expect(bench.page == 3)
    }

    @Test func thePedalStopsAtTheEndsOfThePart() {
        var bench = StandBench()
        bench.take(.pedalPressed(.back))
        #expect(bench.page == 0)
        for _ in 0..<9 { bench.take(.pedalPressed(.forward), at: bench.now + 1_000) }
        #expect(bench.page == 3)
        bench.take(.turnedByPlayer(page: .max))
        bench.take(.turnedByPlayer(page: .min))
        #expect(bench.page == 0)
    }

    @Test func theLeaderTurnsForAllAndThePlayersOwnHandStillWins() {
        var bench = StandBench()
        bench.play(0..<4)
        bench.take(.turnedByLeader(page: 2))
        bench.play(4..<6)
        #expect(bench.page == 2)
        bench.take(.pedalPressed(.back))
        #expect(bench.page == 1)
        #expect(bench.turner.state.hand?.by == .player)
        bench.take(.followAgain)
        #expect(bench.page == 0)
        #expect(bench.turner.state.hand == nil)
    }

    @Test func aPinpointStaysUntilTheFollowerIsThere() {
        var bench = StandBench()
        bench.play(0..<25)
        bench.take(.turnedByPinpoint(page: 1))
        // Words from before the follower heard of it.
        bench.hear(25, 0.1, at: bench.now + 200)
        bench.hear(25, 0.2, at: bench.now + 200, .lost)
        #expect(bench.page == 1)
        bench.hear(12, at: bench.now + 200, .waiting)
        #expect(bench.fellIn == 1)
        bench.hear(12, at: bench.now + 3_000)
        bench.play(12..<21)
        #expect(bench.page == 2)
    }
}
