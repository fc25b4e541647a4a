import Basics
import Following
import Score
import Sound
import Testing

/// A follower takes over the performance of another one when the programme is changed.
@Suite struct ProgrammeChangeTests {
    private func programme(_ pieces: [MadePiece]) -> ConcertProgramme {
        ConcertProgramme(title: "Made", pieceModels: pieces.map(\.model))
    }

    private func concert(_ pieces: [MadePiece]) -> ConcertFollower {
        ConcertFollower(
            programme: programme(pieces), sampleRate: MadePiece.rate, transforms: FFTWSpectrumMaker())
    }

    private func changed(_ pieces: [MadePiece], _ kept: [Int?], of old: ConcertFollower) -> ConcertFollower {
        let new = ConcertFollower(
            programme: programme(pieces), keptPieces: kept, of: old, transforms: FFTWSpectrumMaker())
        new.continuePerformance()
        new.releasePredecessor()
        return new
    }

    /// The samples until the last hop that is complete after some seconds.
    private func samples(_ seconds: Double) -> Int { Int(seconds * 50) * Int(MadePiece.rate.hertz / 50) }

    @Test func thePieceBeingPlayedIsFollowedAsIfNothingHadHappened() throws {
        let (a, b, c) = try (MadePiece("A", seed: 1), MadePiece("B", seed: 77), MadePiece("C", seed: 4242))
        let cut = samples(5)
        let undisturbed = concert([a, b]).reports(a.samples)
        let old = concert([a, b])
        var reports = old.reports(Array(a.samples[..<cut]))
        let new = changed([c, a, b], [nil, 0, 1], of: old)
        reports += new.reports(Array(a.samples[cut...]))
        #expect(reports.map(\.positionReport) == undisturbed.map(\.positionReport))
        #expect(reports.last?.pieceIndex == 1)
    }

    @Test func anAddedPieceIsTakenUpAfterTheLastHasEnded() throws {
        let (a, b) = try (MadePiece("A", seed: 1), MadePiece("B", seed: 77))
        let old = concert([a])
        _ = old.reports(a.samples + Silence.samples(seconds: 4))
        let new = changed([a, b], [0, nil], of: old)
        let reports = new.reports(Silence.samples(seconds: 2) + b.samples)
        #expect(reports.last?.pieceIndex == 1)
        #expect(reports.last?.positionReport.position?.played == 11)
    }

    @Test func withoutTheCurrentPieceTheFirstIsAwaited() throws {
        let (a, b) = try (MadePiece("A", seed: 1), MadePiece("B", seed: 77))
        let old = concert([a])
        _ = old.reports(Array(a.samples[..<samples(2)]))
        let reports = changed([b], [nil], of: old).reports(b.samples)
        #expect(reports.last?.pieceIndex == 0)
        #expect(reports.last?.positionReport.position?.played == 11)
        #expect((reports.first?.positionReport.liveTime.seconds ?? 0) > 2)
    }
}
