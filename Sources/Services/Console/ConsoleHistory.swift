/// The confidence of the last two minutes, twice a second.
struct History: Encodable {
    var confidence: [HistoryPoint]
}

/// Written as `[milliseconds, confidence, state]`.
struct HistoryPoint: Encodable {
    var at: Int64
    /// Nil while nothing is heard.
    var confidence: Double?
    var state: String

    func encode(to encoder: any Encoder) throws {
        var row = encoder.unkeyedContainer()
        try row.encode(at)
        try row.encode(confidence)
        try row.encode(state)
    }
}
