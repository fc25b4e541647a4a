/// An action at a measure: a light, a slide, a message, or a note for the technician.
public struct Cue: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = String

    public static let earliness = 0...60_000

    /// Unique within its piece; `c1`, `c2` … if nobody has chosen an id.
    public var id: ID
    /// The place as it was written: `57`, `57/2`, `C`, `p:60`.
    public var place: MeasureReference
    /// The index of the played measure that the place means, counted from 0.
    public var played: Int
    public var name: String
    public var kind: CueKind
    /// True if it fires by itself when the music reaches its measure; otherwise only GO fires it.
    public var isAutomatic: Bool
    /// How many milliseconds before its measure it fires, 0…60,000. Always 0 for a slide.
    public var earlinessMilliseconds: Int
    public var notes: String
    /// The destination: the name of an OSC target or `host:port`, or an MQTT topic; empty for other kinds.
    public var target: String
    /// The content: an OSC address with arguments, an MQTT payload, a slide, or a message's fields separated by `|`.
    public var payload: String

    public init(
        id: ID = "", place: MeasureReference, played: Int, name: String, kind: CueKind,
        isAutomatic: Bool = true,
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

/// The kind of action of a cue.
public enum CueKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A text that the technician reads; nothing is sent.
    case note
    case slide
    /// A message to the audience.
    case message
    case osc
    case mqtt
}

/// The circumstances in which a cue fired.
public struct CueTiming: Hashable, Sendable, Codable {
    /// False if a person fired it with GO.
    public var isAutomatic: Bool
    /// Who pressed GO; empty for an automatic cue.
    public var by: String
    /// How long before its measure the cue fired, at the present tempo; 0 if the measure had begun or the time is
    /// unknown.
    public var aheadMilliseconds: Int

    public init(isAutomatic: Bool, by: String = "", aheadMilliseconds: Int = 0) {
        self.isAutomatic = isAutomatic
        self.by = by
        self.aheadMilliseconds = aheadMilliseconds
    }
}
