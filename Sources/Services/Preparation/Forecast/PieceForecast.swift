import Alignment
import Following
import Foundation
import Score

/// A forecast of how well a prepared piece will be followed, from its references alone.
///
/// The expected share is a logistic model of two figures, fitted to the benchmark's development half. Short bars are
/// missed more often, because a given error is a larger part of them. So are bars whose tempo changes from one to the
/// next. docs/own-piece.md says how well the forecast agrees with what is followed.
package struct PieceForecast: Sendable, Equatable, Codable {
    /// A passage that returns literally, in printed bars.
    package struct LiteralCopy: Sendable, Equatable, Codable {
        package var from, to, otherFrom, otherTo: Int
        /// The places among the played bars, counted from 0, at which the passage and its return begin.
        package var playedFrom, otherPlayedFrom: Int
    }

    /// The expected share of time with the right bar, 0…1, with a good recording in a good room.
    package let rightShare: Double
    /// The bounds within which four of five pieces of the benchmark lie.
    package let low, high: Double
    /// The longest passages that return literally, at most ``mostCopies``.
    package let literalCopies: [LiteralCopy]
    /// The result of following the piece's own recordings with made trouble; nil if that was not tried.
    package private(set) var trouble: TroubleTrials?
    /// The steps that would help, a sentence each: by rules, until they were tried.
    package private(set) var advice: [String]
    /// The mean of the reciprocal lengths of the bars, in bars a second.
    package let barsPerSecond: Double
    /// The median difference of the logarithms of neighbouring bars' lengths.
    package let tempoVariation: Double

    private static let constant = 4.912
    private static let weightOfBarsPerSecond = -1.679
    private static let weightOfTempoVariation = -12.71
    /// Half the width of the bounds, in units of the logit.
    private static let halfWidth = 0.6
    private static let mostCopies = 12

    /// - Cost: less than a second for four minutes of music.
    package init(model: ReferenceModel) { self.init(model: model, adviceReader: .command) }

    /// - Parameter adviceReader: the place at which the advice is read.
    init(model: ReferenceModel, adviceReader: AdviceReader) {
        let onsets = model.measures.marks.map(\.onset.seconds)
        let end = model.measures.end.seconds
        let lengths = zip(onsets, onsets.dropFirst()).map { $1 - $0 }
        let measured = lengths.isEmpty ? [end - onsets[0]] : lengths
        barsPerSecond = measured.map { 1 / $0 }.reduce(0, +) / Double(measured.count)
        let changes = zip(measured, measured.dropFirst()).map { abs(log($1 / $0)) }.sorted()
        tempoVariation =
            changes.isEmpty ? 0 : (changes[(changes.count - 1) / 2] + changes[changes.count / 2]) / 2
        let logit =
            Self.constant + Self.weightOfBarsPerSecond * barsPerSecond
            + Self.weightOfTempoVariation * tempoVariation
        (rightShare, low, high) = (
            Self.share(logit), Self.share(logit - Self.halfWidth), Self.share(logit + Self.halfWidth)
        )
        let printed = model.measures.marks.map(\.printed)
        let passages = RepeatedPassage.find(
            onsets: onsets, end: end, frames: model.framesByRecording[0].unpacked,
            framesPerSecond: model.framesPerSecond
        ).prefix(Self.mostCopies)
        literalCopies = passages.map {
            LiteralCopy(
                from: printed[$0.bars.lowerBound], to: printed[$0.bars.upperBound - 1],
                otherFrom: printed[$0.laterStart], otherTo: printed[$0.laterBars.upperBound - 1],
                playedFrom: $0.bars.lowerBound, otherPlayedFrom: $0.laterStart)
        }
        advice = Self.advice(
            recordingCount: model.recordingCount, copies: literalCopies, reader: adviceReader)
    }

    /// Takes the results of trials. What was tried then takes the place of the rules; that a single recording is too few
    /// stays a rule, because a recording that is its own reference is always recognised.
    package mutating func take(_ trials: TroubleTrials?) {
        trouble = trials
        guard let tried = trials?.tried else { return }
        let isRecordingTried = tried.contains { $0.step == .furtherRecording }
        let untried = AdviceReader.allCases.map(\.furtherRecordingAdvice)
        advice =
            tried.filter(\.helps).map(\.sentence)
            + (isRecordingTried ? [] : advice.filter(untried.contains))
    }

    private static func share(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }

    private static func advice(
        recordingCount: Int, copies: [LiteralCopy], reader: AdviceReader
    ) -> [String] {
        var advice: [String] = []
        if recordingCount == 1 {
            advice.append(reader.furtherRecordingAdvice)
        }
        if let unmarked = copies.first(where: { $0.from != $0.otherFrom }) {
            advice.append(
                "Bars \(unmarked.otherFrom)–\(unmarked.otherTo) sound like bars \(unmarked.from)–\(unmarked.to). "
                    + "If they are a repeat, give them the same numbers: then a repeat that is left out is found sooner."
            )
        }
        return advice
    }

    package var text: String {
        func percent(_ share: Double) -> String { String(format: "%.0f %%", share * 100) }
        var lines = [
            "Right bar in about \(percent(rightShare)) of the time (four of five pieces: \(percent(low)) to "
                + "\(percent(high)))."
        ]
        lines += literalCopies.map {
            $0.from == $0.otherFrom && $0.to == $0.otherTo
                ? "Bars \($0.from)–\($0.to) are played twice and sound alike."
                : "Bars \($0.from)–\($0.to) and \($0.otherFrom)–\($0.otherTo) sound alike."
        }
        lines += trouble?.passages.map(\.sentence) ?? []
        return (lines + advice).joined(separator: "\n")
    }

    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
