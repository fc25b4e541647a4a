extension MIDISequence {
    /// The sequence as a Standard MIDI File of format 1, with its tempi, time signatures and track names.
    ///
    /// Messages of the same tick keep their order; the caller puts note-offs before note-ons.
    public func makeFile() -> [UInt8] {
        var file = Array("MThd".utf8) + MIDIFileWriter.encodeBigEndianNumber(6, count: 4)
        for number in [1, tracks.count, ticksPerQuarter] {
            file += MIDIFileWriter.encodeBigEndianNumber(number, count: 2)
        }
        for track in tracks {
            let body = Self.encode(track)
            file += Array("MTrk".utf8) + MIDIFileWriter.encodeBigEndianNumber(body.count, count: 4) + body
        }
        return file
    }

    private static func encode(_ track: MIDITrack) -> [UInt8] {
        var body: [UInt8] = []
        if let name = track.name {
            let text = Array(name.utf8.prefix(200))
            body += [0, 0xFF, 0x03] + MIDIFileWriter.encodeVariableLengthNumber(text.count) + text
        }
        var now = 0
        for event in track.events {
            guard let bytes = encode(event.message) else { continue }
            body += MIDIFileWriter.encodeVariableLengthNumber(max(0, event.tick - now)) + bytes
            now = max(now, event.tick)
        }
        return body + MIDIFileWriter.encodeVariableLengthNumber(max(0, track.endTick - now)) + [
            0xFF, 0x2F, 0,
        ]
    }

    private static func encode(_ message: MIDIMessage) -> [UInt8]? {
        switch message {
        case .tempoChange(let microseconds):
            return [0xFF, 0x51, 3] + MIDIFileWriter.encodeBigEndianNumber(microseconds, count: 3)
        case .timeSignature(let beats, let unit):
            let power = UInt8(min(max(unit, 1), 128).trailingZeroBitCount)
            return [0xFF, 0x58, 4, UInt8(min(max(beats, 1), 255)), power, 24, 8]
        default: return MIDIFileWriter.encodeMessage(message)
        }
    }
}
