import ChildProcesses
import Foundation
import MusicalTime

/// Renders a score to sound and writes the times of its measures.
public struct ScoreRenderer: Sendable {
    /// The settings of the synthesizer.
    public struct SynthesizerSettings: Equatable, Sendable {
        /// The soundfont file; nil selects the first of ``RenderingTools/soundfonts``.
        public var soundfont: URL?
        public var rate: SampleRate
        public var room: Reverberation
        public var gain: Double

        public init(soundfont: URL? = nil, rate: SampleRate, room: Reverberation, gain: Double) {
            self.soundfont = soundfont
            self.rate = rate
            self.room = room
            self.gain = gain
        }
    }

    /// Converts fluidsynth's stereo WAV file, for example to another number of channels. The extension of `final`
    /// chooses the format.
    public typealias SoundConversion =
        @Sendable (_ rendered: URL, _ final: URL) throws(RenderingError) -> Void

    public var tools: RenderingTools
    /// Converts the rendered sound to its final format; if nil, fluidsynth writes the final file itself, in stereo.
    public var convertSound: SoundConversion?

    public init(tools: RenderingTools, convertSound: SoundConversion? = nil) {
        self.tools = tools
        self.convertSound = convertSound
    }

    /// Renders a score and writes the sound (or MIDI) file, the measure times and the details.
    /// - Parameter curveName: the name of the tempo curve that is written to the details.
    /// - Throws: ``RenderingError``. Files that were written before the failure are kept; the sound is written first.
    public func render(
        score: URL, as interpretation: Interpretation, curveName: String? = nil, sound: SynthesizerSettings,
        to files: RenderedFiles
    ) async throws(RenderingError) -> RenderingDetails {
        let notesOnly = files.sound.pathExtension.lowercased() == "mid"
        let synthesizer = notesOnly ? nil : try synthesizer(for: sound)
        let music = try await ScoreFileReader(tools: tools).music(at: score)
        let performance = try Performance(of: music, as: interpretation)

        let folder = files.sound.deletingLastPathComponent()
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw .cannotWrite(path: folder.path, reason: error.localizedDescription)
        }
        if let synthesizer {
            let scratch = try ScratchFolder()
            let midi = scratch.file("performance.mid")
            try Self.write(Data(performance.midiFile), to: midi)
            let rendered = convertSound == nil ? files.sound : scratch.file("stereo.wav")
            try await synthesizer.render(midi: midi, to: rendered, score: score.path)
            try convertSound?(rendered, files.sound)
        } else {
            try Self.write(Data(performance.midiFile), to: files.sound)
        }

        let latency = synthesizer?.latency ?? .zero
        let onsets = performance.measureOnsets.map { Self.rounded($0 + latency) }
        let facts = RenderingDetails(
            score: score.lastPathComponent, title: music.title, composer: music.composer,
            parts: music.partNames, audio: files.sound.lastPathComponent,
            sampleRateHertz: synthesizer?.rate.hertz,
            soundfont: synthesizer?.soundfont.lastPathComponent, room: synthesizer?.room.rawValue,
            tempoRatio: interpretation.tempo.value, tempoCurve: curveName, seed: interpretation.seed,
            startSeconds: onsets[0], endSeconds: Self.rounded(performance.end + latency),
            measures: zip(music.measures, onsets).enumerated().map { index, row in
                RenderingDetails.Measure(played: index + 1, printed: row.0.printed, seconds: row.1)
            })
        do { _ = try facts.measureMap() } catch {
            throw .timemapUnusable(score: score.path, reason: "two measures begin at the same time")
        }
        try Self.write(Data(facts.measuresCSV.utf8), to: files.measures)
        let json: Data
        do { json = try facts.json } catch {
            throw .cannotWrite(path: files.details.path, reason: error.localizedDescription)
        }
        try Self.write(json, to: files.details)
        return facts
    }

    private func synthesizer(for sound: SynthesizerSettings) throws(RenderingError) -> FluidSynth {
        guard let program = tools.fluidSynth else { throw .fluidSynthMissing }
        guard let soundfont = sound.soundfont ?? tools.soundfonts.first else {
            throw .soundfontMissing(path: nil)
        }
        guard FileManager.default.fileExists(atPath: soundfont.path) else {
            throw .soundfontMissing(path: soundfont.path)
        }
        return FluidSynth(
            executable: program, soundfont: soundfont, rate: sound.rate, room: sound.room, gain: sound.gain)
    }

    /// Returns the time in seconds, rounded to tenths of a millisecond as in the file of measure times.
    private static func rounded(_ time: ReferenceTime) -> Double {
        (time.seconds * 10_000).rounded() / 10_000
    }

    private static func write(_ content: Data, to url: URL) throws(RenderingError) {
        do { try content.write(to: url, options: .atomic) } catch {
            throw .cannotWrite(path: url.path, reason: error.localizedDescription)
        }
    }
}
