import Basics
import Following
import Platform
import Score
import Synchronization
import Testing

@testable import Performance
@testable import Podium
@testable import ShowStages
@testable import TestHelpers

/// The follower of a changed programme goes to the follow thread.
@Suite(.ownThreads) struct FollowerExchangeTests {
    private static let rate = SampleRate(hertz: 8_000)

    /// A follower that counts what is asked of it.
    private final class CountingFollower: LiveAudioFollower {
        let programme = ConcertProgramme.empty(title: "Tonight")
        let sampleRate = FollowerExchangeTests.rate
        let counts = Mutex((continued: 0, released: 0, heard: 0))
        let isRehearsal = Mutex(false)
        var heardSamples: SampleTime { SampleTime(counts.withLock { $0.heard }) }
        var samplesToHopEnd: Int { 160 }
        func begin(at place: ProgrammePosition) {}
        func setRehearsal(_ isOn: Bool) { isRehearsal.withLock { $0 = isOn } }
        func takeOperatorPosition(piece: Int, at place: ReferenceTime) {}
        func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {
            counts.withLock { $0.heard += block.count }
        }
        func continuePerformance() { counts.withLock { $0.continued += 1 } }
        func releasePredecessor() { counts.withLock { $0.released += 1 } }
    }

    /// The follow thread's work on a tenth of a second of silence.
    private func follow(_ lane: FollowLane) {
        let end = StopRequest()
        end.make()
        [Float](repeating: 0, count: 800).withUnsafeBufferPointer {
            lane.ring.write($0, capturedAt: MonotonicClock.now)
        }
        lane.samplesArrived.ring()
        lane.run(until: StopRequest(), orWhenHeardAfter: end)
    }

    @Test func theLaneTakesTheNextFollowerAndTheFirstIsReleasedElsewhere() async throws {
        let course = try madeCourse()
        let (next, first) = (CountingFollower(), CountingFollower())
        let lane = try FollowLane(first)
        let exchange = FollowerExchange(lane, first: first, programme: .empty(title: "Tonight"))
        #expect(!exchange.handOver(for: course), "no follower is there yet")
        #expect(exchange.keepPrepared(FollowerBox(next), for: course, continuing: exchange.newest.box))
        #expect(exchange.hasPrepared(for: course))
        #expect(!exchange.follows(course), "it is prepared, and not handed over")
        #expect(exchange.handOver(for: course))
        #expect(exchange.follows(course))
        #expect(exchange.handOver(for: course), "once is enough")
        exchange.releaseReplaced()
        #expect(next.counts.withLock { $0.released } == 0, "the follow thread may still use the first")
        follow(lane)
        exchange.releaseReplaced()
        exchange.releaseReplaced()
        let counts = next.counts.withLock { $0 }
        #expect(counts.continued == 1)
        #expect(await eventually { next.counts.withLock { $0.released } == 1 })
        #expect(counts.heard == 800)
        #expect(first.counts.withLock { $0.heard } == 0)
    }

