import Accuracy
import Basics
import Foundation
import Score
import ScoreFiles

/// The measures of a recording, from any file of measure times that `baton prepare` reads.
package struct AnnotatedMeasures {
    package var map: MeasureMap
    /// What was assumed while reading, a sentence each that begins with the path.
    package var remarks: [String]

    /// The assumed length of the last measure if neither the file nor the caller says where it ends.
    package enum LastMeasureLength: Sendable {
        case likeTheOneBefore
        case likeTheMedian

        package func estimateEnd(onsets: [Double]) -> Double {
            guard let last = onsets.last else { return 0 }
            guard let before = onsets.dropLast().last else { return last + 1 }
            return switch self {
            case .likeTheOneBefore: 2 * last - before
            case .likeTheMedian: last + Statistics.median(zip(onsets.dropFirst(), onsets).map { $0 - $1 })
            }
        }
    }

    /// Reads a file.
    /// - Parameter end: the end of the last measure in seconds; nil for the file's own, or an estimate.
    package init(
        file: URL, end: Double? = nil, otherwise ending: LastMeasureLength = .likeTheOneBefore
    ) throws {
        let times = try MeasureTimesFileReader.read(path: file.path)
        let close = end ?? times.end?.seconds ?? ending.estimateEnd(onsets: times.marks.map(\.onset.seconds))
        do {
            map = try MeasureMap(marks: times.marks, end: ReferenceTime(seconds: close))
        } catch {
            throw ExplainedError("\(file.path): \(error.sentence)")
        }
        remarks = times.readingWarnings.map { "\(file.path): \($0)" }
    }
}
