import Basics

/// A MIDI message with its time in the audio.
public struct TimedMIDIMessage: Equatable, Sendable {
    public var seconds: Double
    public var message: MIDIMessage

    public init(seconds: Double, message: MIDIMessage) {
        self.seconds = seconds
        self.message = message
    }
}

/// Writes performed messages as a Standard MIDI File of format 0 whose ticks are tenths of a millisecond.
///
/// The tempo is constant: all changes of tempo are already contained in the messages' times.
public enum MIDIFileWriter {
    /// 5,000 ticks a quarter at 120 quarters a minute: 10,000 ticks a second.
    static let ticksPerQuarter = 5_000
    static let ticksPerSecond = 10_000.0

    /// - Parameters:
    ///   - messages: in any order; times from 0 to ``ScoreTickConverter/longestPerformanceSeconds``. Messages of the
    ///     same tick keep their order, with note-offs first.
    ///   - end: the time of the end-of-track mark; not before the last message.
    /// - Complexity: O(n log n).
    public static func makeFile(_ messages: [TimedMIDIMessage], end: Seconds) -> [UInt8] {
        let ordered = messages.enumerated()
            .map {
                (
                    tick: midiTicks(atSeconds: $0.element.seconds), rank: orderWithinTick($0.element.message),
                    index: $0.offset
                )
            }
            .sorted { ($0.tick, $0.rank, $0.index) < ($1.tick, $1.rank, $1.index) }
        var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20]
        var now = 0
        for entry in ordered {
            guard let bytes = encodeMessage(messages[entry.index].message) else { continue }
            track += encodeVariableLengthNumber(entry.tick - now) + bytes
            now = entry.tick
        }
        track += encodeVariableLengthNumber(max(midiTicks(atSeconds: end.value) - now, 0)) + [0xFF, 0x2F, 0]
        return Array("MThd".utf8) + encodeBigEndianNumber(6, count: 4) + encodeBigEndianNumber(0, count: 2)
            + encodeBigEndianNumber(1, count: 2)
            + encodeBigEndianNumber(ticksPerQuarter, count: 2)
            + Array("MTrk".utf8) + encodeBigEndianNumber(track.count, count: 4) + track
    }

    private static func midiTicks(atSeconds seconds: Double) -> Int {
        Int(
            (min(max(seconds, 0), 2 * ScoreTickConverter.longestPerformanceSeconds) * ticksPerSecond)
                .rounded())
    }

    /// The order of messages within a tick: bars and tempi, note-offs, channel settings, then note-ons, so that a
    /// repeated key is released before it is struck again.
    static func orderWithinTick(_ message: MIDIMessage) -> Int {
        switch message {
        case .timeSignature, .tempoChange: -1
        case .noteOff: 0
        case .noteOn: 2
        default: 1
        }
    }

    /// Encodes a message; nil for tempo and time signature, because the messages' times already include them.
    static func encodeMessage(_ message: MIDIMessage) -> [UInt8]? {
        switch message {
        case .noteOff(let channel, let key): [0x80 | channel, key, 64]
        case .noteOn(let channel, let key, let velocity): [0x90 | channel, key, velocity]
        case .keyPressure(let channel, let key, let value): [0xA0 | channel, key, value]
        case .controlChange(let channel, let number, let value): [0xB0 | channel, number, value]
        case .programChange(let channel, let number): [0xC0 | channel, number]
        case .channelPressure(let channel, let value): [0xD0 | channel, value]
        case .pitchBend(let channel, let low, let high): [0xE0 | channel, low, high]
        case .tempoChange, .timeSignature: nil
        }
    }

    static func encodeVariableLengthNumber(_ value: Int) -> [UInt8] {
        var rest = min(max(value, 0), 0x0FFF_FFFF)
        var bytes = [UInt8(rest & 0x7F)]
        rest >>= 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    static func encodeBigEndianNumber(_ value: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