    @Test func aPiecePreparedAnewIsTakenOnlyWhileItIsNotPlayed() throws {
        let course = try madeCourse()
        let (next, first) = (CountingFollower(), CountingFollower())
        let lane = try FollowLane(first)
        let exchange = FollowerExchange(lane, first: first, programme: course)
        func offer(renewed: Set<Int>) -> Bool {
            exchange.keepPrepared(
                FollowerBox(next), for: course, continuing: exchange.newest.box, renewed: renewed)
        }
        #expect(offer(renewed: [0]))
        #expect(
            exchange.handOver(for: course) && exchange.newest.box.follower === first, "the music is the same")
        #expect(!exchange.handOverRenewed(for: course, at: 0, isAwaited: false))
        #expect(exchange.newest.box.follower === first, "the piece is being played")
        #expect(exchange.handOverRenewed(for: course, at: 0, isAwaited: true), "it must be awaited again")
        #expect(exchange.newest.box.follower === next)
        #expect(offer(renewed: [1]))
        #expect(!exchange.handOverRenewed(for: course, at: 0, isAwaited: false), "the current piece goes on")
        #expect(!exchange.hasPrepared(for: course), "it was handed over")
    }

    @Test func theFollowerIsToldThatTheShowIsARehearsalAndThatItIsOver() throws {
        let follower = CountingFollower()
        let lane = try FollowLane(follower)
        let output = FollowLaneOrderOutput(orders: lane.orders)
        var snapshot = try ServeStage().desk.inbox.newestSnapshot
        for isOn in [true, false] {
            snapshot.state.isRehearsal = isOn
            output.receiveSnapshot(snapshot)
            follow(lane)
            #expect(follower.isRehearsal.withLock { $0 } == isOn)
        }
    }

    /// A show that goes on is served before its models are ready. What the follower is told meanwhile, it is told later.
    @Test func aFollowerThatIsMadeLaterIsToldTheNewestPlace() throws {
        let course = try madeCourse()
        let (waiting, made) = (CountingFollower(), CountingFollower())
        let lane = try FollowLane(waiting)
        let exchange = FollowerExchange(lane, first: waiting, programme: course, isReady: false)
        let output = FollowLaneOrderOutput(orders: lane.orders, exchange: exchange)
        #expect(!exchange.follows(course))
        output.performEffect(
            .anchorFollower(piece: 0, at: ScorePosition(played: 1, fraction: 0), order: 7), of: course)
        follow(lane)
        #expect(lane.orders.removeOldest() == nil, "the waiting follower is told nothing")
        #expect(exchange.keepPrepared(FollowerBox(made), for: course, continuing: exchange.newest.box))
        var snapshot = try ServeStage().desk.inbox.newestSnapshot
        snapshot.programme = course
        snapshot.state.position = ScorePosition(played: 2, fraction: 0)
        snapshot.measureFraction = 0.5
        output.receiveSnapshot(snapshot)
        #expect(exchange.follows(course))
        guard case .changeFollower? = lane.orders.removeOldest()?.kind else {
            Issue.record("the follower was not handed over")
            return
        }
        let order = lane.orders.removeOldest()
        #expect(order?.number == 7)
        #expect(order?.position == ScorePosition(played: 2, fraction: 0.5), "the music has gone on")
    }

    @Test func aRefusedChangeLeavesTheFollower() throws {
        let course = try madeCourse()
        let first = CountingFollower()
        let lane = try FollowLane(first)
        let exchange = FollowerExchange(lane, first: first, programme: .empty(title: "Tonight"))
        #expect(
            exchange.keepPrepared(
                FollowerBox(CountingFollower()), for: course, continuing: exchange.newest.box))
        exchange.dropPrepared()
        #expect(!exchange.handOver(for: course))
        follow(lane)
        #expect(first.counts.withLock { $0.heard } == 800)
    }

    @Test func aFollowerThatWouldContinueAnEarlierOneIsDropped() throws {
        let course = try madeCourse()
        let lane = try FollowLane(CountingFollower())
        let exchange = FollowerExchange(
            lane, first: CountingFollower(), programme: .empty(title: "Tonight"))
        let first = exchange.newest.box
        #expect(exchange.keepPrepared(FollowerBox(CountingFollower()), for: course, continuing: first))
        #expect(exchange.handOver(for: course))
        let alone = try ShowProgramme(title: "One", pieces: [course.pieces[0]])
        #expect(!exchange.keepPrepared(FollowerBox(CountingFollower()), for: alone, continuing: first))
        #expect(!exchange.hasPrepared(for: alone))
        #expect(!exchange.handOver(for: alone))
    }

    /// A follower whose end the test sees.
    private final class EndingFollower: LiveAudioFollower {
        let programme = ConcertProgramme.empty(title: "Tonight")
        let sampleRate = FollowerExchangeTests.rate
        let hasEnded: @Sendable () -> Void
        init(_ hasEnded: @escaping @Sendable () -> Void) { self.hasEnded = hasEnded }
        var heardSamples: SampleTime { SampleTime(0) }
        var samplesToHopEnd: Int { 160 }
        func begin(at place: ProgrammePosition) {}
        func takeOperatorPosition(piece: Int, at place: ReferenceTime) {}
        func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {}
        deinit { hasEnded() }
    }

    @Test func anEarlierPreparedFollowerEndsOutsideTheLock() throws {
        let course = try madeCourse()
        let lane = try FollowLane(CountingFollower())
        let exchange = FollowerExchange(
            lane, first: CountingFollower(), programme: .empty(title: "Tonight"))
        let ended = Mutex(0)
        func prepare() {
            // Asking the exchange in the end of a follower would never return within its lock.
            let box = FollowerBox(
                EndingFollower {
                    _ = exchange.follows(course)
                    ended.withLock { $0 += 1 }
                })
            #expect(exchange.keepPrepared(box, for: course, continuing: exchange.newest.box))
        }
        prepare()
        prepare()
        #expect(ended.withLock { $0 } == 1)
        exchange.dropPrepared()
        #expect(ended.withLock { $0 } == 2)
    }

    @Test func anEmptyProgrammeIsWaitedIn() {
        let follower = WaitingFollower(title: "Tonight", sampleRate: Self.rate)
        var reports: [ConcertReport] = []
        [Float](repeating: 0.5, count: 8_000).withUnsafeBufferPointer { samples in
            follower.hearSamples(samples) { reports.append($0) }
        }
        #expect(reports.count == 50)
        #expect(Set(reports.map(\.positionReport.state)) == [.waiting])
        #expect(reports.last?.positionReport.liveTime.seconds == 1)
    }
}
