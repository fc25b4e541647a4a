import Foundation
import Score
import ShowLog

/// The times at which a piece was played in a show, as its log tells: the first guess where to look in the recording.
package struct EveningStretches: Equatable, Sendable {
    /// A longer pause between two measures divides a rehearsal, in seconds.
    static let longestPause = 60.0
    /// The seconds before the first known measure and after the last one in which music may sound too.
    static let margin = 20.0
    /// A performance may be this much slower than the reference.
    static let slowestTempo = 1.4

    /// Ranges of the show's time in seconds, in order.
    package let ranges: [Range<Double>]

    /// - Parameters:
    ///   - report: the report of the show.
    ///   - piece: the piece's name, as the show knew it.
    ///   - measures: the measures of the piece's reference.
    package init(in report: ShowReport, piece: String, measures: MeasureMap) {
        let entered = report.pieces.filter { $0.name == piece }.flatMap(\.measures)
            .filter { measures.marks.indices.contains($0.played) }.sorted { $0.at < $1.at }
        var found: [Range<Double>] = []
        var first: ShowReport.Measure?
        var last: ShowReport.Measure?
        func finish() {
            guard let first, let last else { return }
            let before = measures.marks[first.played].onset.seconds - measures.marks[0].onset.seconds
            let after = measures.end.seconds - measures.marks[last.played].onset.seconds
            let from = Double(first.at) / 1_000 - before * Self.slowestTempo - Self.margin
            let to = Double(last.at) / 1_000 + after * Self.slowestTempo + Self.margin
            if let end = found.last?.upperBound, from <= end {
                found[found.count - 1] = found[found.count - 1].lowerBound..<max(end, to)
            } else {
                found.append(from..<to)
            }
        }
        for measure in entered {
            if let last, Double(measure.at - last.at) / 1_000 > Self.longestPause {
                finish()
                first = nil
            }
            first = first ?? measure
            last = measure
        }
        finish()
        ranges = found
    }
}

/// The show log of an evening, if it belongs to the recording.
package enum EveningLog: Equatable, Sendable {
    /// More difference between the clocks of log and recording means that they are of different evenings, in seconds.
    static let largestClockDifference = 120.0

    case report(ShowReport)
    /// The reason why the log does not help, as a sentence.
    case unusable(String)

    /// Reads the log of the show that has the recording's name, and checks that their times agree.
    /// - Parameter showsFolder: the folder of all shows.
    package init(of sound: EveningSound, showsFolder: String) {
        let folder = showsFolder + "/" + sound.name
        guard FileManager.default.fileExists(atPath: folder) else {
            self = .unusable("There is no show log of this recording, so all of it is searched.")
            return
        }
        do {
            self.init(try ShowReport(show: folder), of: sound)
        } catch {
            self = .unusable("\(error.sentence) All of the recording is searched.")
        }
    }

    /// Checks that a report and a recording are of the same evening.
    package init(_ report: ShowReport, of sound: EveningSound) {
        guard sound.isShowTime, let part = sound.parts.first, let showTime = part.showTime else {
            self = .unusable(
                "The recording does not say at which time of the show it begins, so all of it is searched.")
            return
        }
        if let began = try? Date(report.started, strategy: .iso8601) {
            let difference =
                Double(part.startedAt - showTime) / 1_000 - began.timeIntervalSince1970
            guard abs(difference) <= Self.largestClockDifference else {
                let minutes = Int((abs(difference) / 60).rounded())
                self = .unusable(
                    "The show log and the recording do not fit each other: their clocks differ by "
                        + "\(minutes == 1 ? "a minute" : "\(minutes) minutes"). All of the recording is searched."
                )
                return
            }
        }
        self = .report(report)
    }
}
