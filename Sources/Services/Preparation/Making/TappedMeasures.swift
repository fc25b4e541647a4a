import Alignment
import Basics
import Features
import ReferenceStore
import Score
import ScoreFiles
import Sound

/// The measures of a recording, found from the taps of a person and the sound.
struct TappedMeasures {
    let measures: MeasureMap
    let doubtful: [DoubtfulMeasureTime]
    let tapsFile: ModelSourceFile
    /// Notes about the taps, one sentence each.
    let notes: [String]

    /// Reads the taps and finds all measures from the first tap to the last one.
    /// - Parameters:
    ///   - taps: path of the file; it has the format of a file of measure times, with one measure for each tap.
    ///   - sound: the recording's frames.
    /// - Throws: ``PreparationError``, also if there are fewer than two taps.
    init(
        taps path: String, recording: CheckedRecording, sound: ReferenceFeatureFrames,
        request: PreparationRequest, console: any PreparationObserver
    ) throws {
        let format = MeasureTimesFormatChoice(name: request.measureTimesFormat) ?? .automatic
        let times = try MeasureTimesFileReader.read(path: path, format: format)
        tapsFile = try ModelSourceFile(path: path)
        let every = request.barsPerTap
        let given = Self.numbered(times.marks, every: every)
        var notes = times.readingWarnings
        console.beginStage("Finding the bars of \(recording.sourceFile.file)")
        let found = try TappedBars(
            taps: given, every: every, frames: sound, beatsPerBar: request.beatsPerBar,
            progress: { share in
                console.showProgress(share)
                return !Task.isCancelled
            })
        guard found.bars.count > 1 else {
            throw PreparationError(
                "\(path) has fewer than two taps within the recording: tap the first bar, and at least one after it."
            )
        }
        notes += Self.tapNotes(found)
        let length = recording.audioSurvey.duration.value
        let end = request.musicEndSeconds.map { min($0, length) } ?? times.end.map { min($0.seconds, length) }
        do {
            measures = try MeasureMap(
                marks: found.bars.map {
                    PlayedMeasure(
                        printed: $0.number,
                        onset: ReferenceTime(
                            seconds: TransferredMeasures.roundedToTenthMillisecond($0.seconds))
                    )
                },
                end: end.map { ReferenceTime(seconds: $0) }
                    ?? GivenMeasureTimes.endOfSound(
                        recording.audioSurvey,
                        after: ReferenceTime(seconds: found.bars[found.bars.count - 1].seconds)))
        } catch {
            throw PreparationError("\(path): \(error.sentence)")
        }
        doubtful = found.bars.enumerated().filter { $0.element.doubt >= OfflineScoreAlignment.doubtfulFrom }
            .map { index, bar in
                DoubtfulMeasureTime(
                    played: index + 1, printed: bar.number,
                    seconds: TransferredMeasures.roundedToTenthMillisecond(bar.seconds),
                    reasons: TransferredMeasures.doubtReasonSentences(bar.reasons))
            }
        self.notes = notes.map { "\(path): \($0)" }
    }

    /// The taps with the numbers of their bars. If they are only counted one by one, every tap is `every` bars after the
    /// one before.
    private static func numbered(_ marks: [PlayedMeasure], every: Int) -> [TappedBars.Tap] {
        let isCounted = zip(marks, marks.dropFirst()).allSatisfy { $1.printed - $0.printed == 1 }
        return marks.enumerated().map { index, mark in
            TappedBars.Tap(
                seconds: mark.onset.seconds,
                bar: isCounted ? marks[0].printed + every * index : mark.printed)
        }
    }

    static func tapNotes(_ found: TappedBars) -> [String] {
        var notes: [String] = []
        if !found.doubleTaps.isEmpty {
            let times = found.doubleTaps.map { PreparationSummary.formattedSeconds($0.seconds) + " s" }
            notes.append(
                "Two taps came at once, and the second was left out: at \(times.joined(separator: ", ")).")
        }
        if !found.missedBars.isEmpty {
            let bars = found.missedBars.map(String.init).joined(separator: ", ")
            notes.append(
                "A tap seems to be missing on bar \(bars); the bars were counted as if it were there. Check it by ear."
            )
        }
        if !found.heldBars.isEmpty {
            let bars = found.heldBars.map(String.init).joined(separator: ", ")
            notes.append(
                "Is a tap missing before bar \(bars)? More time than usual passes there, but it is not certain, so no bars "
                    + "were put in. Check it by ear: a missing tap shifts the numbers of all bars after it.")
        }
        return notes
    }
}
