import Basics
import Score
import Sound
import Testing

@testable import Following

@Suite struct FollowerAnchorTests {
    private static let duet = Duet(measures: 8, seed: 3)
    private static let model = Result { try duet.model() }
    private static let sound = duet.samples()

    private func sound(from start: Double, to end: Double) -> [Float] {
        Array(Self.sound[Int(start * Duet.rate.hertz)..<Int(end * Duet.rate.hertz)])
    }

    /// Forward and backward.
    @Test(arguments: [2.0, 10])
    func theShownPositionGoesWhereAPersonSays(place: Double) throws {
        let follower = Duet.follower(try Self.model.get())
        _ = follower.reports(sound(from: 0, to: 6))
        follower.takeOperatorPosition(at: ReferenceTime(seconds: place))
        let reports = follower.reports(sound(from: place, to: place + 4))
        let first = try #require(reports.first)
        #expect(abs((first.referenceTime?.seconds ?? 0) - place) < 0.3)
        #expect(reports.allSatisfy { $0.state == .following })
        #expect(first.confidence > 0.7)
        #expect(reports.worstError(from: 7) { $0 - 6 + place } < 0.3)
    }

    @Test func theWordOfAPersonEndsTheWaiting() throws {
        let follower = Duet.follower(try Self.model.get())
        #expect(follower.reports(Duet.room(seconds: 1)).allSatisfy { $0.state == .waiting })
        follower.takeOperatorPosition(at: ReferenceTime(seconds: 4))
        let reports = follower.reports(sound(from: 4, to: 6))
        #expect(reports.allSatisfy { $0.state == .following })
    }

    @Test func theWordOfAPersonEndsBeingLostAndBeingOver() throws {
        let follower = Duet.follower(try Self.model.get(), start: nil)
        #expect(follower.reports(Duet.room(seconds: 1)).last?.state == .lost)
        follower.takeOperatorPosition(at: ReferenceTime(seconds: 12))
        #expect(follower.reports(sound(from: 12, to: 16)).first?.state == .following)
        #expect(follower.reports(Duet.room(seconds: 4)).last?.state == .finished)
        follower.takeOperatorPosition(at: ReferenceTime(seconds: 4))
        #expect(follower.reports(sound(from: 4, to: 8)).allSatisfy { $0.state == .following })
    }

    @Test func theKeyThatWasFoundStays() throws {
        let follower = Duet.follower(try Self.model.get())
        let higher = Self.duet.samples(semitones: 2)
        let second = Int(Duet.rate.hertz)
        #expect(follower.reports(Array(higher[..<(6 * second)])).last?.transpositionSemitones == 2)
        follower.takeOperatorPosition(at: ReferenceTime(seconds: 8))
        let reports = follower.reports(Array(higher[(8 * second)..<(14 * second)]))
        #expect(reports.allSatisfy { $0.transpositionSemitones == 2 })
        #expect(reports.worstError(from: 7) { $0 + 2 } < 0.3)
    }

    @Test func placesOutsideThePieceAreItsEnds() throws {
        let follower = Duet.follower(try Self.model.get())
        for place in [-5, 1e9, Double.nan] {
            follower.takeOperatorPosition(at: ReferenceTime(seconds: place))
            let report = try #require(follower.reports(sound(from: 0, to: 0.1)).first)
            #expect((0..<8).contains(report.position?.played ?? -1))
        }
    }

    @Test func whereTheMusicMayBeIsSaidInEveryReport() throws {
        let follower = Duet.follower(try Self.model.get())
        let last = try #require(follower.reports(sound(from: 0, to: 9)).last)
        let first = try #require(last.likelyMeasures.first)
        #expect(first.position.played == 4 && first.printedMeasure == 5)
        #expect(first.probability > 0.5 && first.probability <= 1)
        #expect(
            last.likelyMeasures.map(\.probability) == last.likelyMeasures.map(\.probability).sorted(by: >))
    }
}

@Suite struct ConcertAnchorTests {
    private static let pieces = Result { try [MadePiece("A", seed: 1), MadePiece("B", seed: 77)] }

    private func concert() throws -> ConcertFollower {
        ConcertFollower(
            programme: ConcertProgramme(title: "Made", pieceModels: try Self.pieces.get().map(\.model)),
            sampleRate: MadePiece.rate, transforms: FFTWSpectrumMaker())
    }

    private func part(_ piece: Int, from start: Double, to end: Double) throws -> [Float] {
        let second = MadePiece.rate.hertz
        return Array(try Self.pieces.get()[piece].samples[Int(start * second)..<Int(end * second)])
    }

    @Test func inThePieceThatIsFollowedAnchorsHold() throws {
        let concert = try concert()
        _ = concert.reports(try part(0, from: 0, to: 5))
        concert.takeOperatorPosition(at: ReferenceTime(seconds: 2))
        let reports = concert.reports(try part(0, from: 2, to: 4.7))
        #expect(reports.allSatisfy { $0.pieceIndex == 0 && $0.positionReport.state == .following })
        #expect(reports.first?.positionReport.position?.played == 2)
        #expect(reports.last?.positionReport.position?.played == 4)
    }

    @Test func anyPieceCanBeAnchoredAndWaitedForAtAnyTime() throws {
        let concert = try concert()
        _ = concert.reports(try part(0, from: 0, to: 5))
        concert.takeOperatorPosition(piece: 1, at: ReferenceTime(seconds: 6))
        let reports = concert.reports(try part(1, from: 6, to: 8.7))
        #expect(reports.allSatisfy { $0.pieceIndex == 1 && $0.positionReport.state == .following })
        #expect(reports.last?.positionReport.position?.played == 8)
        #expect(concert.currentPiece == 1)
        concert.begin(at: ProgrammePosition(pieceIndex: 0, position: ScorePosition(played: 7, fraction: 0)))
        let waiting = concert.reports(Silence.samples(seconds: 1))
        #expect(waiting.allSatisfy { $0.pieceIndex == 0 && $0.positionReport.position?.played == 7 })
        #expect(waiting.last?.positionReport.state == .waiting)
        let going = concert.reports(try part(0, from: 7, to: 9.7))
        #expect(going.last?.positionReport.position?.played == 9)
        // Live time counts through.
        #expect(abs((going.last?.positionReport.liveTime.seconds ?? 0) - 11.4) < 0.1)
    }
}
