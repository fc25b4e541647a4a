import Features
import MusicalTime

/// Judges a hop's loudness: quiet, soft, dropped out, or none of them.
///
/// A room is never digitally silent, so samples that are exactly zero mean that the signal is gone, not the
/// music. A pause is quiet against the loudest of the last minute.
struct Ear {
    /// Mean square of the loudest hop, fading by half in about a minute.
    private var loudest: Float = 1e-9
    private let fade: Float
    /// Mean square of the last tenth of a second.
    private var recent: Float = 0

    init(framesPerSecond: Int) {
        // 60 s × 50 frames: small enough that 1 - ln 2 / n is exact to the third digit.
        fade = 1 - 0.693 / (60 * Float(framesPerSecond))
    }

    /// -40 dB below the loudest of the last minute.
    private static let quietShare: Float = 1e-4

    /// -20 dB below it.
    private static let softShare: Float = 1e-2

    mutating func hear(_ hop: HopSummary) -> (isQuiet: Bool, isSoft: Bool, isDropout: Bool) {
        loudest = max(loudest * fade, hop.power)
        recent += (hop.power - recent) * 0.2
        return (
            hop.power < loudest * Self.quietShare, recent < loudest * Self.softShare, hop.zeroShare > 0.95
        )
    }
}
