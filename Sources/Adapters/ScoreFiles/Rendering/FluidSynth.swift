import Basics
import Foundation
import Platform

/// Renders MIDI to a sound file with the program fluidsynth, faster than real time.
public struct FluidSynth: Sendable {
    /// The values of fluidsynth's option `-T`, chosen by file extension. The installed fluidsynth may lack some of
    /// them.
    enum SoundType: String {
        case wav, flac
        case ogg = "oga"

        init?(pathExtension: String) {
            switch pathExtension.lowercased() {
            case "wav": self = .wav
            case "flac": self = .flac
            case "ogg", "oga": self = .ogg
            default: return nil
            }
        }
    }

    /// The average delay between a note's written time and its sound.
    ///
    /// Measured with a click on fluidsynth 2.3.1 at 22,050, 44,100 and 88,200 Hz: an event waits for the next block
    /// of 64 samples and sounds one block later, so the delay lies between one block and two.
    public var averageNoteDelay: Seconds { Seconds(1.5 * 64 / rate.hertz) }

    public var executable: URL
    public var soundfont: URL
    public var rate: SampleRate
    public var reverberation: Reverberation
    /// The output gain of the synthesizer, a factor from 0 to 10; large ensembles need a smaller one to avoid clipping.
    public var gain: Double
    /// The limit of fluidsynth's processor time, in seconds. An hour of music takes about a minute.
    public var processorSeconds: Int

    public init(
        executable: URL, soundfont: URL, rate: SampleRate, reverberation: Reverberation, gain: Double,
        processorSeconds: Int = 1_800
    ) {
        self.executable = executable
        self.soundfont = soundfont
        self.rate = rate
        self.reverberation = reverberation
        self.gain = gain
        self.processorSeconds = processorSeconds
    }

    /// - Parameters:
    ///   - midi: a Standard MIDI File on disk.
    ///   - sound: the file to write; its ending chooses the format.
    ///   - score: the name used in errors.
    public func render(midi: URL, to sound: URL, score: String) async throws(ExplainedError) {
        guard let type = SoundType(pathExtension: sound.pathExtension) else {
            throw ExplainedError(
                "\(sound.path) names no sound format; end it in .wav, .flac or .ogg, in .mid for the "
                    + "notes alone, or in / for a folder.")
        }
        let scratch = try ScratchFolder()
        // The sound is written to a temporary file and moved, so that a failed rendering leaves no half-written file.
        let unfinished = scratch.fileURL("sound.\(sound.pathExtension)")
        let tool = RenderingTool(
            name: "fluidsynth", executable: executable, processorSeconds: processorSeconds)
        let (output, errors) = (scratch.fileURL("output.txt"), scratch.fileURL("errors.txt"))
        let status = try await tool.run(
            commandLineArguments(midi: midi, sound: unfinished, type: type), in: scratch.url, output: output,
            errors: errors, score: score)
        guard status == 0 else {
            throw RenderingError.toolFailed(
                tool: tool.name, score: score,
                reason: ChildProcess.Outcome.finished(status: status).failureReason(errors: errors))
        }
        // fluidsynth ends with status 0 even if it could not read the soundfont or write the file.
        let size = (try? unfinished.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        guard size > 0 else {
            throw RenderingError.toolFailed(
                tool: "fluidsynth", score: score,
                reason: "it wrote no sound (\(ChildProcess.lastLine(of: errors)))")
        }
        do {
            if FileManager.default.fileExists(atPath: sound.path) {
                try FileManager.default.removeItem(at: sound)
            }
            try FileManager.default.moveItem(at: unfinished, to: sound)
        } catch {
            throw RenderingError.cannotWrite(path: sound.path, reason: error.localizedDescription)
        }
    }

    func commandLineArguments(midi: URL, sound: URL, type: SoundType) -> [String] {
        var settings = ["synth.chorus.active=0", "player.reset-synth=0"]
        if let reverb = reverberation.fluidSynthReverb {
            settings += [
                "synth.reverb.active=1", "synth.reverb.room-size=\(reverb.size)",
                "synth.reverb.damp=\(reverb.damp)", "synth.reverb.width=\(reverb.width)",
                "synth.reverb.level=\(reverb.level)",
            ]
        } else {
            settings.append("synth.reverb.active=0")
        }
        return ["-n", "-i", "-q", "-r", "\(Int(rate.hertz))", "-g", "\(gain)", "-T", type.rawValue]
            + settings.flatMap { ["-o", $0] }
            + ["-F", sound.path, soundfont.path, midi.path]
    }
}
