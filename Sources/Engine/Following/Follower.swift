import Alignment
import Features
import MusicalTime
import Score

/// Listens to a performance and reports where in the piece it is.
///
/// Owns everything between samples and reports: the spectra, the frames at the right pitch, the alignment, the states.
/// Devices, sound files and logs all feed the same class. Belongs to one thread (the real-time following thread); after
/// `init` no allocation, no lock, bounded work per hop.
public final class Follower {
    public let model: ReferenceModel
    private let analyser: SpectrumAnalyser
    private let builder: FrameBuilder
    private let alignment: any AlignmentMethod
    private let pitch: PitchSearch?
    private let frame: UnsafeMutablePointer<Float>
    private var loudnessClassifier: LoudnessClassifier
    private var display: DisplayedPosition
    /// The tempo of the newest report that was trusted; nil if there was none.
    private var knownTempo: TempoRatio?

    /// Creates a follower of one piece that waits for the music.
    /// - Parameters:
    ///   - rate: the sample rate of the live audio.
    ///   - start: the position at which the music will begin; nil if unknown.
    ///   - alignment: the method, made for the same model; nil for a forward filter.
    public init(
        model: ReferenceModel, rate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ScorePosition? = ScorePosition(played: 0, fraction: 0),
        features: FeatureParameters = FeatureParameters(), alignment: (any AlignmentMethod)? = nil
    ) {
        let model = model.readyToFollow()
        self.model = model
        let stage = SpectrumAnalyser(parameters: features, rate: rate, transforms: transforms)
        self.analyser = stage
        let offsets = PitchOffsetFilters(for: stage)
        builder = FrameBuilder(analyser: stage, library: offsets, features: model.features)
        let method = alignment ?? FollowingMethod.forwardFilter.makeAlignment(on: model)
        self.alignment = method
        (method as? ForwardFilter)?.setBars(model.landmarks)
        pitch = (method as? ForwardFilter).map {
            PitchSearch(analyser: stage, offsets: offsets, filter: $0, features: model.features)
        }
        let dimensions = model.features.dimensions(features)
        frame = .allocate(capacity: dimensions)
        frame.initialize(repeating: 0, count: dimensions)
        loudnessClassifier = LoudnessClassifier(framesPerSecond: features.framesPerSecond)
        display = DisplayedPosition(model: model)
        begin(at: start)
    }

    deinit { frame.deallocate() }

    /// Forgets the performance so far and waits for the music at a position.
    public func begin(at start: ScorePosition?) {
        let time = start.map { model.measures.time(of: $0) }
        let frame = time.map { FrameIndex(max(Int(model.frame(at: $0).rounded()), 0)) }
        alignment.begin(at: frame)
        pitch?.begin()
        builder.retune(pitchOffsetCents: pitch?.offsetCents ?? 0)
        display.begin(at: time)
        knownTempo = nil
    }

    /// Takes over the position that an operator gives while the music plays. Call this between two hops.
    ///
    /// The displayed position goes there at once, also backwards, and the state is `following` from the next report on.
    /// From then on the sound decides as usual, at first within half a second of the given position.
    /// - Parameter place: an instant on the timeline; limited to the measures.
    /// - Complexity: O(reference frames), well below a millisecond. No allocation, no lock.
    public func anchor(at place: ReferenceTime) {
        let time = model.measures.time(of: model.measures.position(at: place))
        let frame = FrameIndex(max(Int(model.frame(at: time).rounded()), 0))
        alignment.anchor(at: frame, tempo: knownTempo)
        pitch?.anchor(at: frame)
        display.anchor(at: time)
    }

    /// Takes samples of the live audio, one channel, full scale ±1, and reports after each hop that they complete.
    public func hear(_ samples: UnsafeBufferPointer<Float>, report: (PositionReport) -> Void) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            let hop = analyser.addSamples(rest, taken: &taken)
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
            if let hop { report(follow(hop)) }
        }
    }

    private func follow(_ hop: HopSummary) -> PositionReport {
        let (isQuiet, isSoft, isDropout) = loudnessClassifier.hear(hop)
        if let pitch, pitch.hear(isQuiet: isQuiet, isDropout: isDropout) {
            builder.retune(pitchOffsetCents: pitch.offsetCents)
        }
        builder.build(into: frame)
        var heard = LiveFrame(values: frame, isQuiet: isQuiet, isDropout: isDropout)
        heard.isSoft = isSoft
        let estimate = alignment.advance(heard)
        let live = LiveTime(seconds: hop.end.seconds(at: analyser.rate))
        var report = display.report(estimate, live: live, isQuiet: isQuiet, isDropout: isDropout)
        pitch?.note(isCertain: report.state == .following && report.confidence > 0.9)
        knownTempo = report.state == .following && report.confidence > 0.5 ? report.tempo : knownTempo
        report.transpositionSemitones = pitch?.transpositionSemitones ?? 0
        report.tuningCents = pitch?.tuningCents ?? 0
        return report
    }
}
