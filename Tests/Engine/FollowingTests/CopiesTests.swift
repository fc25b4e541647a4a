import Basics
import Score
import Testing

@testable import Following

/// Twenty measures of two seconds; the measures 2 to 8 return as 11 to 17.
@Suite struct CopiesTests {
    private static let duet = Duet(measures: 20, seed: 5).returning(2..<9, at: 11)
    private static let model = Result { try duet.model() }
    private static let sound = duet.samples()

    private func sound(fromMeasure first: Int, through last: Int) -> [Float] {
        let samples = Int(Duet.secondsPerMeasure * Duet.rate.hertz)
        return Array(Self.sound[first * samples..<(last + 1) * samples])
    }

    @Test func aBeginningInTheMiddleMayBeInEitherCopyUntilTheyDiffer() throws {
        let follower = Duet.follower(try Self.model.get(), start: nil)
        let reports = follower.reports(sound(fromMeasure: 11, through: 19))
        let undecided = reports.filter(\.isUndecided)
        #expect(undecided.count > 100)
        for report in undecided {
            let played = report.copies.map(\.position.played).sorted()
            #expect(played.count == 2 && (8...10).contains(played[1] - played[0]))
            #expect(report.copies.first?.position == report.position)
            #expect(report.copies.reduce(0) { $0 + $1.probability } <= 1)
            #expect(report.confidence < report.passageConfidence)
        }
        // After the measure 17 the music is another one than after 8.
        let last = try #require(reports.last)
        #expect(last.state == .following && !last.isUndecided)
        #expect((18...19).contains(last.position?.played ?? 0))
    }

    @Test func aPassageThatIsReachedByPlayIsCertain() throws {
        let follower = Duet.follower(try Self.model.get())
        let reports = follower.reports(Self.sound)
        #expect(reports.allSatisfy { !$0.isUndecided })
        #expect(reports.worstError(from: 2) { $0 } < 0.3)
    }

    @Test func thePlaceThatAPersonGivesIsCertain() throws {
        let follower = Duet.follower(try Self.model.get(), start: nil)
        #expect(follower.reports(sound(fromMeasure: 11, through: 14)).contains { $0.isUndecided })
        follower.takeOperatorPosition(at: ReferenceTime(seconds: 30))
        let reports = follower.reports(sound(fromMeasure: 15, through: 17))
        #expect(reports.allSatisfy { !$0.isUndecided })
        #expect(reports.worstError(from: 10) { $0 - 8 + 30 } < 0.3)
    }
}
