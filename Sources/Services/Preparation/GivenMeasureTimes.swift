import MusicalTime
import ReferenceStore
import Score
import ScoreFiles
import SoundFiles

/// The measure times that the user gave with a recording (`--measures`).
struct GivenMeasureTimes {
    let source: SourceFile
    private let path: String
    private var times: MeasureTimes

    init(path: String, request: PreparationRequest) throws(PreparationError) {
        self.path = path
        let format = MeasureTimesFormatChoice(name: request.measureTimesFormat) ?? .automatic
        do {
            times = try MeasureTimesFile.read(path: path, format: format)
        } catch { throw PreparationError(error.sentence) }
        do { source = try SourceFile(path: path) } catch { throw PreparationError(error.sentence) }
        if let end = request.endSeconds { times.end = ReferenceTime(seconds: end) }
    }

    /// Checks the measure times and makes the measure map.
    /// - Returns: nil if the findings contain an error.
    func makeMeasureMap(survey: AudioSurvey, collector: inout FindingCollector) -> MeasureMap? {
        let check = MeasureTimesCheck(times, audioDuration: survey.duration)
        for note in times.readingNotes { collector.add(.note, "\(path): \(note)") }
        for finding in check.findings { collector.add(finding.severity, "\(path): \(finding.sentence)") }
        guard check.isUsable else { return nil }
        let audioEnd = ReferenceTime(seconds: survey.duration.value)
        var end = min(times.end ?? audioEnd, audioEnd)
        if times.end == nil {
            end = endOfSound(survey)
            collector.add(
                .note,
                "\(path): the file does not say where the last measure ends; "
                    + "it is taken to end with the sound, at \(PreparationSummary.formattedSeconds(end.seconds)) s. "
                    + "Give another end with --end.")
        }
        do {
            return try MeasureMap(marks: times.marks, end: end)
        } catch {
            collector.add(.error, "\(path): \(error.sentence)")
            return nil
        }
    }

    /// Finds the time at which the final silence begins, or the end of the file if the music lasts until then.
    private func endOfSound(_ survey: AudioSurvey) -> ReferenceTime {
        let end = survey.duration.value
        guard let last = survey.silences.last, (last.start + last.length).seconds >= end - 0.001,
            times.marks.allSatisfy({ $0.onset < last.start })
        else { return ReferenceTime(seconds: end) }
        return last.start
    }
}
