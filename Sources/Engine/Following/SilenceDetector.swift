import Basics
import Features

/// Detects a silent room: the sound is far below the loudest of the last minute, and hardly louder than the room's own
/// noise.
struct SilenceDetector {
    private var loudestPower: Float = 1e-9
    /// The mean square of the quietest recent hop, which is the room's own noise.
    private var noiseFloorPower: Float = 1
    /// True if the newest hop was quiet, or so soft that it counts as silent even if the room's own noise is digital
    /// silence.
    private(set) var isSilent = false
    private var hopEnergy: Float = 0
    private var hopSampleCount = 0
    private let loudestFadeFactor: Float
    private let noiseFloorRiseFactor: Float
    /// A hop can be quiet only below this share of the loudest power: -40 dB.
    private static let quietShareOfLoudest: Float = 1e-4
    /// A hop is quiet only up to this multiple of the noise floor's power: 6 dB.
    private static let quietMultipleOfNoiseFloor: Float = 4
    /// The power below which a hop is silent whatever the noise floor is: -70 dB of full scale.
    private static let silentBelowPower: Float = 1e-7

    init(framesPerSecond: Int) {
        // The loudest halves in a minute, the floor doubles in ten seconds.
        loudestFadeFactor = 1 - 0.693 / (60 * Float(framesPerSecond))
        noiseFloorRiseFactor = 1 + 0.693 / (10 * Float(framesPerSecond))
    }

    mutating func addSamples(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples where abs(sample) <= SpectrumAnalyser.loudestBelievedSample {
            hopEnergy += sample * sample
        }
        hopSampleCount += samples.count
    }

    mutating func classifyHop() -> Bool {
        let power = hopEnergy / Float(max(hopSampleCount, 1))
        (hopEnergy, hopSampleCount) = (0, 0)
        loudestPower = max(loudestPower * loudestFadeFactor, power)
        noiseFloorPower = min(noiseFloorPower * noiseFloorRiseFactor, max(power, 1e-12))
        let isFarBelow = power < loudestPower * Self.quietShareOfLoudest
        let isQuiet = isFarBelow && power <= noiseFloorPower * Self.quietMultipleOfNoiseFloor
        isSilent = isQuiet || (isFarBelow && power < Self.silentBelowPower)
        return isQuiet
    }
}
