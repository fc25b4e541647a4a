import Following
import Foundation
import Hosting
import Performance
import Podium
import RealTime
import Synchronization

/// Lanes, outputs and pages: started, and stopped in the other order.
extension ServeRun {
    private static let capturePriority: Int32 = 70
    private static let followPriority: Int32 = 60
    private static let deskPriority: Int32 = 50

    /// Serves until somebody interrupts.
    func run(until interruption: LiveInterruption) async throws {
        let sending = air.map { air in Task { await air.send() } }
        let (lane, input, desk) = (lane, input, desk)
        let deskThread = try RealTimeThread(name: "desk", priority: Self.deskPriority) { desk.run(until: $0) }
        if show.isContinued, pair == nil { desk.inbox.tell(.restarted) }
        if !show.isContinued, let words = Self.beginning(place) {
            desk.inbox.tell(.command(words, by: Person(name: "start", role: .automation), epoch: nil))
        }
        let pairThread = try pair.map { pair in
            try RealTimeThread(name: "pair", priority: Self.deskPriority) { pair.run(until: $0) }
        }
        let follow = try RealTimeThread(name: "follow", priority: Self.followPriority) { lane.run(until: $0) }
        let capture = try RealTimeThread(name: "capture", priority: Self.capturePriority) { stop in
            input.run(into: lane.ring, ringing: lane.heard, until: stop)
        }
        policies.list.withLock { $0 = [capture.policy, follow.policy] }
        var watch = ServeWatch(
            show: desk.inbox, lane: lane, input: input, air: air, osc: osc, broker: broker,
            folder: folder.path,
            found: startFaults,
            further: [audience.slidesFault]
        ) { [stream] in stream.publish(.targets, $0) }
        let watching = Task { await watch.run() }
        let telling = Task { await tellOfPair() }
        let mirroring = Task { [mirror] in await mirror?.run() }
        let contentWatch = Task { [content] in await content.desk.watch() }
        let rehearsing = Task { [rooms, library] in await rooms.run(scoreChanges: library.changes, say: say) }
        let brokerCommands = broker.map { broker in
            Task { await ShowControlCommands(show: desk.inbox).hear(broker) }
        }
        let serving = Task { try await web.run() }
        let failed = Mutex<(any Error)?>(nil)
        let served = Task {
            do { try await serving.value } catch { failed.withLock { $0 = error } }
        }
        while !interruption.isMade, failed.withLock({ $0 == nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
        await web.stop()
        await served.value
        watching.cancel()
        telling.cancel()
        contentWatch.cancel()
        rehearsing.cancel()
        mirroring.cancel()
        pairThread?.stop()
        await pair?.close()
        brokerCommands?.cancel()
        capture.stop()
        follow.stop()
        deskThread.stop()
        for output in outputs { await output.close() }
        await air?.close()
        sending?.cancel()
        await sending?.value
        finish()
        if let error = failed.withLock({ $0 }) { throw error }
    }

    /// The command that begins elsewhere than at the first measure of the first piece; nil where that is meant.
    private static func beginning(_ place: ProgrammePlace) -> PodiumCommand? {
        guard place != .beginning else { return nil }
        return try? PodiumCommand(
            words: ["piece", "\(place.piece + 1)", place.position.map { "p:\($0.played)" } ?? "unknown"])
    }

    private func tellOfPair() async {
        guard let pair else { return }
        while !Task.isCancelled {
            stream.publish(.backup, pair.section)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }
}
