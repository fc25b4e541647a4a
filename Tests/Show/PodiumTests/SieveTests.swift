import Basics
import Following
import Podium
import Score
import Testing

@Suite struct SieveTests {
    private let map = measures(Array(1...100))

    private func report(
        live: Double, reference: Double, piece: Int = 0, _ state: FollowerState = .following,
        tempo: Double = 1,
        confidence: Double = 0.9, candidates: [Int] = []
    ) -> ConcertReport {
        let position = map.position(at: ReferenceTime(seconds: reference))
        var likely = LikelyMeasures()
        for played in candidates {
            let place = ScorePosition(played: played, fraction: 0)
            likely.append(
                LikelyMeasure(
                    referenceTime: map.time(of: place), position: place, printedMeasure: played + 1,
                    probability: 0.3))
        }
        return ConcertReport(
            pieceIndex: piece,
            positionReport: PositionReport(
                liveTime: LiveTime(seconds: live), referenceTime: ReferenceTime(seconds: reference),
                position: position,
                printedMeasure: position.played + 1, tempo: TempoRatio(tempo), confidence: confidence,
                state: state,
                likelyMeasures: likely))
    }

    /// Fifty reports a second from `start` on.
    private func words(
        seconds: Double, order: UInt32 = 0, _ said: (Double) -> ConcertReport
    ) -> [FollowerReport] {
        var sieve = FollowerReportFilter()
        return (0..<Int(seconds * 50)).compactMap {
            sieve.significantReport(said(Double($0) / 50), order: order)
        }
    }

    @Test func steadyMusicIsAWordAMeasure() {
        let heard = words(seconds: 60) { report(live: $0, reference: $0) }
        #expect(heard.compactMap { $0.position?.played } == Array(0..<30))
        #expect(heard.allSatisfy { !$0.jumped })
    }

    @Test func silenceIsBrokenEveryFiveSeconds() {
        let heard = words(seconds: 20) { report(live: $0, reference: 1, .waiting) }
        #expect(heard.count == 4)
    }

    @Test func aTremblingTempoAndConfidenceMakeTwoWordsASecondAtMost() {
        var random = SeededRandomGenerator(seed: 1)
        let heard = words(seconds: 60) { live in
            report(
                live: live, reference: live, tempo: .random(in: 0.5...2, using: &random),
                confidence: .random(in: 0...1, using: &random))
        }
        // And the drift that a wrong tempo makes, five a second.
        #expect(heard.count <= 60 * 5)
    }

    @Test func standingMusicIsSaidAtOnce() {
        let heard = words(seconds: 4) { report(live: $0, reference: min($0, 1)) }
        let second = heard[1]
        #expect(second.position?.played == 0)
        #expect(second.position?.fraction == 0.5)
    }

    @Test func aJumpIsSaidOnceAndAtOnce() {
        for (from, to) in [(20.0, 5.0), (20, 19.5), (20, 30)] {
            let heard = words(seconds: 2) { report(live: $0, reference: $0 < 1 ? from + $0 : to + $0) }
            #expect(heard.filter(\.jumped).count == 1, "\(from) to \(to)")
        }
    }

    @Test func lostReportsMakeNoJump() {
        var sieve = FollowerReportFilter()
        _ = sieve.significantReport(report(live: 0, reference: 10), order: 0)
        // Two seconds of reports were not seen.
        #expect(sieve.significantReport(report(live: 2, reference: 12), order: 0)?.jumped == false)
    }

    @Test func goingOnToTheNextPieceIsNoJumpAndGoingBackIs() {
        var sieve = FollowerReportFilter()
        _ = sieve.significantReport(report(live: 0, reference: 190), order: 0)
        #expect(sieve.significantReport(report(live: 1, reference: 3, piece: 1), order: 0)?.jumped == false)
        #expect(sieve.significantReport(report(live: 2, reference: 190, piece: 0), order: 0)?.jumped == true)
    }

    @Test func anOrderIsNoJump() {
        var sieve = FollowerReportFilter()
        _ = sieve.significantReport(report(live: 0, reference: 50), order: 0)
        let word = sieve.significantReport(report(live: 0.02, reference: 10), order: 1)
        #expect(word?.jumped == false)
        #expect(word?.order == 1)
    }

    @Test func otherCandidatesMatterWhileLost() {
        let lost = words(seconds: 4) {
            report(live: $0, reference: 10, .lost, candidates: $0 < 2.5 ? [3, 40] : [3, 60])
        }
        #expect(lost.map { $0.candidates.map(\.played) } == [[3, 40], [3, 60]])
        let following = words(seconds: 1.9) {
            report(live: $0, reference: $0, candidates: $0 < 1.5 ? [3, 40] : [3, 60])
        }
        #expect(following.count == 1)
    }

    @Test func whatIsNoNumberMakesNoHarm() {
        var sieve = FollowerReportFilter()
        for value in [Double.nan, .infinity, -.infinity, 1e300] {
            _ = sieve.significantReport(
                report(live: value, reference: 1, tempo: value, confidence: value), order: 0)
        }
    }
}
