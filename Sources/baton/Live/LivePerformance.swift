import Following
import Foundation
import Hosting
import Multicast
import Performance
import RealTime

/// Runs `baton follow` or `baton replay` in real time, and prints the statistics at the end.
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

/// Fails if an output file could not be written completely, even if the run went well.
func checkOutputs(_ scribe: LiveScribe) throws(LiveFailure) {
    for output in scribe.outputs where output.failed > 0 {
        throw LiveFailure(
            sentence: "\(output.name) could not be written \(output.failed) times "
                + "(\(output.problem ?? "unknown cause")); the file is incomplete.")
    }
}
