import Alignment

/// The alignment methods that can follow a performance. docs/accuracy.md compares them.
public enum FollowingMethod: String, CaseIterable, Codable, Sendable {
    /// The forward filter: sums over all paths, with the tempo as a state, and also searches the whole reference in
    /// seven keys.
    case forwardFilter = "forward-filter"
    /// Dixon's online time warping: finds the cheapest path. It uses one reference, one key and one tuning, and cannot
    /// follow jumps.
    case onlineTimeWarping = "online-time-warping"

    /// Creates a method of this kind for one performance of a model.
    /// - Parameter model: a model that is ready to follow.
    public func makeAlignment(on model: ReferenceModel) -> any AlignmentMethod {
        guard let tiles = model.tiles, let timeline = tiles.first else {
            preconditionFailure("the model “\(model.name.text)” is not ready to follow")
        }
        switch self {
        case .forwardFilter:
            return ForwardFilter(
                tiles: tiles, recordingCount: model.recordingCount,
                parameters: model.features == .bands ? ForwardFilterParameters() : .forSinglePartFrames)
        case .onlineTimeWarping:
            return OnlineTimeWarping(tiles: timeline.expanded, partCount: model.features.partCount)
        }
    }
}
