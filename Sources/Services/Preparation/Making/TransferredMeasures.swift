import Alignment
import Basics
import Features
import ReferenceStore
import Score

/// Finds the measures of a further recording by its alignment with the first one.
enum TransferredMeasures {
    /// - Parameters:
    ///   - map: the measures of the first recording.
    ///   - path: from the frames of the first recording to those of the other one.
    /// - Returns: all measures, and a list of the measures that a person should check by ear.
    /// - Throws: ``PreparationError`` if two measures would begin at the same time.
    static func transfer(
        _ map: MeasureMap, along path: WarpingPath, from first: ReferenceFeatureFrames,
        to frames: ReferenceFeatureFrames, _ adviceReader: AdviceReader
    ) throws -> (MeasureMap, [DoubtfulMeasureTime]) {
        let instants = MeasureTransfer.transferOnsets(
            onsets: map.marks.map(\.onset.seconds), end: map.end.seconds, along: path,
            from: first, to: frames, framesPerSecond: FeatureParameters().framesPerSecond)
        let marks = zip(map.marks, instants).map { mark, instant in
            PlayedMeasure(
                printed: mark.printed,
                onset: ReferenceTime(seconds: roundedToTenthMillisecond(instant.seconds)))
        }
        let doubtful = instants.enumerated().filter(\.element.isDoubtful).map { played, instant in
            DoubtfulMeasureTime(
                played: played + 1, printed: played < map.marks.count ? map.marks[played].printed : nil,
                seconds: roundedToTenthMillisecond(instant.seconds),
                reasons: doubtReasonSentences(instant.doubt))
        }
        do {
            let end = ReferenceTime(seconds: roundedToTenthMillisecond(instants[map.marks.count].seconds))
            return (try MeasureMap(marks: marks, end: end), doubtful)
        } catch {
            throw PreparationError(
                "The measures of the first recording could not be found in this one (\(error.sentence)) "
                    + adviceReader.giveTimesAdvice)
        }
    }

    /// Rounds to tenths of a millisecond, the precision of measure-time files.
    static func roundedToTenthMillisecond(_ seconds: Double) -> Double {
        (seconds * 10_000).rounded() / 10_000
    }

    static func doubtReasonSentences(_ doubt: MeasureTransferDoubt) -> [String] {
        var reasons: [String] = []
        if doubt.contains(.ambiguous) { reasons.append("other instants fit nearly as well") }
        if doubt.contains(.recordingsDiffer) { reasons.append("the recordings sound different here") }
        if doubt.contains(.improbableTempo) { reasons.append("improbable tempo next to it") }
        if doubt.contains(.movedToKeepOrder) { reasons.append("moved after the measure before it") }
        if doubt.contains(.outsideRecording) { reasons.append("outside the recording") }
        if doubt.contains(.afterLeap) { reasons.append("the recording leaves the order of the score here") }
        if doubt.contains(.missingTap) {
            reasons.append("a tap is missing, or a note was held")
        }
        return reasons
    }
}
