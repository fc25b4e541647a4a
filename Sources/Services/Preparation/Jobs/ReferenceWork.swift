import Alignment
import Basics
import Foundation
import Listening
import Score
import Sound

/// A bar as a work order has it.
package struct OrderedBar: Codable, Equatable, Sendable {
    var printed: Int
    var seconds: Double
}

/// Finds the bars of a further recording by aligning it with the main one.
package struct ReferenceAlignmentOrder: Codable, Equatable, Sendable {
    var main: String
    /// The names of the two recordings for people.
    var mainName: String
    var bars: [OrderedBar]
    var end: Double
    var recording: String
    var recordingName: String

    func perform(observer: any PreparationObserver) throws -> ReferenceBars {
        let map = try MeasureMap.ordered(bars, end: end)
        let (first, second) = (
            try frames(of: main, mainName, observer), try frames(of: recording, recordingName, observer)
        )
        observer.beginStage("Aligning \(recordingName) with \(mainName)")
        let path = try OfflineRecordingAlignment.align(first, second) { share in
            observer.showProgress(share)
            return true
        }
        let (measures, doubtful) = try TransferredMeasures.transfer(
            map, along: path, from: first, to: second, .page)
        let reasons = Dictionary(
            doubtful.map { ($0.played, $0.reasons) }, uniquingKeysWith: { first, _ in first })
        return ReferenceBars(
            seconds: measures.marks.map(\.onset.seconds), end: measures.end.seconds,
            reasons: measures.marks.indices.map { reasons[$0 + 1] ?? [] })
    }

    private func frames(
        of path: String, _ name: String, _ observer: any PreparationObserver
    ) throws -> ReferenceFeatureFrames {
        observer.beginStage("Listening to \(name)")
        return try computeReferenceFrames(path, rooms: [], progress: observer.showProgress).frames
    }
}

/// The bars of a further recording, in the order of the piece's bars.
package struct ReferenceBars: Codable, Equatable, Sendable {
    var seconds: [Double]
    var end: Double
    /// For each bar, the reasons to listen to it; empty if there are none.
    var reasons: [[String]]
}

extension MeasureMap {
    /// Makes a map of ordered bars.
    /// - Throws: ``PreparationError`` with a sentence that says which bar is wrong.
    static func ordered(_ bars: [OrderedBar], end: Double) throws -> MeasureMap {
        do {
            return try MeasureMap(
                marks: bars.map {
                    PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds))
                },
                end: ReferenceTime(seconds: end))
        } catch {
            throw PreparationError("\(error.sentence) Correct the bars, then try again.")
        }
    }
}
