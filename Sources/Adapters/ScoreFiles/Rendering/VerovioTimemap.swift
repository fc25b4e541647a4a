import Basics
import Foundation

/// The JSON that Sources/Python/timemap.py prints for a score.
struct VerovioTimemap: Decodable {
    struct Measure: Decodable {
        var printed: Int
        /// The place of the measure on paper, counted from 0.
        var written: Int?
        /// The start of the measure, in quarter notes since the start of the performance.
        var quarters: Double
    }

    var title: String?
    var composer: String?
    /// A Standard MIDI File in Base64.
    var midi: String
    var measures: [Measure]
    var endQuarters: Double

    static let maximumBytes = 200_000_000

    /// - Throws: ``ExplainedError`` or ``ExplainedError``.
    static func parseMusic(json: Data, score: String) throws(ExplainedError) -> NotatedMusic {
        let timemap: VerovioTimemap
        do {
            timemap = try JSONDecoder().decode(VerovioTimemap.self, from: json)
        } catch {
            throw RenderingError.timemapUnusable(
                score: score, reason: "what Sources/Python/timemap.py printed is not a timemap")
        }
        return try timemap.makeNotatedMusic(score: score)
    }

    private func makeNotatedMusic(score: String) throws(ExplainedError) -> NotatedMusic {
        guard let bytes = Data(base64Encoded: midi) else {
            throw RenderingError.timemapUnusable(score: score, reason: "its notes did not arrive whole")
        }
        let sequence: MIDISequence
        do { sequence = try MIDIFileReader.read([UInt8](bytes)) } catch {
            throw ExplainedError("\(score) cannot be played: \(error.sentence).")
        }
        guard !measures.isEmpty, measures.count <= MIDIMeasureFinder.maximumMeasures else {
            throw RenderingError.timemapUnusable(score: score, reason: "it has \(measures.count) measures")
        }
        func tick(_ quarters: Double) throws(ExplainedError) -> Int {
            guard quarters.isFinite, (0...10_000_000).contains(quarters) else {
                throw RenderingError.timemapUnusable(
                    score: score, reason: "a measure begins at \(quarters) quarters")
            }
            return Int((quarters * Double(sequence.ticksPerQuarter)).rounded())
        }
        var notated: [NotatedMeasure] = []
        for measure in measures {
            let next = NotatedMeasure(
                printedNumber: measure.printed, startTick: try tick(measure.quarters),
                writtenIndex: measure.written)
            if let last = notated.last, next.startTick <= last.startTick {
                throw RenderingError.timemapUnusable(
                    score: score, reason: "measure \(measure.printed) has no length")
            }
            notated.append(next)
        }
        let end = try tick(endQuarters)
        guard end > notated[notated.count - 1].startTick else {
            throw RenderingError.timemapUnusable(score: score, reason: "the last measure has no length")
        }
        return NotatedMusic(
            title: title, composer: composer, sequence: sequence, playedMeasures: notated, endTick: end,
            mayReassignChannels: true)
    }
}
