import Accuracy
import Alignment
import FFTWTransform
import Features
import Following
import Listening
import Score
import SoundFiles

/// Follows one recording against its references, as fast as the machine allows.
///
/// - Throws: ``CaseFailure`` with a sentence for the person who asked; any other error ends only this case too.
func followCase(_ question: CaseQuestion, by means: FollowingMeans = FollowingMeans()) throws -> FollowTrace {
    try followCase(question, by: means, withThoughts: false).trace
}

/// The same, and what the follower thought besides, for a picture.
///
/// - Parameter withThoughts: changes nothing of what is said.
/// - Returns: no thoughts where none were asked for, or where the method has none that can be drawn.
func followCase(
    _ question: CaseQuestion, by means: FollowingMeans = FollowingMeans(), withThoughts: Bool
) throws -> (trace: FollowTrace, thoughts: ProbabilityMap?) {
    guard let reference = question.references.first else {
        throw CaseFailure(sentence: "The case names no reference; add one to its case.json.")
    }
    do {
        let parameters = FeatureParameters()
        let model = ReferenceModel(
            name: try PieceName("Case"), measures: reference.measures,
            framesPerSecond: parameters.framesPerSecond,
            references: try hearAll(question.references, parameters: parameters)
        ).readyToFollow(by: means.features)
        let live = try SoundFileReader(path: question.liveAudioPath)
        let start = question.firstMeasure.flatMap { reference.measures.firstPlayed(printed: $0) }
            .map { ScorePosition(played: $0, fraction: 0) }
        let alignment = means.method.makeAlignment(on: model)
        var notes = (withThoughts ? alignment as? ForwardFilter : nil).map { filter in
            ThoughtNotes(
                filter: filter, liveSeconds: live.duration.value,
                referenceSeconds: model.time(ofFrame: Double(model.frameCount - 1)).seconds)
        }
        let follower = Follower(
            model: model, rate: live.rate, transforms: FFTWSpectrumMaker(), start: start,
            features: parameters, alignment: alignment)
        var points: [FollowTrace.Point] = []
        try forEachBlock(of: live) { samples in
            follower.hear(samples) {
                points.append(FollowTrace.Point($0))
                notes?.note($0.live.seconds)
            }
        }
        return (FollowTrace(points: points), notes?.map)
    } catch let error as SoundFileError {
        throw CaseFailure(sentence: error.sentence)
    }
}

/// By which method, and by which features, a case is followed.
package struct FollowingMeans: Codable, Sendable {
    var method = FollowingMethod.forwardFilter
    var features = FrameFeatures.bands

    package init(method: FollowingMethod = .forwardFilter, features: FrameFeatures = .bands) {
        self.method = method
        self.features = features
    }
}

/// Hears every reference of a case, all but the first warped onto the first.
private func hearAll(
    _ references: [CaseQuestion.Reference], parameters: FeatureParameters
) throws -> [ReferenceFrames] {
    let timeline = try hearReference(references[0].audioPath, parameters: parameters).frames
    var all = [timeline]
    for other in references.dropFirst() {
        let frames = try hearReference(other.audioPath, parameters: parameters).frames
        let path = try ReferenceWarping.path(
            timeline: (timeline, references[0].measures), recording: (frames, other.measures),
            framesPerSecond: parameters.framesPerSecond)
        all.append(ReferenceWarping.warped(frames, along: path, frameCount: timeline.frameCount))
    }
    return all
}

extension FollowTrace.Point {
    /// A report as evaluations keep it.
    package init(_ report: PositionReport) {
        self.init(
            liveSeconds: report.live.seconds,
            measure: report.position.flatMap { position in
                report.printedMeasure.map { Double($0) + position.fraction }
            },
            referenceSeconds: report.reference?.seconds, tempoRatio: report.tempo.value,
            confidence: report.confidence, state: FollowTrace.State(report.state))
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
