import Basics
import Concert
import Following
import Platform
import Podium
import Score
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages

/// Phones of `follow` see what phones of a served concert would.
@Suite struct LonePodiumTests {
    private static let programme = Result { try LiveFolder.programme(seeds: [1], seconds: 40) }

    /// The changes that a follower's reports make, one report each tenth of a second.
    private func changes(
        _ reports: [(played: Int, state: FollowerState)], isUnderWay: Bool = false
    ) throws -> [(report: Int, change: PhoneChange)] {
        var podium = try StandalonePodium(Self.programme.get(), folders: ["melody-1"], isUnderWay: isUnderWay)
        var found: [(Int, PhoneChange)] = []
        for (index, said) in reports.enumerated() {
            var report = madeReport(said.played, state: said.state)
            report.liveTime = LiveTime(seconds: Double(index) / 10)
            let made = podium.phoneChanges(
                by: StampedReport(
                    concertReport: ConcertReport(pieceIndex: 0, positionReport: report),
                    publishedAt: MonotonicClock.now))
            found += made.map { (index, $0) }
        }
        return found
    }

    private func measures(_ changes: [(report: Int, change: PhoneChange)]) -> [Int] {
        changes.compactMap {
            if case .showPosition(let position) = $0.change { position.measure } else { nil }
        }
    }

    @Test func eachMeasureIsShownOnceAsItBegins() throws {
        let heard = (0..<4).flatMap { played in Array(repeating: (played, FollowerState.following), count: 10)
        }
        #expect(measures(try changes(heard)) == [1, 2, 3, 4])
    }

    @Test func aLostFollowerMovesNothing() throws {
        let heard =
            Array(repeating: (1, FollowerState.following), count: 10)
            + Array(repeating: (3, FollowerState.lost), count: 50)
        #expect(measures(try changes(heard)) == [2])
    }

    /// As in a served concert: a far jump is shown when the follower has been sure of it for some seconds.
    @Test func aFarJumpIsShownWhenItHasProvedItself() throws {
        let heard =
            Array(repeating: (0, FollowerState.following), count: 20)
            + Array(repeating: (6, FollowerState.following), count: 150)
        let found = try changes(heard, isUnderWay: true)
        #expect(measures(found).first == 1 && measures(found).last == 7)
        let shown = try #require(found.first { $0.change != found[0].change })
        #expect(shown.report > 30, "shown after \(shown.report - 20) tenths of a second")
    }
}
