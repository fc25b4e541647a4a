import Following

/// A model together with details of the recordings from which it was made.
public struct StoredModel: Sendable {
    public let model: ReferenceModel
    /// The details of each of the model's reference recordings, in the same order. The model uses the first one's
    /// timeline.
    public let referenceDetails: [StoredReference]

    public init(model: ReferenceModel, referenceDetails: [StoredReference]) {
        precondition(
            model.framesByRecording.count == referenceDetails.count,
            "\(model.framesByRecording.count) referenceDetails are described, not \(referenceDetails.count)")
        precondition(
            model.roomCopies.isEmpty
                || model.roomCopies.count == referenceDetails.count
                    && model.roomCopies.allSatisfy { $0.count <= ModelFolder.mostRooms },
            "each reference has its copies in rooms, at most \(ModelFolder.mostRooms)")
        self.model = model
        self.referenceDetails = referenceDetails
    }
}
