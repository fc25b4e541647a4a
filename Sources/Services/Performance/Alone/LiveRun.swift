import Following
import Foundation
import Hosting
import Multicast
import Podium
import RealTime

/// Runs `baton follow` and `baton replay`: starts the threads of one performance and stops them in order.
package final class LiveRun: Sendable {
    package let lane: FollowLane
    package let input: any LiveInput
    package let air: LiveAir?
    package let scribe: LiveScribe
    private let podium: LonePodium
    private let started = MonotonicClock.now

    /// - Throws: if the programme is not valid for a show.
    package init(
        lane: FollowLane, input: any LiveInput, air: LiveAir?, scribe: LiveScribe, programme: Programme,
        folders: [String]
    ) throws(LiveFailure) {
        do throws(ShowProgrammeFault) { podium = try LonePodium(programme, folders: folders) } catch {
            throw LiveFailure(sentence: error.sentence)
        }
        self.lane = lane
        self.input = input
        self.air = air
        self.scribe = scribe
    }

    /// Runs until the input ends, the time limit is reached or the process is interrupted.
    /// - Parameters:
    ///   - view: the display in the terminal; nil without a terminal.
    ///   - limit: the longest run; nil for no limit.
    /// - Returns: the final statistics.
    /// - Throws: if a thread cannot be started.
    package func run(view: TerminalView?, limit: Duration?, interruption: LiveInterruption) async throws
        -> LiveSnapshot
    {
        let sending = air.map { air in Task { await air.send() } }
        let lane = lane
        let input = input
        let scribe = try RealTimeThread(name: "scribe", priority: nil) { [self] stop in
            self.scribe.run(self.lane.everyReport, until: stop) { self.snapshot() }
        }
        let podium = podium
        let herald = try air.map { air in
            try RealTimeThread(name: "herald", priority: nil) { stop in
                air.herald(lane.newest, by: podium, told: lane.told, until: stop)
            }
        }
        let looking = try view.map { view in
            try RealTimeThread(name: "view", priority: nil) { [self] stop in
                view.run(until: stop) { self.snapshot() }
            }
        }
        let inputEnd = StopRequest()
        let (followed, allFollowed) = AsyncStream.makeStream(of: Void.self)
        let follow = try RealTimeThread(name: "follow", priority: LanePriority.follow) { stop in
            lane.run(until: stop, orWhenHeardAfter: inputEnd)
            // Everything is followed, so that nobody needs to wait for the follow thread.
            allFollowed.finish()
        }
        let capture = try RealTimeThread(name: "capture", priority: LanePriority.capture) { stop in
            input.run(into: lane.ring, ringing: lane.heard, until: stop)
            inputEnd.make()
            lane.heard.ring()
        }
        await waitForTheEnd(of: followed, limit: limit, interruption: interruption)
        capture.stop()
        follow.stop()
        herald?.stop()
        looking?.stop()
        scribe.stop()
        let last = snapshot()
        await air?.close()
        sending?.cancel()
        await sending?.value
        return last
    }

    /// The run's present statistics. Not for the capture and follow threads.
    package func snapshot() -> LiveSnapshot {
        LiveSnapshot(
            elapsed: MonotonicClock.now - started, newest: lane.newest.latest(),
            hopTime: lane.hopTime.reading(), captureToReport: lane.captureToReport.reading(),
            longestReportGap: lane.longestReportGap, overflowedSamples: lane.ring.overflowedSamples,
            droppedReports: lane.everyReport.dropped, input: input.status,
            air: air.map {
                LiveSnapshot.Air(
                    pump: $0.counters, reportToSent: $0.reportToSent, shownMeasure: $0.position?.measure)
            })
    }

    /// Waits until the whole input was followed, the time limit is reached or the process is interrupted.
    private func waitForTheEnd(
        of followed: AsyncStream<Void>, limit: Duration?, interruption: LiveInterruption
    ) async {
        let left = limit.map { $0 - (MonotonicClock.now - started) }
        await withTaskGroup { group in
            group.addTask { for await _ in followed {} }
            group.addTask { await interruption.run() }
            if let left { group.addTask { try? await Task.sleep(for: left) } }
            await group.next()
            group.cancelAll()
        }
    }
}

/// `RLIMIT_MEMLOCK`; Swift does not import the C library's own constant.
private let memoryLockLimit = __rlimit_resource_t(8)

/// Locks the process's memory against paging, if no later allocation can fail because of it: as root, or without a
/// limit on locked memory.
/// - Returns: why the memory was not locked; nil if it was.
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
