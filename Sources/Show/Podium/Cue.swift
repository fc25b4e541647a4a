/// An action at a measure: a light, a slide, a message, or a note for the technician.
public struct Cue: Hashable, Sendable, Codable, Identifiable {
    public typealias ID = String

    public static let allowedEarlinessMilliseconds = 0...60_000

    /// The cue's id, unique within its piece; `c1`, `c2` … if nobody has chosen an id.
    public var id: ID
    /// The cue's place as a person wrote it: `57`, `57/2`, `C` or `p:60`.
    public var place: MeasureReference
    /// The measure at which the cue fires, as an index into the played measures, from 0; a repeated measure counts
    /// again.
    public var played: Int
    public var name: String
    public var kind: CueKind
    /// True if the cue fires by itself when the music reaches its measure; otherwise only the GO button fires it.
    public var isAutomatic: Bool
    /// Milliseconds by which the cue fires before its measure, 0…60,000; always 0 for a slide.
    public var earlinessMilliseconds: Int
    /// True or nil, so that cues without it are stored as before.
    private var forPerson: Bool?
    public var notes: String
    /// The cue's destination: the name of an OSC target or `host:port`, an MQTT topic, or the name of a MIDI port; empty
    /// for other kinds.
    public var target: String
    /// The cue's content: an OSC address with arguments, an MQTT payload, a MIDI message in words, a slide, or a
    /// message's fields separated by `|`.
    public var payload: String

    public init(
        id: ID = "", place: MeasureReference, played: Int, name: String, kind: CueKind,
        isAutomatic: Bool = true,
        earlinessMilliseconds: Int = 0, waitsForPerson: Bool = false, notes: String = "",
        target: String = "", payload: String = ""
    ) {
        forPerson = waitsForPerson ? true : nil
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

    /// True if the cue fires by itself only in a piece that a person has begun; false if it is enough that the piece is
    /// under way, that is, proven by what is heard.
    public var waitsForPerson: Bool { forPerson ?? false }
}

/// What an automatic cue of the first bars waits for, as sheets and pages spell it.
public enum CueBeginning: String, Hashable, Sendable, CaseIterable {
    /// The piece is under way.
    case certain
    /// A person has begun the piece.
    case person

    public init(_ cue: Cue) { self = cue.waitsForPerson ? .person : .certain }
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
    case midi
}

/// The circumstances in which a cue fired.
public struct CueFiringDetails: Hashable, Sendable, Codable {
    /// True if the cue fired by itself; false if a person fired it with GO.
    public var isAutomatic: Bool
    /// The name of the person who pressed GO; empty for an automatic cue.
    public var by: String
    /// Milliseconds by which the cue fired before its measure, as predicted then; 0 if the measure had begun
    /// or the time is unknown.
    public var aheadMilliseconds: Int

    public init(isAutomatic: Bool, by: String = "", aheadMilliseconds: Int = 0) {
        self.isAutomatic = isAutomatic
        self.by = by
        self.aheadMilliseconds = aheadMilliseconds
    }
}
