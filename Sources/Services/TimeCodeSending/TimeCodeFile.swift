import Basics
import Following
import Hosting
import Score
import Sound
import TimeCode

/// Writes linear time code for a recording that is followed at once: as long as the recording, and made as on the
/// stage, a tenth of a second before its time.
package final class TimeCodeFile {
    private let settings: TimeCodeSettings
    private let writer: SoundFileWriter
    private var encoder: LinearTimeCodeEncoder
    private var clock: CodeClock
    private var samples: [Float] = []
    private var failure: SoundFileError?
    private let timeLines: [RecordingTimeLine]

    /// - Parameter pieces: the names and references of the pieces.
    /// - Throws: an error with a sentence if the file cannot be written, or a piece cannot have its time.
    package init(path: String, settings: TimeCodeSettings, pieces: [(name: String, measures: MeasureMap)])
        throws
    {
        self.settings = settings
        timeLines = pieces.enumerated().map { index, piece in
            RecordingTimeLine(
                of: piece.measures, name: piece.name, beatsPerBar: nil,
                recording: settings.recordings[index + 1], source: TimeCodeSettings.recordingSource)
        }
        if let trouble = timeLines.lazy.compactMap(\.trouble).first { throw ExplainedError(trouble) }
        writer = try SoundFileWriter(path: path, rate: SoundOutput.rate)
        encoder = settings.makeEncoder()
        clock = CodeClock(settings.clock, at: 0)
    }

    /// Adds the code up to a tenth of a second after a report.
    package func addReport(_ report: ConcertReport) {
        clock.observe(timeLines[report.pieceIndex].convert(CodeClock.Observation(report)))
        let end = report.positionReport.liveTime.seconds + CodeSender.lead
        while clock.time + CodeClock.step <= end { addStep() }
        guard samples.count > 100_000 else { return }
        flush()
    }

    private func addStep() {
        let count = Int(SoundOutput.rate.hertz * CodeClock.step)
        guard let segment = clock.advance() else { return encoder.appendSilence(count: count, to: &samples) }
        let frames = settings.frames(of: segment)
        encoder.append(
            from: frames.lowerBound, to: frames.upperBound, run: segment.run, count: count, to: &samples)
    }

    private func flush() {
        do throws(SoundFileError) { try writer.write(samples) } catch { failure = failure ?? error }
        samples.removeAll(keepingCapacity: true)
    }

    /// Completes the file.
    /// - Throws: an error with a sentence if not all was written.
    package func close() throws {
        flush()
        if let failure { throw failure }
        try writer.close()
    }
}
