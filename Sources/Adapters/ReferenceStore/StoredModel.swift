import Following

/// A model together with details of the recordings that it was made from.
public struct StoredModel: Sendable {
    public let model: ReferenceModel
    /// The details of each of the model's reference recordings, in the same order. The model uses the first one's
    /// timeline.
    public let references: [StoredReference]

    public init(model: ReferenceModel, references: [StoredReference]) {
        precondition(
            model.references.count == references.count,
            "\(model.references.count) references are described, not \(references.count)")
        precondition(
            model.roomCopies.isEmpty
                || model.roomCopies.count == references.count
                    && model.roomCopies.allSatisfy { $0.count <= ModelFolder.mostRooms },
            "each reference has its copies in rooms, at most \(ModelFolder.mostRooms)")
        self.model = model
        self.references = references
    }
}
