import Alignment
import Foundation
import Listening
import Sound

/// Finds the bars of a recording from a person's taps and the sound.
package struct TapOrder: Codable, Equatable, Sendable {
    package struct Tap: Codable, Equatable, Sendable {
        var seconds: Double
        /// The printed number of the bar that begins here.
        var bar: Int
    }

    var recording: String
    /// The recording's name for people.
    var name: String
    var taps: [Tap]
    /// The number of bars from one tap to the next, if the taps' numbers do not say.
    var every: Int
    /// Nil if unknown.
    var beatsPerBar: Int?

    func perform(observer: any PreparationObserver) throws -> TappedResult {
        observer.beginStage("Listening to \(name)")
        let frames = try computeReferenceFrames(recording, rooms: [], progress: observer.showProgress).frames
        observer.beginStage("Finding the bars of \(name)")
        let found = try TappedBars(
            taps: taps.map { TappedBars.Tap(seconds: $0.seconds, bar: $0.bar) }, every: every,
            frames: frames, beatsPerBar: beatsPerBar
        ) { share in
            observer.showProgress(share)
            return true
        }
        guard found.bars.count > 1 else {
            throw PreparationError("Tap at least two bars.")
        }
        return TappedResult(
            bars: found.bars.map {
                TappedResult.Bar(
                    printed: $0.number, seconds: TransferredMeasures.roundedToTenthMillisecond($0.seconds),
                    doubt: ($0.doubt * 100).rounded() / 100,
                    reasons: TransferredMeasures.doubtReasonSentences($0.reasons), isTapped: $0.isTapped)
            }, notes: TappedMeasures.tapNotes(found))
    }
}

/// The bars that were tapped, and those between them.
package struct TappedResult: Codable, Equatable, Sendable {
    package struct Bar: Codable, Equatable, Sendable {
        var printed: Int
        var seconds: Double
        var doubt: Double
        var reasons: [String]
        var isTapped: Bool
    }

    var bars: [Bar]
    /// Sentences about taps that are too many or missing.
    var notes: [String]
}
