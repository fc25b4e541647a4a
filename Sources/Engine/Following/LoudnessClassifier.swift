import Basics
import Features

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
    /// The mean square of about the last half second, over `steadyHopCount` hops. Loud sounds stay in it for seconds.
    private var steadyPower: Float = 0
    /// The mean squares of the hops of the last half second, the oldest at `newestHops[nextHop]`, and their mean, which
    /// forgets a loud sound after that time.
    private var newestHops: [Float]
    private var nextHop = 0
    private var newestPower: Float = 0
    private var steadyHopCount = 0
    private let hopsPerHalfSecond: Int
    /// The power of the room's own noise: the least `steadyPower`, which rises slowly, because rooms become louder.
    private var roomPower: Float = 1
    /// The number of hops with sound, up to `hopsUntilRoomIsKnown`.
    private var heardHopCount = 0
    private let hopsUntilRoomIsKnown: Int
    private let roomRiseFactor: Float

    init(framesPerSecond: Int) {
        // An approximation of the n-th root of 1/2, where n is the number of frames in a minute.
        loudestFadeFactor = 1 - 0.693 / (60 * Float(framesPerSecond))
        hopsPerHalfSecond = max(framesPerSecond / 2, 1)
        newestHops = Array(repeating: 0, count: hopsPerHalfSecond)
        hopsUntilRoomIsKnown = Self.secondsUntilRoomIsKnown * framesPerSecond
        // The room's noise doubles in half a minute at most.
        roomRiseFactor = 1 + 0.693 / (30 * Float(framesPerSecond))
    }

    /// Music may sound from the first moment on; after so long, the softest that was heard is the room.
    private static let secondsUntilRoomIsKnown = 5

    /// A hop is quiet below this share of the loudest power of the last minute: -40 dB.
    private static let quietShareOfLoudest: Float = 1e-4

    /// The sound is soft below this share of the loudest power of the last minute: -20 dB.
    private static let softShareOfLoudest: Float = 1e-2

    /// The sound stands out from this multiple of the room's own noise: 0.4 dB.
    private static let multipleOfRoom: Float = 1.1
    /// No sound below this power stands out: -70 dB of full scale.
    private static let leastPowerOfMusic: Float = 1e-7

    mutating func classifyHop(_ hop: AudioHopSummary) -> (isQuiet: Bool, isSoft: Bool, isDropout: Bool) {
        loudestPower = max(loudestPower * loudestFadeFactor, hop.meanSquare)
        recentPower += (hop.meanSquare - recentPower) * 0.2
        let isDropout = hop.zeroSampleShare > 0.95
        if !isDropout { compareWithRoom(hop.meanSquare) }
        return (
            hop.meanSquare < loudestPower * Self.quietShareOfLoudest,
            recentPower < loudestPower * Self.softShareOfLoudest,
            isDropout
        )
    }

    private mutating func compareWithRoom(_ power: Float) {
        heardHopCount = min(heardHopCount + 1, hopsUntilRoomIsKnown)
        steadyHopCount = min(steadyHopCount + 1, hopsPerHalfSecond)
        steadyPower += (power - steadyPower) / Float(steadyHopCount)
        newestHops[nextHop] = power
        nextHop = (nextHop + 1) % hopsPerHalfSecond
        newestPower = newestHops.reduce(0, +) / Float(steadyHopCount)
        guard steadyHopCount == hopsPerHalfSecond else { return }
        roomPower = min(roomPower * roomRiseFactor, max(steadyPower, 1e-12))
    }

    /// True if the sound of the last half second is no louder than the room's own noise, which is known.
    var isRoomAlone: Bool {
        steadyPower <= Self.leastPowerOfMusic || heardHopCount == hopsUntilRoomIsKnown && !standsOutFromRoom
    }

    /// The same at once after a loud sound. Soft music in a noisy room is taken for a pause for moments.
    var isPause: Bool {
        isRoomAlone
            || heardHopCount == hopsUntilRoomIsKnown
                && newestPower <= max(Self.leastPowerOfMusic, roomPower * Self.multipleOfRoom)
    }

    /// True if the sound of the last half second is louder than the room's own noise.
    var standsOutFromRoom: Bool {
        steadyPower > max(Self.leastPowerOfMusic, roomPower * Self.multipleOfRoom)
    }
}
