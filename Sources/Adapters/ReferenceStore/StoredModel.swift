import Following

/// A model, with details of the recordings it was made from.
public struct StoredModel: Sendable {
    public let model: ReferenceModel
    /// The details of each of the model's references, in the same order; the first one's timeline is the model's.
    public let references: [StoredReference]

    public init(model: ReferenceModel, references: [StoredReference]) {
        precondition(
            model.references.count == references.count,
            "\(model.references.count) references are described, not \(references.count)")
        self.model = model
        self.references = references
    }
}
