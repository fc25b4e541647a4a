/// A browser's processing of the microphone: true means on; a missing setting is unknown.
struct ProcessingSettings: Decodable {
    var echoCancellation: Bool?
    var noiseSuppression: Bool?
    var autoGainControl: Bool?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        // A browser may name a kind of echo cancellation instead.
        func flag(_ key: CodingKeys) -> Bool? {
            (try? fields.decode(Bool.self, forKey: key))
                ?? (try? fields.decode(String.self, forKey: key)).map { $0 != "none" }
        }
        echoCancellation = flag(.echoCancellation)
        noiseSuppression = flag(.noiseSuppression)
        autoGainControl = flag(.autoGainControl)
    }

    private enum CodingKeys: CodingKey { case echoCancellation, noiseSuppression, autoGainControl }

    /// Each setting as on, off or unknown.
    var words: [String: String] {
        func word(_ flag: Bool?) -> String { flag.map { $0 ? "on" : "off" } ?? "unknown" }
        return [
            "echoCancellation": word(echoCancellation), "noiseSuppression": word(noiseSuppression),
            "autoGainControl": word(autoGainControl),
        ]
    }
}
