import RealModule

/// Builds a feature frame from the two spectra of each hop, for a given pitch offset.
///
/// A frame has two parts of at most unit norm: the *pitch* part, semitone bands of the long window, compressed and
/// whitened; and the *onset* part, decaying rises of the short window's semitone bands. Near silence the norm of a part
/// is below one, so that silence resembles nothing. A builder of ``FeatureKind/refined`` passes both parts through
/// ``FrameRefinement``; one of ``FeatureKind/chroma`` folds the pitch part and leaves the onset part out.
///
/// Belongs to one thread. After `init` no allocation, no lock.
/// - Source: log-compressed pitch features and decaying locally normalised onsets after S. Ewert, M. Müller, P.
///   Grosche, "High resolution audio synchronization using chroma onset features", ICASSP 2009; here per semitone
///   instead of per pitch class, and without looking ahead.
public final class FeatureFrameBuilder {
    private let analyser: SpectrumAnalyser
    private let filterLibrary: SemitoneFilterLibrary
    private let parameters: FeatureParameters
    private let featureKind: FeatureKind
    /// The frame of semitone bands from which a chroma frame is folded.
    private let bandsBeforeFolding: UnsafeMutablePointer<Float>
    private let refinement: FrameRefinement?
    private var filterSetIndex: Int
    private let bandMagnitudes: UnsafeMutablePointer<Float>
    private let compressedLevels: UnsafeMutablePointer<Float>
    private let recentOnsetLevels: UnsafeMutablePointer<Float>
    private let decayingOnsets: UnsafeMutablePointer<Float>
    private let levelDecay: Float
    private var runningLevel: Float = 0
    private var builtFrameCount = 0

    /// Creates a builder for the hops of one analyser.
    /// - Parameter pitchOffsetCents: how many cents higher the music sounds than at A = 440 Hz.
    public init(
        analyser: SpectrumAnalyser, filterLibrary: SemitoneFiltersByPitchOffset, pitchOffsetCents: Double = 0,
        featureKind: FeatureKind = .bands
    ) {
        self.analyser = analyser
        self.filterLibrary = filterLibrary.filterLibrary
        parameters = analyser.parameters
        self.featureKind = featureKind
        refinement = featureKind == .refined ? FrameRefinement(parameters: analyser.parameters) : nil
        filterSetIndex = SemitoneFilterLibrary.filterSetIndex(cents: pitchOffsetCents)
        let count = parameters.pitchCount
        func zeros(_ length: Int) -> UnsafeMutablePointer<Float> {
            let pointer = UnsafeMutablePointer<Float>.allocate(capacity: length)
            pointer.initialize(repeating: 0, count: length)
            return pointer
        }
        bandsBeforeFolding = zeros(parameters.dimensions)
        bandMagnitudes = zeros(count)
        compressedLevels = zeros(count)
        recentOnsetLevels = zeros(count * (parameters.onsetLag + 1))
        decayingOnsets = zeros(count)
        let halfLifeFrames = parameters.levelHalfLifeSeconds * Float(parameters.framesPerSecond)
        levelDecay = Float.exp2(-1 / halfLifeFrames)
    }

    deinit {
        bandsBeforeFolding.deallocate()
        bandMagnitudes.deallocate()
        compressedLevels.deallocate()
        recentOnsetLevels.deallocate()
        decayingOnsets.deallocate()
    }

    /// Changes the pitch offset from the next hop on; it is rounded to ``SemitoneFilterLibrary/stepCents``.
    public func retune(pitchOffsetCents: Double) {
        filterSetIndex = SemitoneFilterLibrary.filterSetIndex(cents: pitchOffsetCents)
    }

    /// Builds the frame of the hop that the analyser has completed last.
    /// - Parameter frame: receives ``FeatureKind/dimensions(_:)`` values.
    public func buildFrame(into frame: UnsafeMutablePointer<Float>) {
        switch featureKind {
        case .bands: buildBandFrame(into: frame)
        case .refined:
            buildBandFrame(into: frame)
            refinement?.refine(frame)
        case .chroma:
            buildBandFrame(into: bandsBeforeFolding)
            parameters.foldChroma(bandsBeforeFolding, into: frame)
        }
    }

    private func buildBandFrame(into frame: UnsafeMutablePointer<Float>) {
        let count = parameters.pitchCount
        filterLibrary.longWindowFilters(filterSetIndex).writeBandMagnitudes(
            of: analyser.longPowerSpectrum, into: bandMagnitudes, scale: 2 / Float(analyser.longBlockLength))
        var loudest: Float = 0
        for band in 0..<count { loudest = max(loudest, bandMagnitudes[band]) }
        runningLevel = max(runningLevel * levelDecay, loudest)
        let gain = parameters.compression / max(runningLevel, parameters.lowestLevel)
        for band in 0..<count { compressedLevels[band] = Float.log(onePlus: bandMagnitudes[band] * gain) }
        subtractNeighbourMean(compressedLevels, into: frame)
        scaleToUnitNorm(frame, quietNorm: parameters.quietPitchNorm)

        filterLibrary.shortWindowFilters(filterSetIndex).writeBandMagnitudes(
            of: analyser.shortPowerSpectrum, into: bandMagnitudes, scale: 2 / Float(analyser.shortBlockLength)
        )
        let slots = parameters.onsetLag + 1
        let newest = recentOnsetLevels + (builtFrameCount % slots) * count
        let oldest = recentOnsetLevels + ((builtFrameCount + 1) % slots) * count
        for band in 0..<count {
            let level = Float.log(onePlus: bandMagnitudes[band] * gain)
            newest[band] = level
            compressedLevels[band] = max(level - oldest[band], 0)
        }
        subtractNeighbourMean(compressedLevels, into: bandMagnitudes)
        let onset = frame + count
        for band in 0..<count {
            decayingOnsets[band] = max(decayingOnsets[band] * parameters.onsetDecay, bandMagnitudes[band])
            onset[band] = decayingOnsets[band]
        }
        scaleToUnitNorm(onset, quietNorm: parameters.quietOnsetNorm)
        builtFrameCount += 1
    }

    /// Subtracts from each band the mean of its neighbours; negative results become 0. This keeps the harmony and
    /// removes the timbre.
    private func subtractNeighbourMean(
        _ source: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>
    ) {
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
    private func scaleToUnitNorm(_ part: UnsafeMutablePointer<Float>, quietNorm: Float) {
        var sum: Float = 0
        for index in 0..<parameters.pitchCount { sum += part[index] * part[index] }
        let factor = 1 / (sum + quietNorm * quietNorm).squareRoot()
        for index in 0..<parameters.pitchCount { part[index] *= factor }
    }
}

/// The semitone filters of all pitch offsets, made in advance so that an offset can change without allocation. Frame
/// builders share them.
public struct SemitoneFiltersByPitchOffset: Sendable {
    let filterLibrary: SemitoneFilterLibrary

    /// Makes all filters.
    /// - Cost: some milliseconds and a megabyte. Do not call this on the real-time following thread.
    public init(for stage: SpectrumAnalyser) {
        filterLibrary = SemitoneFilterLibrary(
            parameters: stage.parameters, longBlock: stage.longBlockLength,
            shortBlock: stage.shortBlockLength,
            rate: stage.sampleRate)
    }
}
