import Alignment
import Basics
import Features

/// Listens for all pieces of a programme at once, at the pitch at which the current one was last followed.
///
/// Belongs to the real-time following thread; after `init` no allocation, no lock.
final class ProgrammeListener {
    private let analyser: SpectrumAnalyser
    private let frameBuilder: FeatureFrameBuilder
    private let search: ProgrammeSearch
    private let liveFrameValues: UnsafeMutablePointer<Float>
    private var loudnessClassifier: LoudnessClassifier
    private var pitchOffsetCents = 0.0
    /// The place that was found since it was last taken.
    private var newlyFound: ProgrammeSearch.Place?

    /// The change of pitch in cents below which the present pitch is kept.
    private static let smallestPitchChangeCents = 6.0

    /// Creates a listener for the pieces of some followers.
    /// - Returns: nil if they use another method than the forward filter, or different kinds of frames.
    init?(
        followers: [PieceFollower], rate: SampleRate, transforms: any SpectrumTransformMaker,
        features: FeatureParameters
    ) {
        let filters = followers.compactMap { $0.forwardFilter }
        guard let kind = followers.first?.referenceModel.featureKind, filters.count == followers.count,
            followers.allSatisfy({ $0.referenceModel.featureKind == kind })
        else { return nil }
        analyser = SpectrumAnalyser(parameters: features, sampleRate: rate, transforms: transforms)
        frameBuilder = FeatureFrameBuilder(
            analyser: analyser, filterLibrary: SemitoneFiltersByPitchOffset(for: analyser), featureKind: kind)
        search = ProgrammeSearch(filters: filters)
        liveFrameValues = .allocate(capacity: kind.dimensions(features))
        liveFrameValues.initialize(repeating: 0, count: kind.dimensions(features))
        loudnessClassifier = LoudnessClassifier(framesPerSecond: features.framesPerSecond)
    }

    deinit { liveFrameValues.deallocate() }

    /// Makes every place of every piece possible again.
    func reset() {
        search.reset()
        newlyFound = nil
    }

    /// Notes the pitch of a performance that is followed with certainty; all pieces are then expected at this pitch.
    func notePitch(transpositionSemitones: Int, tuningCents: Double) {
        let cents = Double(transpositionSemitones) * 100 + tuningCents
        guard abs(cents - pitchOffsetCents) >= Self.smallestPitchChangeCents else { return }
        pitchOffsetCents = cents
        frameBuilder.retune(pitchOffsetCents: cents)
    }

    /// Returns the piece and the place that the sound of the last seconds belongs to, once when it has been found; nil
    /// if there is none. Its own hops may end within those of the concert, so the concert asks at the end of its own.
    func takeNewlyFound() -> ProgrammeSearch.Place? {
        defer { newlyFound = nil }
        return newlyFound
    }

    /// Takes samples of the live audio, one channel, full scale ±1.
    func hearSamples(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            let hop = analyser.addSamples(rest, taken: &taken)
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
            guard let hop else { continue }
            let (isQuiet, _, isDropout) = loudnessClassifier.classifyHop(hop)
            frameBuilder.buildFrame(into: liveFrameValues)
            let frame = LiveFeatureFrame(
                featureValues: liveFrameValues, isQuiet: isQuiet, isDropout: isDropout)
            if search.advance(frame) { newlyFound = search.found }
        }
    }
}
