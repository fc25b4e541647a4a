import Following
import Foundation
import Hosting
import NetworkLinks
import Platform
import Podium

/// Runs `baton follow` and `baton replay`: starts the threads of one performance and stops them in order.
package final class StandaloneRun: Sendable {
    package let followLane: FollowLane
    package let input: any SoundSource
    package let packetSender: PhonePacketSender?
    package let recorder: ReportRecorder
    private let recordingRing: SampleRing?
    private let podium: StandalonePodium
    private let startInstant = MonotonicClock.now

    /// Prepares the run without starting its threads.
    /// - Parameters:
    ///   - recordingRing: gets the same sound as the follower; nil if the sound is not recorded.
    ///   - isUnderWay: true if a person has said where the music is.
    /// - Throws: an error with a sentence if the programme is not valid for a show.
    package init(
        followLane: FollowLane, input: any SoundSource, packetSender: PhonePacketSender?,
        recorder: ReportRecorder, recordingRing: SampleRing? = nil,
        programme: ConcertProgramme,
        folders: [String], isUnderWay: Bool
    ) throws {
        podium = try StandalonePodium(programme, folders: folders, isUnderWay: isUnderWay)
        self.followLane = followLane
        self.input = input
        self.packetSender = packetSender
        self.recorder = recorder
        self.recordingRing = recordingRing
    }

    /// Runs until the input ends, the time limit is reached or the process is interrupted.
    /// - Parameters:
    ///   - view: the display in the terminal; nil without a terminal.
    ///   - limit: the longest time to run; nil for no limit.
    /// - Returns: the final statistics.
    /// - Throws: if a thread cannot be started.
    package func run(view: TerminalView?, limit: Duration?, interruption: ShutdownSignal) async throws
        -> RunStatistics
    {
        let sending = packetSender.map { packetSender in
            Task { await packetSender.sendPacketsUntilCancelled() }
        }
        let lane = followLane
        let input = input
        let recorder = try RealTimeThread(name: "scribe", priority: nil) { [self] stop in
            self.recorder.recordReports(self.followLane.allReports, until: stop) { self.statisticsSnapshot() }
        }
        let podium = podium
        let sendPositions = try packetSender.map { packetSender in
            try RealTimeThread(name: "herald", priority: nil) { stop in
                packetSender.sendPositions(
                    lane.newestReport, by: podium, reportPublished: lane.reportPublished, until: stop)
            }
        }
        let looking = try view.map { view in
            try RealTimeThread(name: "view", priority: nil) { [self] stop in
                view.drawPeriodically(until: stop) { self.statisticsSnapshot() }
            }
        }
        let inputEnd = StopRequest()
        let (followed, allFollowed) = AsyncStream.makeStream(of: Void.self)
        let follow = try RealTimeThread(name: "follow", priority: ThreadPriority.follow) { stop in
            lane.run(until: stop, orWhenHeardAfter: inputEnd)
            // Everything is followed, so that nobody needs to wait for the follow thread.
            allFollowed.finish()
        }
        let sound = CapturedSound(for: lane, recordingRing: recordingRing)
        let capture = try RealTimeThread(name: "capture", priority: ThreadPriority.capture) { stop in
            input.deliverSamples(to: sound, until: stop)
            inputEnd.make()
            sound.end()
        }
        await waitUntilOver(of: followed, limit: limit, interruption: interruption)
        capture.stop()
        follow.stop()
        sendPositions?.stop()
        looking?.stop()
        recorder.stop()
        let last = statisticsSnapshot()
        await packetSender?.close()
        sending?.cancel()
        await sending?.value
        return last
    }

    /// The run's present statistics. The capture and follow threads must not call it.
    package func statisticsSnapshot() -> RunStatistics {
        RunStatistics(
            elapsed: MonotonicClock.now - startInstant, newestReport: followLane.newestReport.latestValue(),
            hopProcessingTime: followLane.hopDurationMeter.readStatistics(),
            captureToReportDelay: followLane.captureLatencyMeter.readStatistics(),
            longestReportGap: followLane.longestReportGap,
            overflowedSamples: followLane.ring.overflowedSamples,
            droppedReports: followLane.allReports.droppedCount, inputStatus: input.status,
            packetStatistics: packetSender.map {
                RunStatistics.PacketStatistics(
                    transmitterCounters: $0.transmitterCounters, reportToPacketDelay: $0.reportToPacketDelay,
                    shownMeasure: $0.shownPosition?.measure)
            })
    }

    /// Waits until the whole input was followed, the time limit is reached or the process is interrupted.
    private func waitUntilOver(
        of followed: AsyncStream<Void>, limit: Duration?, interruption: ShutdownSignal
    ) async {
        let left = limit.map { $0 - (MonotonicClock.now - startInstant) }
        await withTaskGroup { group in
            group.addTask { for await _ in followed {} }
            group.addTask { await interruption.run() }
            if let left { group.addTask { try? await Task.sleep(for: left) } }
            await group.next()
            group.cancelAll()
        }
    }
}

/// The number that the C library gives to `RLIMIT_MEMLOCK`, because Swift does not import this constant.
private let memoryLockLimit = __rlimit_resource_t(8)

/// Locks the memory against paging, but only as root or without a locked-memory limit: otherwise later allocations
/// could fail.
/// - Returns: the reason why the memory was not locked; nil if it was locked.
package func lockMemoryIfPermitted() -> String? {
    var limit = rlimit()
    getrlimit(memoryLockLimit, &limit)
    guard geteuid() == 0 || limit.rlim_cur == rlim_t.max else {
        return "The memory is not locked against paging: ulimit -l is not unlimited."
    }
    do {
        try lockMemory()
        return nil
    } catch {
        return error.sentence
    }
}
