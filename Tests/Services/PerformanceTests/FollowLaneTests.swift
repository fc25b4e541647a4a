import Basics
import Dispatch
import Following
import Platform
import Score
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct FollowLaneTests {
    private func said(_ piece: Int) -> StampedReport {
        let report = PositionReport(
            liveTime: LiveTime(seconds: 0), referenceTime: nil, position: nil, printedMeasure: nil,
            tempo: .unity,
            confidence: 0, state: .waiting)
        return StampedReport(
            concertReport: ConcertReport(pieceIndex: piece, positionReport: report),
            publishedAt: MonotonicInstant(nanoseconds: 0)
        )
    }

    @Test func reportsComeOutInOrder() {
        let ring = ReportQueue(capacity: 4)
        for round in 0..<5 {
            for piece in 0..<3 { ring.write(said(3 * round + piece)) }
            #expect(
                (0..<3).compactMap { _ in ring.read()?.concertReport.pieceIndex }
                    == (0..<3).map { 3 * round + $0 }
            )
        }
        #expect(ring.read() == nil && ring.droppedCount == 0)
    }

    @Test func reportsNobodyReadsAreCounted() {
        let ring = ReportQueue(capacity: 4)
        for piece in 0..<10 { ring.write(said(piece)) }
        #expect(ring.droppedCount == 6)
        #expect(ring.read()?.concertReport.pieceIndex == 0)
    }

    @Test func theLaneSaysWhatTheFollowerSays() throws {
        let programme = try LiveFolder.programme(seeds: [1], seconds: 3)
        let samples = LiveFolder.melody(seed: 1, seconds: 1.9)
        var expected: [PositionReport] = []
        samples.withUnsafeBufferPointer {
            LiveFolder.concert(programme).hearSamples($0) { expected.append($0.positionReport) }
        }
        let lane = try FollowLane(LiveFolder.concert(programme))
        let thread = try RealTimeThread(name: "follow", priority: nil) { lane.run(until: $0) }
        samples.withUnsafeBufferPointer { _ = lane.ring.write($0, capturedAt: MonotonicClock.now) }
        lane.samplesArrived.ring()
        var reports: [PositionReport] = []
        while reports.count < expected.count {
            _ = lane.reportPublished.wait(milliseconds: 1000)
            while let report = lane.allReports.read() {
                var report = report.concertReport.positionReport
                #expect(report.captureToReportDelay >= .zero)
                report.captureToReportDelay = .zero
                reports.append(report)
            }
        }
        thread.stop()
        #expect(reports == expected)
        #expect(
            lane.newestReport.latestValue()?.concertReport.positionReport.liveTime == expected.last?.liveTime)
        #expect(lane.hopDurationMeter.readStatistics().hopCount == expected.count)
    }

    @Test func theLaneReturnsWhenAllOfAnEndedInputIsFollowed() throws {
        let programme = try LiveFolder.programme(seeds: [1], seconds: 3)
        let samples = LiveFolder.melody(seed: 1, seconds: 1.9)
        var expected = 0
        samples.withUnsafeBufferPointer {
            LiveFolder.concert(programme).hearSamples($0) { _ in expected += 1 }
        }
        let lane = try FollowLane(LiveFolder.concert(programme))
        let (inputEnd, returned) = (StopRequest(), DispatchSemaphore(value: 0))
        let thread = try RealTimeThread(name: "follow", priority: nil) { stop in
            lane.run(until: stop, orWhenHeardAfter: inputEnd)
            returned.signal()
        }
        samples.withUnsafeBufferPointer { _ = lane.ring.write($0, capturedAt: MonotonicClock.now) }
        inputEnd.make()
        lane.samplesArrived.ring()
        #expect(returned.wait(timeout: .now() + .seconds(30)) == .success)
        thread.stop()
        #expect(expected > 90 && lane.hopDurationMeter.readStatistics().hopCount == expected)
    }

    /// “Begin” comes a second after the first note: the follower is where the music is, and the time of its reports goes
    /// on.
    @Test func musicThatBeganBeforeAPersonSaidSoIsHeardFromItsFirstNote() throws {
        let programme = try LiveFolder.programme(seeds: [1], seconds: 8)
        let music = LiveFolder.melody(seed: 1, seconds: 4)
        let rate = Int(LiveFolder.rate.hertz)
        let lane = try FollowLane(LiveFolder.concert(programme))
        func hear(_ samples: [Float]) -> PositionReport? {
            let end = StopRequest()
            end.make()
            samples.withUnsafeBufferPointer { _ = lane.ring.write($0, capturedAt: MonotonicClock.now) }
            lane.samplesArrived.ring()
            lane.run(until: StopRequest(), orWhenHeardAfter: end)
            return lane.newestReport.latestValue()?.concertReport.positionReport
        }
        // Something else sounds before, then nobody plays.
        _ = hear(Array(LiveFolder.melody(seed: 9, seconds: 2).prefix(rate)))
        _ = hear([Float](repeating: 0.00001, count: rate))
        _ = hear(Array(music.prefix(rate)))
        #expect(
            lane.orders.add(
                FollowLaneOrder(
                    kind: .beginMusic, piece: 0, position: ScorePosition(played: 0, fraction: 0), number: 7)))
        let report = try #require(hear(Array(music[rate..<(rate + rate / 10)])))
        #expect(lane.newestReport.latestValue()?.newestCompletedOrderNumber == 7)
        #expect(abs(report.liveTime.seconds - 3.1) < 0.05)
        #expect(abs((report.referenceTime?.seconds ?? 0) - 1.1) < 0.5)
    }

    @Test func theLaneBeginsAnewWithEachTurn() throws {
        let programme = try LiveFolder.programme(seeds: [1], seconds: 3)
        let restart = FollowLane.RepetitionRestart(intervalSamples: 11_025, place: .beginning)
        let lane = try FollowLane(LiveFolder.concert(programme), repetitionRestart: restart)
        let samples = LiveFolder.melody(seed: 1, seconds: 1)
        let thread = try RealTimeThread(name: "follow", priority: nil) { lane.run(until: $0) }
        var reports: [PositionReport] = []
        for turn in 1...3 {
            samples.withUnsafeBufferPointer { _ = lane.ring.write($0, capturedAt: MonotonicClock.now) }
            lane.samplesArrived.ring()
            while reports.count < 50 * turn {
                _ = lane.reportPublished.wait(milliseconds: 1000)
                while let report = lane.allReports.read() {
                    reports.append(report.concertReport.positionReport)
                }
            }
        }
        thread.stop()
        #expect([0, 50, 100].allSatisfy { reports[$0].state == .waiting })
        #expect(reports.last?.liveTime.seconds == 3)
    }
}
