import Hosting
import ReferenceStore
import WebServer

/// A range of a recorded evening. Times are seconds since the evening's first sound.
package struct EveningRange: Codable, Equatable, Sendable {
    /// The name of the recording's folder.
    var evening: String
    var from: Double
    var to: Double

    private static let shortestSeconds = 2.0

    /// Refuses a range of which no piece can be made.
    func check(in sound: EveningSound) throws(Refusal) {
        guard from.isFinite, to.isFinite, from >= 0, to - from >= Self.shortestSeconds else {
            throw .refused(
                code: "bad-range",
                sentence: "Choose at least \(Int(Self.shortestSeconds)) s: a beginning and a later end.")
        }
        guard to - from <= ModelFolder.longestSeconds else {
            throw .refused(
                code: "too-long",
                sentence:
                    "A recording has at most \(Int(ModelFolder.longestSeconds / 60)) minutes. Choose one "
                    + "piece or movement of the evening.")
        }
        let heard = sound.stretches.contains {
            $0.overlaps(sound.firstSecond + from..<sound.firstSecond + to)
        }
        // The end of a running recording lies up to a second before the present moment.
        guard heard, to <= sound.length + 1 else {
            throw .refused(
                code: "bad-range",
                sentence: "The recording has sound from 0:00 to \(EveningSentences.clock(sound.length)); "
                    + "choose a range within it.")
        }
    }
}

/// Cuts a range out of a recorded evening.
package struct EveningRangeOrder: Codable, Equatable, Sendable {
    static let soundFile = "evening.flac"

    var range: EveningRange
    var parts: [EveningSound.Part]

    /// Writes the sound as ``soundFile`` into a folder.
    func perform(in folder: String, observer: any PreparationObserver) throws
        -> PreparationWorkResult
    {
        let sound = EveningSound(name: range.evening, parts: parts)
        let end = min(range.to, sound.length)
        let time = sound.firstSecond + range.from..<sound.firstSecond + end
        observer.beginStage(
            "Taking \(EveningSentences.clock(range.from))–\(EveningSentences.clock(end)) of the evening")
        let path = folder + "/" + Self.soundFile
        try sound.write([time], to: path)
        let gaps = sound.gaps(within: time).map {
            "\(EveningSentences.seconds($0.upperBound - $0.lowerBound)) are missing at "
                + "\(EveningSentences.clock($0.lowerBound - time.lowerBound)) and are silent."
        }
        return .taken(try UploadedRecordingCheck.check(path), sentences: gaps)
    }
}
