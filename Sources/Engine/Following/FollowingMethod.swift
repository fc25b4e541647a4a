import Alignment

/// The alignment methods that can follow a performance (docs/accuracy.md compares them).
public enum FollowingMethod: String, CaseIterable, Codable, Sendable {
    /// Sums over all paths, with the tempo as a state; searches the whole reference and seven keys besides.
    case forwardFilter = "forward-filter"
    /// Dixon's online time warping: the cheapest path. Knows one reference, one key and one tuning, and no jumps.
    case onlineTimeWarping = "online-time-warping"

    /// A method of this kind for one performance of a model.
    /// - Parameter model: ready to follow.
    public func makeAlignment(on model: ReferenceModel) -> any AlignmentMethod {
        guard let tiles = model.tiles, let timeline = tiles.first else {
            preconditionFailure("the model “\(model.name.text)” is not ready to follow")
        }
        switch self {
        case .forwardFilter:
            return ForwardFilter(
                tiles: tiles, parameters: model.features == .bands ? FilterParameters() : .onePart)
        case .onlineTimeWarping:
            return OnlineTimeWarping(tiles: timeline, partCount: model.features.partCount)
        }
    }
}
