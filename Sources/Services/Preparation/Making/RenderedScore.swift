import Alignment
import Basics
import Foundation
import Score
import ScoreFiles

/// A score rendered as sound: for a piece without a recording, or to find the measures of one.
struct RenderedScore {
    let audioPath: String
    let measures: MeasureMap
    /// The measures with their places on paper, for an alignment with a recording.
    let unfoldedMeasures: UnfoldedScoreMeasures

    /// Renders the score into the scratch folder.
    /// - Parameter tempo: multiplies the score's tempo.
    init(score: String, tempo: Double = 1, console: any PreparationObserver, cleanup: PreparationCleanup)
        async throws
    {
        console.beginStage("Rendering \(score)")
        let workshop = ExternalRenderingTools.findTools(
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            program: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
        let files = RenderedFilePaths(out: cleanup.scratchFolder.appendingPathComponent("score.wav"))
        let sound = ScoreRenderer.SynthesizerSettings(
            rate: SampleRate(hertz: 22_050), reverberation: .chamber, gain: 0.5)
        do {
            let facts = try await cleanup.runCancellable {
                try await ScoreRenderer(tools: workshop).render(
                    score: URL(fileURLWithPath: score),
                    as: PerformanceInterpretation(tempoRatio: TempoRatio(tempo)),
                    sound: sound,
                    to: files)
            }
            // A score is rendered again only at another tempo.
            if tempo == 1 {
                for remark in facts.remarks ?? [] { console.printLine("note: \(score): \(remark)") }
            }
            measures = try facts.makeMeasureMap()
            unfoldedMeasures = UnfoldedScoreMeasures(
                onsets: facts.measures.map(\.seconds), end: facts.endSeconds,
                writtenIndices: facts.measures.enumerated().map { $1.written ?? $0 })
        } catch let error as ExplainedError {
            throw error
        } catch let fault as MeasureMapFault {
            throw PreparationError("\(score): \(fault.sentence)")
        } catch {
            throw PreparationError("\(score) could not be rendered: \(error.localizedDescription)")
        }
        audioPath = files.soundFile.path
    }
}
