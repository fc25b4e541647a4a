import Basics
import ReferenceStore
import Score
import ScoreFiles
import Sound

/// The measure times that the user gave with a recording (`--measures`).
struct GivenMeasureTimes {
    let sourceFile: ModelSourceFile
    private let path: String
    private var measureTimes: MeasureTimes

    init(path: String, request: PreparationRequest) throws {
        self.path = path
        let format = MeasureTimesFormatChoice(name: request.measureTimesFormat) ?? .automatic
        measureTimes = try MeasureTimesFileReader.read(path: path, format: format)
        sourceFile = try ModelSourceFile(path: path)
        if let end = request.musicEndSeconds { measureTimes.end = ReferenceTime(seconds: end) }
    }

    /// Checks the measure times and makes the measure map.
    /// - Returns: nil if the findings contain an error.
    func makeMeasureMap(survey: RecordingQuality, collector: inout RecordingFindingCollector) -> MeasureMap? {
        let check = MeasureTimesCheck(measureTimes, audioDuration: survey.duration)
        for note in measureTimes.readingWarnings { collector.add(.note, "\(path): \(note)") }
        for finding in check.findings { collector.add(finding.severity, "\(path): \(finding.sentence)") }
        guard check.isUsable else { return nil }
        let audioEnd = ReferenceTime(seconds: survey.duration.value)
        var end = min(measureTimes.end ?? audioEnd, audioEnd)
        if measureTimes.end == nil {
            end = Self.endOfSound(
                survey, after: measureTimes.marks.map(\.onset).max() ?? ReferenceTime(seconds: 0))
            collector.add(
                .note,
                "\(path): the file does not say where the last measure ends; "
                    + "it is taken to end with the sound, at \(PreparationSummary.formattedSeconds(end.seconds)) s. "
                    + "Give another end with --end.")
        }
        do {
            return try MeasureMap(marks: measureTimes.marks, end: end)
        } catch {
            collector.add(.error, "\(path): \(error.sentence)")
            return nil
        }
    }

    /// Finds the time at which the final silence begins, or the end of the file if the music lasts until then.
    static func endOfSound(_ survey: RecordingQuality, after lastOnset: ReferenceTime) -> ReferenceTime {
        let end = survey.duration.value
        guard let last = survey.silences.last, (last.start + last.length).seconds >= end - 0.001,
            lastOnset < last.start
        else { return ReferenceTime(seconds: end) }
        return last.start
    }
}
