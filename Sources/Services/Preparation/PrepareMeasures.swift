import MusicalTime
import ReferenceStore
import Score
import ScoreFiles
import SoundFiles

/// The measure times that came with a recording.
struct PrepareMeasures {
    let source: SourceFile
    private let path: String
    private var times: MeasureTimes

    init(path: String, request: PrepareRequest) throws(PrepareFailure) {
        self.path = path
        let format = MeasureTimesFormatChoice(name: request.format) ?? .automatic
        do {
            times = try MeasureTimesFile.read(path: path, format: format)
        } catch { throw PrepareFailure(error.sentence) }
        do { source = try SourceFile(path: path) } catch { throw PrepareFailure(error.sentence) }
        if let end = request.end { times.end = ReferenceTime(seconds: end) }
    }

    /// Judges the times and makes the map of them.
    /// - Returns: nil where there is an error among the findings.
    func map(survey: AudioSurvey, judgement: inout PrepareJudgement) -> MeasureMap? {
        let check = MeasureTimesCheck(times, audioDuration: survey.duration)
        for note in times.notes { judgement.add(.note, "\(path): \(note)") }
        for finding in check.findings { judgement.add(finding.severity, "\(path): \(finding.sentence)") }
        guard check.isUsable else { return nil }
        let audioEnd = ReferenceTime(seconds: survey.duration.value)
        var end = min(times.end ?? audioEnd, audioEnd)
        if times.end == nil {
            end = endOfSound(survey)
            judgement.add(
                .note,
                "\(path): the file does not say where the last measure ends; "
                    + "it is taken to end with the sound, at \(PrepareSummary.seconds(end.seconds)) s. "
                    + "Say otherwise with --end.")
        }
        do {
            return try MeasureMap(marks: times.marks, end: end)
        } catch {
            judgement.add(.error, "\(path): \(error.sentence)")
            return nil
        }
    }

    /// Where the silence after the music begins.
    private func endOfSound(_ survey: AudioSurvey) -> ReferenceTime {
        let end = survey.duration.value
        guard let last = survey.silences.last, (last.start + last.length).seconds >= end - 0.001,
            times.marks.allSatisfy({ $0.onset < last.start })
        else { return ReferenceTime(seconds: end) }
        return last.start
    }
}
