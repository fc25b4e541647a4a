import Alignment
import Basics
import Features
import Score

/// Listens to a performance and reports where in the piece it is.
///
/// Owns everything between samples and reports: the spectra, the frames at the right pitch, the alignment, the states.
/// Devices, sound files and logs all feed the same class. Belongs to one thread (the real-time following thread); after
/// `init` no allocation, no lock, bounded work per hop.
public final class PieceFollower {
    public let referenceModel: ReferenceModel
    private let spectrumAnalyser: SpectrumAnalyser
    private let frameBuilder: FeatureFrameBuilder
    private let alignmentMethod: any MusicAlignmentMethod
    private let pitch: KeyAndTuningSearch?
    private let liveFrameValues: UnsafeMutablePointer<Float>
    private var loudnessClassifier: LoudnessClassifier
    private var displayedPosition: DisplayedPosition
    /// The tempo of the newest report that was trusted; nil if there was none.
    private var newestTrustedTempo: TempoRatio?
    /// The room in which the piece was last followed surely; nil if it was not for long enough.
    private var knownRoom: RoomShares?
    private var sureHopCount = 0
    /// After so many hops of sure following, the room is known.
    private static let hopsToKnowRoom = 1500

    /// Creates a follower of one piece that waits for the music.
    /// - Parameters:
    ///   - rate: the sample rate of the live audio.
    ///   - start: the position at which the music will begin; nil if unknown.
    ///   - alignmentMethod: the method, made for the same model; nil for a forward filter.
    public init(
        referenceModel: ReferenceModel, rate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ScorePosition? = ScorePosition(played: 0, fraction: 0),
        features: FeatureParameters = FeatureParameters(), alignmentMethod: (any MusicAlignmentMethod)? = nil
    ) {
        let referenceModel = referenceModel.preparedForFollowing()
        self.referenceModel = referenceModel
        let stage = SpectrumAnalyser(parameters: features, sampleRate: rate, transforms: transforms)
        self.spectrumAnalyser = stage
        let offsets = SemitoneFiltersByPitchOffset(for: stage)
        frameBuilder = FeatureFrameBuilder(
            analyser: stage, filterLibrary: offsets, featureKind: referenceModel.featureKind)
        let method = alignmentMethod ?? FollowingMethod.forwardFilter.makeAlignment(on: referenceModel)
        self.alignmentMethod = method
        (method as? ForwardFilter)?.setBars(referenceModel.referenceBars)
        pitch = (method as? ForwardFilter).map {
            KeyAndTuningSearch(
                analyser: stage, offsets: offsets, forwardFilter: $0, features: referenceModel.featureKind)
        }
        let dimensions = referenceModel.featureKind.dimensions(features)
        liveFrameValues = .allocate(capacity: dimensions)
        liveFrameValues.initialize(repeating: 0, count: dimensions)
        loudnessClassifier = LoudnessClassifier(framesPerSecond: features.framesPerSecond)
        displayedPosition = DisplayedPosition(model: referenceModel)
        begin(at: start)
    }

    deinit { liveFrameValues.deallocate() }

    /// Forgets the performance so far and waits for the music at a position.
    public func begin(at start: ScorePosition?) {
        let time = start.map { referenceModel.measures.time(of: $0) }
        let frame = time.map { FeatureFrameIndex(max(Int(referenceModel.frameNumber(at: $0).rounded()), 0)) }
        forwardFilter?.expectedRoom = room
        alignmentMethod.begin(at: frame)
        pitch?.makeEveryKeyPossible()
        frameBuilder.retune(pitchOffsetCents: pitch?.pitchOffsetCents ?? 0)
        displayedPosition.begin(at: time)
        newestTrustedTempo = nil
        sureHopCount = 0
    }

    /// The room of the evening: the one in which this piece was last followed surely, else the one that is expected;
    /// nil if neither is known.
    var room: RoomShares? { knownRoom ?? forwardFilter?.expectedRoom }

    /// Expects the room in which another piece of the evening sounded. It counts from the next ``begin(at:)`` on, unless
    /// this piece itself has sounded meanwhile.
    func expectRoom(_ room: RoomShares) {
        knownRoom = nil
        forwardFilter?.expectedRoom = room
    }

    /// Takes the expected room for the present one, because the music is already playing.
    func assumeExpectedRoom() { forwardFilter?.assumeExpectedRoom() }

