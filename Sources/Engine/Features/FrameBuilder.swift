import RealModule

/// Builds a feature frame from the two spectra of each hop, for a given pitch offset.
///
/// A frame has two parts of at most unit norm: the *pitch* part, semitone bands of the long window, compressed and
/// whitened; and the *onset* part, decaying rises of the short window's semitone bands. Near silence the norm of a part
/// is below one, so that silence resembles nothing. A builder of ``FrameFeatures/chroma`` folds the pitch part and
/// leaves the onset part out.
///
/// Belongs to one thread. After `init` no allocation, no lock.
/// - Source: log-compressed pitch features and decaying locally normalised onsets after S. Ewert, M. Müller, P.
///   Grosche, "High resolution audio synchronization using chroma onset features", ICASSP 2009; here per semitone
///   instead of per pitch class, and without looking ahead.
public final class FrameBuilder {
    private let analyser: SpectrumAnalyser
    private let library: PitchBandLibrary
    private let parameters: FeatureParameters
    private let features: FrameFeatures
    /// The frame of semitone bands from which a chroma frame is folded.
    private let folded: UnsafeMutablePointer<Float>
    private var tuningIndex: Int
    private let bands: UnsafeMutablePointer<Float>
    private let levels: UnsafeMutablePointer<Float>
    private let recent: UnsafeMutablePointer<Float>
    private let onsets: UnsafeMutablePointer<Float>
    private let levelDecay: Float
    private var runningLevel: Float = 0
    private var hops = 0

    /// Creates a builder for the hops of one analyser.
    /// - Parameter pitchOffsetCents: how many cents higher the music sounds than at A = 440 Hz.
    public init(
        analyser: SpectrumAnalyser, library: PitchOffsetFilters, pitchOffsetCents: Double = 0,
        features: FrameFeatures = .bands
    ) {
        self.analyser = analyser
        self.library = library.bands
        parameters = analyser.parameters
        self.features = features
        tuningIndex = PitchBandLibrary.index(cents: pitchOffsetCents)
        let count = parameters.pitchCount
        func zeros(_ length: Int) -> UnsafeMutablePointer<Float> {
            let pointer = UnsafeMutablePointer<Float>.allocate(capacity: length)
            pointer.initialize(repeating: 0, count: length)
            return pointer
        }
        folded = zeros(parameters.dimensions)
        bands = zeros(count)
        levels = zeros(count)
        recent = zeros(count * (parameters.onsetLag + 1))
        onsets = zeros(count)
        let halfLifeFrames = parameters.levelHalfLifeSeconds * Float(parameters.framesPerSecond)
        levelDecay = Float.exp2(-1 / halfLifeFrames)
    }

    deinit {
        folded.deallocate()
        bands.deallocate()
        levels.deallocate()
        recent.deallocate()
        onsets.deallocate()
    }

    /// Changes the pitch offset from the next hop on; it is rounded to ``PitchBandLibrary/stepCents``.
    public func retune(pitchOffsetCents: Double) {
        tuningIndex = PitchBandLibrary.index(cents: pitchOffsetCents)
    }

    /// Builds the frame of the hop that the analyser has completed last.
    /// - Parameter frame: receives ``FrameFeatures/dimensions(_:)`` values.
    public func build(into frame: UnsafeMutablePointer<Float>) {
        switch features {
        case .bands: buildBands(into: frame)
        case .chroma:
            buildBands(into: folded)
            parameters.foldChroma(folded, into: frame)
        }
    }

    private func buildBands(into frame: UnsafeMutablePointer<Float>) {
        let count = parameters.pitchCount
        library.longBands(tuningIndex).magnitudes(
            of: analyser.longPower, into: bands, scale: 2 / Float(analyser.longBlock))
        var loudest: Float = 0
        for band in 0..<count { loudest = max(loudest, bands[band]) }
        runningLevel = max(runningLevel * levelDecay, loudest)
        let gain = parameters.compression / max(runningLevel, parameters.lowestLevel)
        for band in 0..<count { levels[band] = Float.log(onePlus: bands[band] * gain) }
        whiten(levels, into: frame)
        scale(frame, quietNorm: parameters.quietPitchNorm)

        library.shortBands(tuningIndex).magnitudes(
            of: analyser.shortPower, into: bands, scale: 2 / Float(analyser.shortBlock))
        let slots = parameters.onsetLag + 1
        let newest = recent + (hops % slots) * count
        let oldest = recent + ((hops + 1) % slots) * count
        for band in 0..<count {
            let level = Float.log(onePlus: bands[band] * gain)
            newest[band] = level
            levels[band] = max(level - oldest[band], 0)
        }
        whiten(levels, into: bands)
        let onset = frame + count
        for band in 0..<count {
            onsets[band] = max(onsets[band] * parameters.onsetDecay, bands[band])
            onset[band] = onsets[band]
        }
        scale(onset, quietNorm: parameters.quietOnsetNorm)
        hops += 1
    }

    /// Subtracts from each band the mean of its neighbours; negative results become 0. This keeps the harmony and
    /// removes the timbre.
    private func whiten(_ source: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>) {
        let count = parameters.pitchCount
        let reach = parameters.whiteningReach
        var low = 0
        var high = min(reach, count - 1)
        var sum: Float = 0
        for band in 0...high { sum += source[band] }
        for band in 0..<count {
            target[band] = max(source[band] - sum / Float(high - low + 1), 0)
            if high + 1 < count {
                high += 1
                sum += source[high]
            }
            if band >= reach {
                sum -= source[low]
                low += 1
            }
        }
    }

    /// Scales one part of a frame (`pitchCount` values) to unit norm, or to less if the sound is near silence.
    private func scale(_ part: UnsafeMutablePointer<Float>, quietNorm: Float) {
        var sum: Float = 0
        for index in 0..<parameters.pitchCount { sum += part[index] * part[index] }
        let factor = 1 / (sum + quietNorm * quietNorm).squareRoot()
        for index in 0..<parameters.pitchCount { part[index] *= factor }
    }
}

/// The semitone filters of all pitch offsets, made in advance so that an offset can change without allocation. Frame
/// builders share them.
public struct PitchOffsetFilters: Sendable {
    let bands: PitchBandLibrary

    /// Makes all filters.
    /// - Cost: some milliseconds and a megabyte. Do not call this on the real-time following thread.
    public init(for stage: SpectrumAnalyser) {
        bands = PitchBandLibrary(
            parameters: stage.parameters, longBlock: stage.longBlock, shortBlock: stage.shortBlock,
            rate: stage.rate)
    }
}
