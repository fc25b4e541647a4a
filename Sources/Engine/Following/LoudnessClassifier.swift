import Features
import MusicalTime

/// Classifies a hop by loudness: quiet, soft, dropout, or none of these.
///
/// A room is never digitally silent, so samples that are exactly zero mean that the signal is lost, not that the
/// music pauses. A pause is quiet relative to the loudest hop of the last minute.
struct LoudnessClassifier {
    /// Mean square of the loudest hop; it fades by half in about a minute.
    private var loudest: Float = 1e-9
    private let fade: Float
    /// Mean square of the last tenth of a second.
    private var recent: Float = 0

    init(framesPerSecond: Int) {
        // An approximation of the n-th root of 1/2, where n is the number of frames in a minute.
        fade = 1 - 0.693 / (60 * Float(framesPerSecond))
    }

    /// -40 dB below the loudest of the last minute.
    private static let quietShare: Float = 1e-4

    /// -20 dB below the loudest of the last minute.
    private static let softShare: Float = 1e-2

    mutating func hear(_ hop: HopSummary) -> (isQuiet: Bool, isSoft: Bool, isDropout: Bool) {
        loudest = max(loudest * fade, hop.power)
        recent += (hop.power - recent) * 0.2
        return (
            hop.power < loudest * Self.quietShare, recent < loudest * Self.softShare, hop.zeroShare > 0.95
        )
    }
}