    /// Takes over the position that an operator gives while the music plays. Call this between two hops.
    ///
    /// The displayed position goes there at once, also backwards, and the state is `following` from the next report on.
    /// From then on the sound decides as usual, at first within half a second of the given position.
    /// - Parameter place: an instant on the timeline; limited to the measures.
    /// - Complexity: O(reference frames), well below a millisecond. No allocation, no lock.
    public func takeOperatorPosition(at place: ReferenceTime) {
        let time = referenceModel.measures.time(of: referenceModel.measures.position(at: place))
        let frame = FeatureFrameIndex(max(Int(referenceModel.frameNumber(at: time).rounded()), 0))
        alignmentMethod.takeOperatorPosition(at: frame, tempo: newestTrustedTempo)
        pitch?.takeOperatorPosition(at: frame)
        displayedPosition.takeOperatorPosition(at: time)
    }

    /// Goes on at a place at which a search of the whole programme has found the music. The place is not trusted as an
    /// operator's would be: the sound must prove it.
    func takeUp(at frame: FeatureFrameIndex, tempo: TempoRatio) {
        let time = referenceModel.time(ofFrame: Double(frame.value))
        let place = referenceModel.measures.time(of: referenceModel.measures.position(at: time))
        if let forwardFilter {
            forwardFilter.takeUp(at: frame, tempo: tempo)
        } else {
            alignmentMethod.takeOperatorPosition(at: frame, tempo: tempo)
        }
        pitch?.takeOperatorPosition(at: frame)
        displayedPosition.begin(at: place)
        newestTrustedTempo = nil
        sureHopCount = 0
    }

    /// The filter that finds the position; nil if another method does.
    var forwardFilter: ForwardFilter? { alignmentMethod as? ForwardFilter }

    /// Takes samples of the live audio, one channel, full scale ±1, and reports after each hop that they complete.
    public func hearSamples(_ samples: UnsafeBufferPointer<Float>, report: (PositionReport) -> Void) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            let hop = spectrumAnalyser.addSamples(rest, taken: &taken)
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
            if let hop { report(followHop(hop)) }
        }
    }

    private func followHop(_ hop: AudioHopSummary) -> PositionReport {
        let (isQuiet, isSoft, isDropout) = loudnessClassifier.classifyHop(hop)
        if let pitch, pitch.updatePitch(isQuiet: isQuiet, isDropout: isDropout) {
            frameBuilder.retune(pitchOffsetCents: pitch.pitchOffsetCents)
        }
        frameBuilder.buildFrame(into: liveFrameValues)
        var heard = LiveFeatureFrame(featureValues: liveFrameValues, isQuiet: isQuiet, isDropout: isDropout)
        heard.isSoft = isSoft
        heard.standsOutFromRoom = loudnessClassifier.standsOutFromRoom
        heard.isRoomAlone = loudnessClassifier.isRoomAlone
        heard.isPause = loudnessClassifier.isPause
        let estimate = alignmentMethod.advance(heard)
        let live = LiveTime(seconds: hop.endSample.seconds(at: spectrumAnalyser.sampleRate))
        var report = displayedPosition.makeReport(
            estimate, live: live, isQuiet: isQuiet, isDropout: isDropout)
        trustDisplayedBar(report)
        pitch?.noteReportCertainty(isCertain: report.state == .following && report.passageConfidence > 0.9)
        noteRoom(isSure: report.state == .following && report.passageConfidence > 0.9)
        newestTrustedTempo =
            report.state == .following && report.passageConfidence > 0.5 ? report.tempo : newestTrustedTempo
        report.transpositionSemitones = pitch?.transpositionSemitones ?? 0
        report.tuningCents = pitch?.tuningCents ?? 0
        return report
    }

    /// The confidence above which the alignment trusts the displayed bar.
    private static let trustedConfidence = 0.8

    private func trustDisplayedBar(_ report: PositionReport) {
        guard report.state == .following, report.confidence > Self.trustedConfidence, let forwardFilter,
            let place = report.referenceTime
        else { return }
        forwardFilter.trustBar(
            at: FeatureFrameIndex(max(Int(referenceModel.frameNumber(at: place)), 0)))
    }

    /// The room is known once the piece was followed surely for a while; it stays known when the end fades.
    private func noteRoom(isSure: Bool) {
        guard isSure, let forwardFilter else { return }
        sureHopCount += 1
        if sureHopCount >= Self.hopsToKnowRoom { knownRoom = forwardFilter.roomShares }
    }
}
