/// A room and a microphone in it, described by what the microphone hears of a sound on the stage.
public struct RoomShape: Hashable, Sendable, Codable {
    /// The time in which the reverberation of low and middle frequencies decays by 60 dB.
    public var reverberationSeconds: Double
    /// The energy of the direct sound relative to the energy of the reverberation, in decibels.
    public var directToReverberantDecibels: Double

    public init(reverberationSeconds: Double, directToReverberantDecibels: Double) {
        self.reverberationSeconds = reverberationSeconds
        self.directToReverberantDecibels = directToReverberantDecibels
    }

    /// The rooms in which each reference recording is also compared with the live sound: from a chamber with the
    /// microphone near the stage to a church with the microphone far back (docs/accuracy.md, "In a hall").
    public static let ofReferences = [
        RoomShape(reverberationSeconds: 1.6, directToReverberantDecibels: 0),
        RoomShape(reverberationSeconds: 2.4, directToReverberantDecibels: -6),
        RoomShape(reverberationSeconds: 3, directToReverberantDecibels: -12),
    ]
}
