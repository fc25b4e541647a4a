/// The follower's confidence over the last two minutes, with two points a second. The console gets it as the section
/// `history`.
struct ConfidenceHistory: Encodable {
    var confidence: [ConfidencePoint]
}

/// One point of the confidence curve, encoded as `[milliseconds, confidence, state]`.
struct ConfidencePoint: Encodable {
    var showMilliseconds: Int64
    /// The confidence, from 0 to 1; nil while no music is heard.
    var confidence: Double?
    var state: String

    func encode(to encoder: any Encoder) throws {
        var row = encoder.unkeyedContainer()
        try row.encode(showMilliseconds)
        try row.encode(confidence)
        try row.encode(state)
    }
}
