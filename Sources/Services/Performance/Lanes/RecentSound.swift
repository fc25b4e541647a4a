import Basics

/// The newest two seconds of sound, for music that began before a person said so. Only the follow thread uses it; after
/// its creation it does not allocate.
///
/// Cost: one more copy of each sample; at 96 kHz it holds 768 KB.
final class RecentSound {
    private let samples: UnsafeMutableBufferPointer<Float>
    private let blockPowers: UnsafeMutableBufferPointer<Float>
    private let samplesPerBlock: Int
    private var writePosition = 0
    private var count = 0

    /// The sound is divided into so many blocks of 20 ms.
    private static let blockCount = 100
    /// The number of quiet blocks after which a sound is a new one: longer than the gap between two notes of a quick
    /// passage.
    private static let quietBlockCount = 6
    /// A block is quiet below this share of the loudest block's power: -20 dB.
    private static let quietShare: Float = 0.01
    /// The blocks before a sound that are kept with it, so that its attack is whole.
    private static let blocksBeforeSound = 2

    init(sampleRate: SampleRate) {
        samplesPerBlock = max(Int((sampleRate.hertz / 50).rounded()), 1)
        samples = .allocate(capacity: samplesPerBlock * Self.blockCount)
        samples.initialize(repeating: 0)
        blockPowers = .allocate(capacity: Self.blockCount)
        blockPowers.initialize(repeating: 0)
    }

    deinit {
        samples.deallocate()
        blockPowers.deallocate()
    }

    func append(_ block: UnsafeBufferPointer<Float>) {
        for sample in block {
            samples[writePosition] = sample
            writePosition = writePosition + 1 == samples.count ? 0 : writePosition + 1
        }
        count = min(count + block.count, samples.count)
    }

    /// Passes on the sound from the first one that began after a silence, or all of it if there was no silence. If
    /// silence came last, nothing is passed on: no music has begun yet.
    /// - Returns: the number of samples passed on.
    func replayNewestBeginning(_ hear: (UnsafeBufferPointer<Float>) -> Void) -> Int {
        guard let block = firstBlockOfNewestBeginning() else { return 0 }
        let passedOn = min(samples.count - block * samplesPerBlock, count)
        let start = (writePosition + samples.count - passedOn) % samples.count
        let first = min(passedOn, samples.count - start)
        hear(UnsafeBufferPointer(rebasing: samples[start..<start + first]))
        if passedOn > first { hear(UnsafeBufferPointer(rebasing: samples[..<(passedOn - first)])) }
        return passedOn
    }

    private func firstBlockOfNewestBeginning() -> Int? {
        var loudest: Float = 0
        for block in 0..<Self.blockCount {
            var energy: Float = 0
            for offset in 0..<samplesPerBlock {
                let index = writePosition + block * samplesPerBlock + offset
                let sample = samples[index >= samples.count ? index - samples.count : index]
                energy += sample * sample
            }
            blockPowers[block] = energy
            loudest = max(loudest, energy)
        }
        guard loudest > 0 else { return nil }
        var quietBlocks = 0
        var hasSilence = false
        for block in 0..<Self.blockCount {
            if blockPowers[block] < loudest * Self.quietShare {
                quietBlocks += 1
                hasSilence = hasSilence || quietBlocks >= Self.quietBlockCount
            } else {
                if quietBlocks >= Self.quietBlockCount { return block - Self.blocksBeforeSound }
                quietBlocks = 0
            }
        }
        return hasSilence ? nil : 0
    }
}
