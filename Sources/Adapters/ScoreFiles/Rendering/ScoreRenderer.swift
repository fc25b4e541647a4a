import Basics
import Foundation
import Platform

/// Renders a score to sound and writes the times of its measures.
public struct ScoreRenderer: Sendable {
    /// The settings of the synthesizer.
    public struct SynthesizerSettings: Equatable, Sendable {
        /// The soundfont file; nil selects the first of ``ExternalRenderingTools/soundfonts``.
        public var soundfont: URL?
        public var rate: SampleRate
        public var reverberation: Reverberation
        public var gain: Double

        public init(soundfont: URL? = nil, rate: SampleRate, reverberation: Reverberation, gain: Double) {
            self.soundfont = soundfont
            self.rate = rate
            self.reverberation = reverberation
            self.gain = gain
        }
    }

    /// Converts fluidsynth's stereo WAV file, for example to another number of channels. The extension of `final`
    /// chooses the format.
    public typealias SoundConversion =
        @Sendable (_ rendered: URL, _ final: URL) throws(ExplainedError) -> Void

    public var tools: ExternalRenderingTools
    /// Converts the rendered sound to its final format; if nil, fluidsynth writes the final file itself, in stereo.
    public var convertSound: SoundConversion?

    public init(tools: ExternalRenderingTools, convertSound: SoundConversion? = nil) {
        self.tools = tools
        self.convertSound = convertSound
    }

    /// Renders a score and writes the sound (or MIDI) file, the measure times and the details.
    /// - Parameter curveName: the name of the tempo curve that is written to the details.
    /// - Throws: ``ExplainedError``. Files that were written before the failure are kept; the sound is written first.
    public func render(
        score: URL, as interpretation: PerformanceInterpretation, curveName: String? = nil,
        sound: SynthesizerSettings,
        to files: RenderedFilePaths
    ) async throws(ExplainedError) -> RenderingDetails {
        let notesOnly = files.soundFile.pathExtension.lowercased() == "mid"
        let synthesizer = notesOnly ? nil : try makeSynthesizer(for: sound)
        let music = try await ScoreFileReader(tools: tools).readMusic(at: score)
        var interpretation = interpretation
        // The first bar of a MIDI file begins at its first tick, so that its bars are those of the score.
        if notesOnly { interpretation.leadIn = .zero }
        let performance = try MIDIPerformance(of: music, as: interpretation)

        let folder = files.soundFile.deletingLastPathComponent()
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw RenderingError.cannotWrite(path: folder.path, reason: error.localizedDescription)
        }
        if let synthesizer {
            let scratch = try ScratchFolder()
            let midi = scratch.fileURL("performance.mid")
            try Self.write(Data(performance.midiFileBytes), to: midi)
            let rendered = convertSound == nil ? files.soundFile : scratch.fileURL("stereo.wav")
            try await synthesizer.render(midi: midi, to: rendered, score: score.path)
            try convertSound?(rendered, files.soundFile)
        } else {
            try Self.write(Data(performance.barredMIDIFileBytes), to: files.soundFile)
        }

        let latency = synthesizer?.averageNoteDelay ?? .zero
        let onsets = performance.measureOnsets.map { Self.secondsRoundedToTenthMilliseconds($0 + latency) }
        let facts = RenderingDetails(
            score: score.lastPathComponent, title: music.title, composer: music.composer,
            parts: music.partNames, audio: files.soundFile.lastPathComponent,
            sampleRateHertz: synthesizer?.rate.hertz,
            soundfont: synthesizer?.soundfont.lastPathComponent, room: synthesizer?.reverberation.rawValue,
            tempoRatio: interpretation.tempoRatio.value, tempoCurve: curveName, seed: interpretation.seed,
            startSeconds: onsets[0],
            endSeconds: Self.secondsRoundedToTenthMilliseconds(performance.lastMeasureEnd + latency),
            measures: zip(music.playedMeasures, onsets).enumerated().map { index, row in
                RenderingDetails.Measure(
                    played: index + 1, printed: row.0.printedNumber, written: row.0.writtenIndex,
                    seconds: row.1)
            }, remarks: music.sequence.remarks.isEmpty ? nil : music.sequence.remarks)
        do { _ = try facts.makeMeasureMap() } catch {
            throw RenderingError.timemapUnusable(
                score: score.path, reason: "two measures begin at the same time")
        }
        try Self.write(Data(facts.measuresCSVText.utf8), to: files.measureTimesFile)
        let json: Data
        do { json = try facts.jsonFileContent } catch {
            throw RenderingError.cannotWrite(path: files.detailsFile.path, reason: error.localizedDescription)
        }
        try Self.write(json, to: files.detailsFile)
        return facts
    }

    private func makeSynthesizer(for sound: SynthesizerSettings) throws(ExplainedError) -> FluidSynth {
        guard let program = tools.fluidSynth else {
            throw ExplainedError("The program fluidsynth is missing; run: apt-get install fluidsynth.")
        }
        guard let soundfont = sound.soundfont ?? tools.soundfonts.first else {
            throw RenderingError.soundfontMissing(path: nil)
        }
        guard FileManager.default.fileExists(atPath: soundfont.path) else {
            throw RenderingError.soundfontMissing(path: soundfont.path)
        }
        return FluidSynth(
            executable: program, soundfont: soundfont, rate: sound.rate, reverberation: sound.reverberation,
            gain: sound.gain)
    }

    /// Returns the time in seconds, rounded to tenths of a millisecond as in the file of measure times.
    private static func secondsRoundedToTenthMilliseconds(_ time: ReferenceTime) -> Double {
        (time.seconds * 10_000).rounded() / 10_000
    }

    private static func write(_ content: Data, to url: URL) throws(ExplainedError) {
        do { try content.write(to: url, options: .atomic) } catch {
            throw RenderingError.cannotWrite(path: url.path, reason: error.localizedDescription)
        }
    }
}
