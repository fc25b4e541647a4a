import Basics
import Following
import Score
import Sound
import Testing

@Suite struct ConcertFollowerTests {
    private func concert(
        _ pieces: [MadePiece], start: ProgrammePosition = .beginning
    ) -> ConcertFollower {
        ConcertFollower(
            programme: ConcertProgramme(title: "Made", pieceModels: pieces.map(\.model)),
            sampleRate: MadePiece.rate,
            transforms: FFTWSpectrumMaker(), start: start)
    }

    @Test func theNextPieceIsTakenUpByItself() throws {
        let pieces = try [MadePiece("A", seed: 1), MadePiece("B", seed: 77), MadePiece("C", seed: 4242)]
        let room = Silence.samples(seconds: 3)
        let evening = pieces.reduce(into: Silence.samples(seconds: 0.3)) { $0 += $1.samples + room }
        let reports = concert(pieces).reports(evening)
        #expect(
            reports.map(\.pieceIndex).reduce(into: []) { if $0.last != $1 { $0.append($1) } } == [0, 1, 2])
        #expect(reports.last?.positionReport.position?.played == 11)
        let secondBegins = 0.3 + 12.5 + 3
        let taken = try #require(reports.first { $0.pieceIndex == 1 })
        #expect(taken.positionReport.liveTime.seconds > secondBegins)
        #expect(taken.positionReport.liveTime.seconds < secondBegins + 4)
    }

    /// The first piece is under way and pauses, something like the second one is heard for seven seconds, and the first one goes on.
    @Test func theHopThatReturnsToThePieceBeforeReportsThatPiece() throws {
        let pieces = try [MadePiece("A", seed: 2, measures: 28), MadePiece("B", seed: 154)]
        let second = Int(MadePiece.rate.hertz)
        let evening =
            pieces[0].samples[..<(11 * second)] + Silence.samples(seconds: 5)
            + pieces[1].samples[..<(7 * second)] + pieces[0].samples[(11 * second)...]
        let reports = concert(pieces).reports(Array(evening))
        let order: [Int] = reports.map(\.pieceIndex).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        try #require(order == [0, 1, 0])
        let wrong = try #require(reports.lastIndex { $0.pieceIndex == 1 })
        for report in reports[(wrong + 1)...(wrong + 3)].map(\.positionReport) {
            let place = try #require(report.referenceTime)
            #expect(abs(place.seconds - (report.liveTime.seconds - 12)) < 0.5)
        }
    }

    @Test func betweenPiecesTheLastMeasureStays() throws {
        let pieces = try [MadePiece("A", seed: 1), MadePiece("B", seed: 77)]
        let reports = concert(pieces).reports(pieces[0].samples + Silence.samples(seconds: 8))
        let last = try #require(reports.last)
        #expect(last.pieceIndex == 0)
        #expect(last.positionReport.state == .finished)
        #expect(last.positionReport.position?.played == 11)
        #expect(last.positionReport.liveTime.seconds > 20)
    }

    @Test func whatIsSaidDoesNotDependOnTheBlocks() throws {
        let pieces = try [MadePiece("A", seed: 1, measures: 6), MadePiece("B", seed: 77, measures: 6)]
        let evening = pieces[0].samples + Silence.samples(seconds: 2) + pieces[1].samples
        let expected = concert(pieces).reports(evening, block: evening.count)
        for block in [1, 64, 441, 4096] {
            #expect(concert(pieces).reports(evening, block: block) == expected, "blocks of \(block)")
        }
    }

    @Test func onePieceIsFollowedAsByItsOwnFollower() throws {
        let piece = try MadePiece("A", seed: 1, measures: 6)
        let follower = PieceFollower(
            referenceModel: piece.model, rate: MadePiece.rate, transforms: FFTWSpectrumMaker())
        var alone: [PositionReport] = []
        piece.samples.withUnsafeBufferPointer { follower.hearSamples($0) { alone.append($0) } }
        #expect(concert([piece]).reports(piece.samples).map(\.positionReport) == alone)
    }

    @Test func itBeginsWhereItIsTold() throws {
        let pieces = try [MadePiece("A", seed: 1), MadePiece("B", seed: 77)]
        let place = ProgrammePosition(pieceIndex: 1, position: ScorePosition(played: 4, fraction: 0))
        let rest = Array(pieces[1].samples[(4 * Int(MadePiece.rate.hertz))...])
        let reports = concert(pieces, start: place).reports(Silence.samples(seconds: 0.3) + rest)
        #expect(reports.allSatisfy { $0.pieceIndex == 1 })
        #expect(reports.last?.positionReport.position?.played == 11)
    }

    @Test func beginningAgainKeepsLiveTimeRising() throws {
        let piece = try MadePiece("A", seed: 1, measures: 4)
        let concert = concert([piece])
        let first = concert.reports(piece.samples)
        concert.begin(at: .beginning)
        let second = concert.reports(piece.samples)
        let times = (first + second).map(\.positionReport.liveTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(second.first?.positionReport.state == .waiting)
        #expect(second.last?.positionReport.position?.played == 3)
    }
}
