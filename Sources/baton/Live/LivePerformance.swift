import Basics
import Following
import Foundation
import Hosting
import NetworkLinks
import Performance
import Platform
import Recordings

/// Runs `baton follow` or `baton replay` in real time, and prints the statistics at the end.
/// - Parameter isUnderWay: true if a person has said where the music is.
func runPerformanceInRealTime(
    lane: FollowLane, input: any SoundSource, programme: ConcertProgramme, folders: [String],
    isUnderWay: Bool, output: OutputOptions,
    packets: MulticastOptions, limit: Duration?, recorder soundRecorder: SoundRecorder? = nil
) async throws {
    let interruption = ShutdownSignal()
    let view = output.makeTerminalView(programme, input: input)
    let recorder = try output.makeReportRecorder(
        programme: programme, folders: folders, withLines: view == nil)
    let packetSender = try await packets.makePacketSender(for: programme)
    let unlocked = lockMemoryIfPermitted()
    if let unlocked, !output.quiet, view == nil { printToStandardError(unlocked + "\n") }
    let run = try StandaloneRun(
        followLane: lane, input: input, packetSender: packetSender, recorder: recorder,
        recordingRing: soundRecorder?.ring, programme: programme, folders: folders,
        isUnderWay: isUnderWay)
    let recording = try soundRecorder.map { soundRecorder in
        try RealTimeThread(name: "record", priority: nil) { soundRecorder.run(until: $0) }
    }
    let last = try await run.run(view: view, limit: limit, interruption: interruption)
    recording?.stop()
    interruption.restoreDefaultSignals()
    if !output.quiet {
        printToStandardError(output.json ? last.jsonLine : last.summary)
        if let soundRecorder, !output.json { printToStandardError(soundRecorder.status.summary + "\n") }
    }
    if last.inputStatus.hasReachedEnd, let problem = last.inputStatus.failureReason {
        throw ExplainedError(problem)
    }
    try requireCompleteOutputs(recorder)
}

/// Fails if an output file could not be written completely, even if the run went well.
func requireCompleteOutputs(_ recorder: ReportRecorder) throws {
    for output in recorder.textOutputs where output.failedWriteCount > 0 {
        throw ExplainedError(
            "\(output.name) could not be written \(output.failedWriteCount) times "
                + "(\(output.newestErrorMessage ?? "unknown cause")); the file is incomplete.")
    }
}
