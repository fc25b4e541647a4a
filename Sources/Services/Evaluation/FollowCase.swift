import Accuracy
import Alignment
import Basics
import Features
import Following
import Listening
import Score
import Sound

/// Follows one recording against its references as fast as the machine allows.
///
/// - Throws: ``ExplainedError`` with a sentence for the user. Any other error also ends this case only.
func followEvaluationCase(_ question: EvaluationCaseInput, by means: FollowingOptions = FollowingOptions())
    throws -> FollowTrace
{
    try followEvaluationCase(question, by: means, withProbabilities: false).trace
}

/// Follows one recording and, if `withProbabilities` is true, also records the follower's probabilities over time, for
/// a chart. The trace is the same either way.
///
/// - Returns: no probabilities if none were requested, or if the method has none that can be drawn.
func followEvaluationCase(
    _ question: EvaluationCaseInput, by means: FollowingOptions = FollowingOptions(), withProbabilities: Bool
) throws -> (trace: FollowTrace, thoughts: ProbabilityMap?) {
    guard let reference = question.references.first else {
        throw ExplainedError("The case names no reference; add one to its case.json.")
    }
    let parameters = FeatureParameters()
    let model = try makeModel(
        question.references, rooms: means.areRoomsLeftOut ? [] : RoomShape.ofReferences,
        parameters: parameters
    ).preparedForFollowing(
        by: means.features)
    let live = try SoundFileReader(path: question.liveAudioPath)
    let start = question.firstMeasure.flatMap { reference.measures.firstPlayedIndex(printed: $0) }
        .map { ScorePosition(played: $0, fraction: 0) }
    let alignment = means.method.makeAlignment(on: model)
    var notes = (withProbabilities ? alignment as? ForwardFilter : nil).map { filter in
        ProbabilityRecorder(
            filter: filter, liveSeconds: live.duration.value,
            referenceSeconds: model.time(ofFrame: Double(model.timelineFrameCount - 1)).seconds)
    }
    let follower = PieceFollower(
        referenceModel: model, rate: live.sampleRate, transforms: FFTWSpectrumMaker(), start: start,
        features: parameters, alignmentMethod: alignment)
    var points: [FollowTrace.Report] = []
    try forEachBlock(of: live) { samples in
        follower.hearSamples(samples) {
            points.append(FollowTrace.Report($0))
            notes?.recordProbabilities($0.liveTime.seconds)
        }
    }
    return (FollowTrace(reports: points), notes?.probabilityMap)
}

/// The method and the features with which cases are followed.
package struct FollowingOptions: Codable, Sendable {
    var method = FollowingMethod.forwardFilter
    var features = FeatureKind.refined
    /// True if the references have no copies in other rooms, as in pages that follow by themselves.
    var areRoomsLeftOut = false

    package init(
        method: FollowingMethod = .forwardFilter, features: FeatureKind = .refined,
        areRoomsLeftOut: Bool = false
    ) {
        self.method = method
        self.features = features
        self.areRoomsLeftOut = areRoomsLeftOut
    }
}

/// Makes the model of a case: the frames of all its references, the second and later ones warped to the timeline of the
/// first.
private func makeModel(
    _ references: [EvaluationCaseInput.Reference], rooms: [RoomShape], parameters: FeatureParameters
) throws -> ReferenceModel {
    let timeline = try computeReferenceFrames(references[0].audioPath, parameters: parameters, rooms: rooms)
    var model = ReferenceModel(
        pieceName: try PieceName("Case"), measures: references[0].measures,
        framesPerSecond: parameters.framesPerSecond, framesByRecording: [timeline.frames.packed],
        roomCopies: [timeline.roomCopies])
    for other in references.dropFirst() {
        let sound = try computeReferenceFrames(other.audioPath, parameters: parameters, rooms: rooms)
        let path = try ReferenceWarping.alignMeasureByMeasure(
            timeline: (timeline.frames, references[0].measures), recording: (sound.frames, other.measures),
            framesPerSecond: parameters.framesPerSecond)
        model.addReference(sound.frames, roomCopies: sound.roomCopies) {
            ReferenceWarping.warpedFrames($0, along: path, frameCount: timeline.frames.frameCount)
        }
    }
    return model
}

extension FollowTrace.Report {
    /// A follower's report in the form that evaluations store.
    package init(_ report: PositionReport) {
        self.init(
            liveSeconds: report.liveTime.seconds,
            measureWithFraction: report.position.flatMap { position in
                report.printedMeasure.map { Double($0) + position.fraction }
            },
            referenceSeconds: report.referenceTime?.seconds, tempoRatio: report.tempo.value,
            confidence: report.confidence,
            state: report.isUndecided ? .undecided : FollowTrace.State(report.state))
    }
}

extension FollowTrace.State {
    package init(_ state: FollowerState) {
        self =
            switch state {
            case .waiting: .waiting
            case .following: .following
            case .coasting: .coasting
            case .lost: .lost
            case .finished: .finished
            }
    }
}
