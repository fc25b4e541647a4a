import Following
import Foundation
import Hosting
import Multicast
import Performance
import RealTime

/// Runs the lanes and services of a performance, and says at the end how it went.
func perform(
    lane: FollowLane, input: any LiveInput, programme: Programme, folders: [String], output: OutputOptions,
    packets: MulticastOptions, limit: Duration?
) async throws {
    let interruption = LiveInterruption()
    let view = output.view(programme, input: input)
    let scribe = try output.scribe(programme: programme, folders: folders, withLines: view == nil)
    let air = try await packets.air(for: programme)
    let unlocked = lockMemoryIfPermitted()
    if let unlocked, !output.quiet, view == nil { say(unlocked + "\n") }
    let run = try LiveRun(
        lane: lane, input: input, air: air, scribe: scribe, programme: programme, folders: folders)
    let last = try await run.run(view: view, limit: limit, interruption: interruption)
    interruption.disarm()
    if !output.quiet { say(output.json ? last.statsLine : last.summary) }
    if last.input.isOver, let problem = last.input.problem { throw LiveFailure(sentence: problem) }
    try checkOutputs(scribe)
}

/// A file that could not be written is a failure of the run, however well it followed.
func checkOutputs(_ scribe: LiveScribe) throws(LiveFailure) {
    for output in scribe.outputs where output.failed > 0 {
        throw LiveFailure(
            sentence: "\(output.name) could not be written \(output.failed) times "
                + "(\(output.problem ?? "unknown cause")); what is there is incomplete.")
    }
}
