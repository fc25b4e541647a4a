/// Something that happens at a measure: a light, a slide, a message, a note for the technician.
public struct Cue: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = String

    public static let earliness = 0...60_000

    /// Unique within its piece; `c1`, `c2` … where nobody chose one.
    public var id: ID
    /// Where it stands, as it was written: `57`, `57/2`, `C`, `p:60`.
    public var place: Place
    /// The played measure that means, counted from 0.
    public var played: Int
    public var name: String
    public var kind: CueKind
    /// True where it fires by itself when the music reaches its measure; otherwise only GO fires it.
    public var isAutomatic: Bool
    /// How long before its measure it fires, 0…60,000 milliseconds; 0 for a slide, which is never early.
    public var earlinessMilliseconds: Int
    public var notes: String
    /// Where it goes: an OSC target's name or `host:port`, an MQTT topic; empty for the others.
    public var target: String
    /// What is sent: an OSC address with arguments, an MQTT payload, a slide, a message's fields between bars.
    public var payload: String

    public init(
        id: ID = "", place: Place, played: Int, name: String, kind: CueKind, isAutomatic: Bool = true,
        earlinessMilliseconds: Int = 0, notes: String = "", target: String = "", payload: String = ""
    ) {
        self.id = id
        self.place = place
        self.played = played
        self.name = name
        self.kind = kind
        self.isAutomatic = isAutomatic
        self.earlinessMilliseconds = earlinessMilliseconds
        self.notes = notes
        self.target = target
        self.payload = payload
    }
}

/// What a cue does.
public enum CueKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Something the technician reads; nothing is sent.
    case note
    case slide
    /// A message to the audience.
    case message
    case osc
    case mqtt
}

/// How a cue came to fire.
public struct CueTiming: Hashable, Sendable, Codable {
    /// False where a person's GO fired it.
    public var isAutomatic: Bool
    /// Who pressed GO; empty for an automatic cue.
    public var by: String
    /// How long before its measure, by the present tempo; 0 where the measure had begun or nobody knows.
    public var aheadMilliseconds: Int

    public init(isAutomatic: Bool, by: String = "", aheadMilliseconds: Int = 0) {
        self.isAutomatic = isAutomatic
        self.by = by
        self.aheadMilliseconds = aheadMilliseconds
    }
}
