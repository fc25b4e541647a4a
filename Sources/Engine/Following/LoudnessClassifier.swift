import Features
import MusicalTime

/// Classifies a hop by its loudness: quiet, soft, dropout, or none of these.
///
/// A room is never digitally silent, so samples that are exactly zero mean that the signal is lost, not that the music
/// pauses. In a pause the sound is quiet relative to the loudest hop of the last minute.
struct LoudnessClassifier {
    /// The mean square of the loudest hop; it falls by half in about a minute.
    private var loudestPower: Float = 1e-9
    private let loudestFadeFactor: Float
    /// The mean square of about the last tenth of a second.
    private var recentPower: Float = 0

    init(framesPerSecond: Int) {
        // An approximation of the n-th root of 1/2, where n is the number of frames in a minute.
        loudestFadeFactor = 1 - 0.693 / (60 * Float(framesPerSecond))
    }

    /// A hop is quiet below this share of the loudest power of the last minute: -40 dB.
    private static let quietShareOfLoudest: Float = 1e-4

    /// The sound is soft below this share of the loudest power of the last minute: -20 dB.
    private static let softShareOfLoudest: Float = 1e-2

    mutating func classifyHop(_ hop: AudioHopSummary) -> (isQuiet: Bool, isSoft: Bool, isDropout: Bool) {
        loudestPower = max(loudestPower * loudestFadeFactor, hop.meanSquare)
        recentPower += (hop.meanSquare - recentPower) * 0.2
        return (
            hop.meanSquare < loudestPower * Self.quietShareOfLoudest,
            recentPower < loudestPower * Self.softShareOfLoudest,
            hop.zeroSampleShare > 0.95
        )
    }
}
