import Basics
import Score
import Testing

@testable import Following

@Suite struct FollowerTests {
    private static let duet = Duet(measures: 6, seed: 3)
    private static let model = Result { try duet.model() }
    private static let sound = duet.samples()

    private func follower(start: ScorePosition? = .init(played: 0, fraction: 0)) throws -> PieceFollower {
        Duet.follower(try Self.model.get(), start: start)
    }

    @Test func thePerformanceThatMadeTheModelIsFollowed() throws {
        let reports = try follower().reports(Self.sound)
        #expect(reports.count == 12 * 50)
        #expect(reports.enumerated().allSatisfy { abs($1.liveTime.seconds - Double($0 + 1) / 50) < 1e-4 })
        // The last second is the end's.
        #expect(reports.worstError(from: 1.5, to: 11) { $0 } < 0.15)
        #expect(reports[100..<550].allSatisfy { $0.state == .following && $0.confidence > 0.5 })
        #expect(reports.allSatisfy { $0.printedMeasure == $0.position.map { $0.played + 1 } })
        #expect(reports.last?.transpositionSemitones == 0)
    }

    @Test(arguments: [0.75, 1.3])
    func anotherTempoIsFollowed(tempo: Double) throws {
        let reports = try follower().reports(Self.duet.samples(tempo: tempo))
        #expect(reports.worstError(from: 2.5, to: 11 / tempo) { $0 * tempo } < 0.3)
        let late = reports.dropFirst(250).dropLast(75).map(\.tempo.value)
        #expect(abs(late.reduce(0, +) / Double(late.count) / tempo - 1) < 0.12)
    }

    @Test(arguments: [1, 64, 441])
    func whatIsSaidDoesNotDependOnTheBlocks(block: Int) throws {
        let part = Array(Self.sound[..<(4 * Int(Duet.rate.hertz))])
        #expect(try follower().reports(part, block: block) == follower().reports(part, block: 4096))
    }

    @Test func twoFollowersSayTheSame() throws {
        #expect(try follower().reports(Self.sound) == follower().reports(Self.sound))
    }

    @Test(arguments: [0.01, 0.1, 8])
    func theLevelDoesNotMatter(level: Double) throws {
        let reports = try follower().reports(Self.duet.samples(level: level))
        #expect(reports.worstError(from: 1.5, to: 11) { $0 } < 0.15)
    }

    @Test func theShownPositionNeverStepsBackInSteadyMusic() throws {
        let shown = try follower().reports(Self.duet.samples(tempo: 0.9)).map {
            $0.referenceTime?.seconds ?? 0
        }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func aRoomBeforeTheFirstNoteIsWaitedThrough() throws {
        let reports = try follower().reports(Duet.room(seconds: 4) + Self.sound)
        #expect(reports[..<200].allSatisfy { $0.state == .waiting && $0.position?.played == 0 })
        #expect(reports.worstError(from: 6, to: 15) { $0 - 4 } < 0.2)
    }

    @Test func theEndIsSaidAndStays() throws {
        let reports = try follower().reports(Self.sound + Duet.room(seconds: 5))
        let last = reports.suffix(50)
        #expect(last.allSatisfy { $0.state == .finished })
        #expect(last.allSatisfy { $0.position == ScorePosition(played: 5, fraction: 1) })
    }

    @Test func itBeginsAtAMeasure() throws {
        let rest = Array(Self.sound[(6 * Int(Duet.rate.hertz))...])
        let follower = try follower(start: ScorePosition(played: 3, fraction: 0))
        let reports = follower.reports(rest)
        #expect(reports.allSatisfy { ($0.position?.played ?? 0) >= 3 })
        #expect(reports.worstError(from: 1.5, to: 5) { $0 + 6 } < 0.2)
    }

    @Test func anUnknownBeginningInTheMiddleIsFound() throws {
        let rest = Array(Self.sound[(4 * Int(Duet.rate.hertz))...])
        let reports = try follower(start: nil).reports(rest)
        #expect(reports[0].state == .lost && reports.last?.state == .following)
        #expect(reports.worstError(from: 5.5, to: 7) { $0 + 4 } < 0.3)
    }

    @Test func aDropoutIsCoastedThrough() throws {
        var live = Self.sound
        for index in 4 * Int(Duet.rate.hertz)..<6 * Int(Duet.rate.hertz) { live[index] = 0 }
        let reports = try follower().reports(live)
        #expect(reports.worstError(from: 2, to: 11) { $0 } < 0.4)
        #expect(reports[215..<295].allSatisfy { $0.state == .coasting })
    }

    @Test(arguments: [1.0, 2, 5])
    func aDropoutBeforeTheMusicBeginsNothing(seconds: Double) throws {
        let dead = [Float](repeating: 0, count: Int(seconds * Duet.rate.hertz))
        let follower = try follower()
        let before = follower.reports(Duet.room(seconds: 3) + dead + Duet.room(seconds: 2))
        #expect(before.allSatisfy { $0.state == .waiting && $0.position?.played == 0 })
        let reports = follower.reports(Self.sound)
        let begun = 5 + seconds
        #expect(reports.worstError(from: begun + 2, to: begun + 11) { $0 - begun } < 0.2)
    }

    @Test func samplesThatAreNoSoundDoNotDeafenIt() throws {
        var broken = Self.sound
        // A burst of a tenth of a second after two seconds, of each kind in turn.
        let kinds: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 1e6, 65]
        let start = 2 * Int(Duet.rate.hertz)
        for index in 0..<1100 { broken[start + index] = kinds[index % kinds.count] }
        let reports = try follower().reports(broken)
        #expect(reports.allSatisfy { $0.confidence >= 0 && $0.confidence <= 1 })
        #expect(reports.worstError(from: 3, to: 11) { $0 } < 0.2)
    }

    @Test func nothingButBrokenSamplesIsNoMusic() throws {
        let broken = [Float](repeating: .nan, count: 2 * Int(Duet.rate.hertz))
        let follower = try follower()
        #expect(follower.reports(broken).allSatisfy { $0.state == .waiting && $0.position?.played == 0 })
        let reports = follower.reports(Self.sound)
        #expect(reports.worstError(from: 4, to: 13) { $0 - 2 } < 0.2)
    }
}
