import Features
import MusicalTime

/// Classifies a hop by its loudness: quiet, soft, dropout, or none of these.
///
/// A room is never digitally silent, so samples that are exactly zero mean that the signal is lost, not that the music
/// pauses. In a pause the sound is quiet relative to the loudest hop of the last minute.
struct LoudnessClassifier {
    /// The mean square of the loudest hop; it falls by half in about a minute.
    private var loudest: Float = 1e-9
    private let fade: Float
    /// The mean square of about the last tenth of a second.
    private var recentPower: Float = 0

    init(framesPerSecond: Int) {
        // An approximation of the n-th root of 1/2, where n is the number of frames in a minute.
        fade = 1 - 0.693 / (60 * Float(framesPerSecond))
    }

    /// A hop is quiet below this share of the loudest power of the last minute: -40 dB.
    private static let quietShare: Float = 1e-4

    /// The sound is soft below this share of the loudest power of the last minute: -20 dB.
    private static let softShare: Float = 1e-2

    mutating func hear(_ hop: HopSummary) -> (isQuiet: Bool, isSoft: Bool, isDropout: Bool) {
        loudest = max(loudest * fade, hop.power)
        recentPower += (hop.power - recentPower) * 0.2
        return (
            hop.power < loudest * Self.quietShare, recentPower < loudest * Self.softShare,
            hop.zeroShare > 0.95
        )
    }
}
