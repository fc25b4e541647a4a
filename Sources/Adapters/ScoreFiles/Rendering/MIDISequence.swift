/// The musical content of a Standard MIDI File, with times in ticks.
///
/// Leaves out system-exclusive messages, and meta events that change neither sound nor time.
public struct MIDISequence: Equatable, Sendable {
    /// The number of ticks in a quarter note, 1...32767.
    public var ticksPerQuarter: Int
    public var tracks: [MIDITrack]
    /// Sentences about what the file says wrongly of itself.
    public var remarks: [String] = []

    public init(ticksPerQuarter: Int, tracks: [MIDITrack]) {
        self.ticksPerQuarter = ticksPerQuarter
        self.tracks = tracks
    }

    /// The end of the longest track, in ticks.
    public var endTick: Int { tracks.map(\.endTick).max() ?? 0 }
}

/// One track of a MIDI file; its events are in ascending order of time.
public struct MIDITrack: Equatable, Sendable {
    public var name: String?
    public var events: [MIDIEvent]
    /// Markers and cue points, in ascending order of time.
    public var markers: [MIDIMarker] = []
    /// The tick of the end-of-track mark, or of the last event if there is no mark.
    public var endTick: Int

    public init(name: String? = nil, events: [MIDIEvent], endTick: Int) {
        self.name = name
        self.events = events
        self.endTick = endTick
    }
}

/// A named place: a marker, such as a rehearsal letter, or a cue point of a film.
public struct MIDIMarker: Equatable, Sendable {
    /// The longest text that is kept, in bytes.
    static let longestBytes = 200

    /// The time of the marker, in ticks since the start of the sequence.
    public var tick: Int
    public var text: String

    public init(tick: Int, text: String) {
        (self.tick, self.text) = (tick, text)
    }

    /// Reads the text of a meta event. Files do not say their encoding: what is not UTF-8 is taken for Latin 1.
    init(tick: Int, bytes: ArraySlice<UInt8>) {
        let kept = bytes.prefix(Self.longestBytes)
        let text =
            String(validating: kept, as: UTF8.self) ?? String(kept.map { Character(Unicode.Scalar($0)) })
        self.init(tick: tick, text: text)
    }
}

public struct MIDIEvent: Equatable, Sendable {
    /// The time of the event, in ticks since the start of the sequence.
    public var tick: Int
    public var message: MIDIMessage

    public init(tick: Int, message: MIDIMessage) {
        self.tick = tick
        self.message = message
    }
}

/// A message that changes the sound or the tempo. Channels count from 0.
public enum MIDIMessage: Equatable, Sendable {
    case noteOn(channel: UInt8, key: UInt8, velocity: UInt8)
    case noteOff(channel: UInt8, key: UInt8)
    case controlChange(channel: UInt8, number: UInt8, value: UInt8)
    case programChange(channel: UInt8, number: UInt8)
    case pitchBend(channel: UInt8, low: UInt8, high: UInt8)
    case channelPressure(channel: UInt8, value: UInt8)
    case keyPressure(channel: UInt8, key: UInt8, value: UInt8)
    case tempoChange(microsecondsPerQuarter: Int)
    /// `beatUnit` is the lower number of the signature: 4 for quarters, 8 for eighths.
    case timeSignature(beats: Int, beatUnit: Int)

    /// The channel of a sounding message; nil for tempo and time signature.
    public var channel: UInt8? {
        switch self {
        case .noteOn(let channel, _, _), .noteOff(let channel, _), .controlChange(let channel, _, _),
            .programChange(let channel, _), .pitchBend(let channel, _, _), .channelPressure(let channel, _),
            .keyPressure(let channel, _, _):
            channel
        case .tempoChange, .timeSignature: nil
        }
    }

    /// Returns the same message on another channel.
    func movedToChannel(_ channel: UInt8) -> MIDIMessage {
        switch self {
        case .noteOn(_, let key, let velocity): .noteOn(channel: channel, key: key, velocity: velocity)
        case .noteOff(_, let key): .noteOff(channel: channel, key: key)
        case .controlChange(_, let number, let value):
            .controlChange(channel: channel, number: number, value: value)
        case .programChange(_, let number): .programChange(channel: channel, number: number)
        case .pitchBend(_, let low, let high): .pitchBend(channel: channel, low: low, high: high)
        case .channelPressure(_, let value): .channelPressure(channel: channel, value: value)
        case .keyPressure(_, let key, let value): .keyPressure(channel: channel, key: key, value: value)
        case .tempoChange, .timeSignature: self
        }
    }
}
