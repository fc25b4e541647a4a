import Basics
import Foundation
import Platform

/// Converts a score file to notes and measures.
public struct ScoreFileReader: Sendable {
    /// The limit of Verovio's processor time, in seconds. Verovio reads about 240 measures of four parts a second, so a
    /// score that takes longer is broken.
    public static let processorSeconds = 120

    var tools: ExternalRenderingTools

    var processorSeconds = Self.processorSeconds

    public init(tools: ExternalRenderingTools) { self.tools = tools }

    /// Reads MusicXML (plain or compressed) through Verovio, and MIDI directly.
    public func readMusic(at url: URL) async throws(ExplainedError) -> NotatedMusic {
        let score = try ScoreFile(url)
        guard score.kind == .midi else { return try await readThroughVerovio(score) }
        do {
            let sequence = try MIDIFileReader.read(score.bytes)
            let (measures, endTick) = try MIDIMeasureFinder.findMeasures(of: sequence)
            return NotatedMusic(
                sequence: sequence, playedMeasures: measures, endTick: endTick, mayReassignChannels: false)
        } catch {
            throw ExplainedError("\(url.path) cannot be played: \(error.sentence).")
        }
    }

    private func readThroughVerovio(_ score: ScoreFile) async throws(ExplainedError) -> NotatedMusic {
        guard let tool = tools.timemapScript else {
            throw ExplainedError(
                "Sources/Python/timemap.py was not found beside the program or above the working directory; run "
                    + "baton from inside its repository.")
        }
        guard let python = tools.pythonInterpreter else {
            throw ExplainedError(
                "Reading MusicXML needs a Python environment with Verovio at "
                    + "\(tools.verovioPythonEnvironment.path); run Tools/verovio-venv (installed: sudo "
                    + "baton-verovio), or set BATON_VENV to where one is.")
        }
        // Verovio reads a copy of the checked bytes, because the original file may have changed since the check.
        let scratch = try ScratchFolder()
        let copy = scratch.fileURL("score.\(score.kind == .musicXML ? "musicxml" : "mxl")")
        do { try Data(score.bytes).write(to: copy) } catch {
            throw RenderingError.cannotWrite(path: copy.path, reason: error.localizedDescription)
        }
        let verovio = RenderingTool(name: "Verovio", executable: python, processorSeconds: processorSeconds)
        let (output, errors) = (scratch.fileURL("timemap.json"), scratch.fileURL("errors.txt"))
        let status = try await verovio.run(
            ["-I", tool.path, copy.path], in: scratch.url, output: output, errors: errors,
            score: score.url.path)
        switch status {
        case 0: break
        case 3:
            throw ExplainedError(
                "Reading MusicXML needs a Python environment with Verovio at "
                    + "\(tools.verovioPythonEnvironment.path); run Tools/verovio-venv (installed: sudo "
                    + "baton-verovio), or set BATON_VENV to where one is.")
        default:
            throw RenderingError.toolFailed(
                tool: verovio.name, score: score.url.path,
                reason: ChildProcess.Outcome.finished(status: status).failureReason(errors: errors))
        }
        guard let handle = try? FileHandle(forReadingFrom: output),
            let json = try? handle.read(upToCount: VerovioTimemap.maximumBytes)
        else {
            throw RenderingError.timemapUnusable(
                score: score.url.path, reason: "Sources/Python/timemap.py printed nothing")
        }
        return try VerovioTimemap.parseMusic(json: json, score: score.url.path)
    }
}
