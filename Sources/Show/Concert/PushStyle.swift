/// The way in which a phone closes a message: when its button is touched, or after a fixed time.
///
/// Phones accept any letter case, and senders use several. The spelling is kept, so that a received message can be sent
/// again unchanged.
public struct PushStyle: Hashable, Sendable {
    public let spelling: String
    /// True if the message closes after a fixed time and shows no button.
    public let closesByItself: Bool

    public static let button = PushStyle(spelling: "BUTTON", closesByItself: false)
    public static let auto = PushStyle(spelling: "AUTO", closesByItself: true)

    /// Reads a style.
    /// - Returns: nil for a word that is neither `BUTTON` nor `AUTO` in any letter case.
    public init?(spelling: String) {
        // Only ASCII is converted: Unicode's case rules would admit letters that phones compare differently.
        let capitals = spelling.utf8.map {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0
        }
        switch capitals {
        case Array("BUTTON".utf8): self.init(spelling: spelling, closesByItself: false)
        case Array("AUTO".utf8): self.init(spelling: spelling, closesByItself: true)
        default: return nil
        }
    }

    private init(spelling: String, closesByItself: Bool) {
        self.spelling = spelling
        self.closesByItself = closesByItself
    }
}
