import Alignment
import Features
import Score

/// The alignment methods that can follow a performance. docs/accuracy.md compares them.
public enum FollowingMethod: String, CaseIterable, Codable, Sendable {
    /// The forward filter: sums over all paths, with the tempo as a state, and also searches the whole reference in
    /// eleven keys.
    case forwardFilter = "forward-filter"
    /// Dixon's online time warping: finds the cheapest path. It uses one reference, one key and one tuning, and cannot
    /// follow jumps.
    case onlineTimeWarping = "online-time-warping"

    /// Creates a method of this kind for one performance of a model.
    /// - Parameter model: a model that is ready to follow.
    public func makeAlignment(on model: ReferenceModel) -> any MusicAlignmentMethod {
        guard let tiles = model.tiledFramesByRecording, let timeline = tiles.first else {
            preconditionFailure("the model “\(model.pieceName.text)” is not ready to follow")
        }
        switch self {
        case .forwardFilter:
            return ForwardFilter(
                referenceTiles: tiles, roomNumbers: model.roomNumbers,
                parameters: model.featureKind.filterParameters)
        case .onlineTimeWarping:
            return OnlineTimeWarping(
                referenceTiles: timeline.expanded, partCount: model.featureKind.partCount)
        }
    }
}

extension FeatureKind {
    fileprivate var filterParameters: ForwardFilterParameters {
        switch self {
        case .refined: ForwardFilterParameters()
        case .bands: .forPlainBands
        case .chroma: .forSinglePartFrames
        }
    }
}
