import Basics

/// Reads Standard MIDI Files of formats 0 and 1, with running status. The numbers of tracks and events are limited.
///
/// As players do, it finds the header inside of another container (RIFF), reads each track to its end mark if its
/// length is wrong, and takes the tracks that are there if their number is wrong.
///
/// Source: MIDI Manufacturers Association, "Standard MIDI Files 1.0", RP-001 (1996).
public struct MIDIFileReader {
    public static let maximumTracks = 1_024
    public static let maximumEvents = 2_000_000
    /// The most bytes before the header: of RIFF and MacBinary there are 20 and 128.
    private static let longestContainerHeader = 1_024

    private let bytes: [UInt8]
    private var offset = 0
    private var eventCount = 0

    /// Parses a whole file.
    /// - Complexity: O(bytes); memory at most about 32 bytes for each byte of the file.
    public static func read(_ bytes: [UInt8]) throws(ExplainedError) -> MIDISequence {
        var reader = MIDIFileReader(bytes: bytes)
        return try reader.parseSequence()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func parseSequence() throws(ExplainedError) -> MIDISequence {
        guard let header = position(of: "MThd", in: 0..<min(bytes.count, Self.longestContainerHeader)) else {
            throw ExplainedError("it has no MIDI header (MThd)")
        }
        offset = header + 4
        let headerLength = try readBigEndianNumber(4)
        guard headerLength >= 6, headerLength <= bytes.count - offset else {
            throw MIDIFileFault.endsTooEarly(offset: offset)
        }
        let afterHeader = offset + headerLength
        let format = try readBigEndianNumber(2)
        let declaredTracks = try readBigEndianNumber(2)
        let division = try readBigEndianNumber(2)
        guard format <= 1 else {
            throw ExplainedError("it is of format \(format); formats 0 and 1 can be played")
        }
        guard division & 0x8000 == 0 else {
            throw ExplainedError(
                "it counts time in film frames (SMPTE); export it with ticks per quarter note instead")
        }
        guard division > 0 else { throw ExplainedError("it gives zero ticks to a quarter note") }
        guard declaredTracks <= Self.maximumTracks else {
            throw ExplainedError(
                "it has \(declaredTracks) tracks; at most \(MIDIFileReader.maximumTracks) are read")
        }

        offset = afterHeader
        var tracks: [MIDITrack] = []
        while offset < bytes.count, tracks.count < Self.maximumTracks {
            guard let start = position(of: "MTrk", in: offset..<bytes.count) else { break }
            offset = start + 4
            let length = try readBigEndianNumber(4)
            let declaredEnd = offset + length
            tracks.append(try parseTrack(endingAt: declaredEnd))
            // What stands between the mark of the end and the declared end is skipped.
            if offset < declaredEnd, declaredEnd <= bytes.count,
                position(of: "MTrk", in: offset..<min(declaredEnd + 3, bytes.count)) == nil
            {
                offset = declaredEnd
            }
        }
        guard !tracks.isEmpty || declaredTracks == 0 else { throw MIDIFileFault.endsTooEarly(offset: offset) }
        var sequence = MIDISequence(ticksPerQuarter: division, tracks: tracks)
        if tracks.count != declaredTracks {
            sequence.remarks.append(
                "The MIDI file says that it has \(declaredTracks) tracks; all \(tracks.count) that it has are read."
            )
        }
        return sequence
    }

    /// The offset of four letters in a range; nil if they are not there.
    private func position(of letters: StaticString, in range: Range<Int>) -> Int? {
        letters.withUTF8Buffer { letters in
            guard range.count >= letters.count else { return nil }
            return (range.lowerBound...(range.upperBound - letters.count)).first { at in
                letters.indices.allSatisfy { bytes[at + $0] == letters[$0] }
            }
        }
    }

    /// Reads the events of a track up to its mark of the end. Without a mark it ends where its length says, or where the
    /// next track begins.
    private mutating func parseTrack(endingAt declaredEnd: Int) throws(ExplainedError) -> MIDITrack {
        var track = MIDITrack(events: [], endTick: 0)
        var running: UInt8?
        let end = bytes.count
        while offset < end {
            if isChunk(at: offset, declaredEnd: declaredEnd) { return track }
            track.endTick += try readVariableLengthNumber(until: end)
            let start = offset
            let first = try readByte(until: end)
            switch first {
            case 0xFF:
                if try parseMetaEvent(into: &track, until: end) { return track }
            case 0xF0, 0xF7:
                try skipBytes(try readVariableLengthNumber(until: end), until: end)
            // Messages that belong on a cable and not in a file, with one or two bytes, or none.
            case 0xF1, 0xF3: try skipBytes(1, until: end)
            case 0xF2: try skipBytes(2, until: end)
            case 0xF4...0xFE: break
            default:
                let status: UInt8
                if first >= 0x80 {
                    status = first
                    running = first
                } else {
                    guard let running else {
                        throw ExplainedError("there is an event without a status at byte \(start)")
                    }
                    status = running
                    offset = start
                }
                try appendEvent(try parseChannelMessage(status, until: end), to: &track)
            }
        }
        guard declaredEnd == end else { throw MIDIFileFault.endsTooEarly(offset: offset) }
        return track
    }

    /// True if a track begins here or, at the declared end of one, any other chunk: its name has four letters.
    private func isChunk(at offset: Int, declaredEnd: Int) -> Bool {
        let name = bytes[offset...].prefix(4)
        if name.elementsEqual("MTrk".utf8) { return true }
        return offset == declaredEnd && name.count == 4 && name.allSatisfy { (0x20...0x7A).contains($0) }
    }

    /// Reads one meta event. Returns true at the end-of-track mark.
    private mutating func parseMetaEvent(into track: inout MIDITrack, until end: Int) throws(ExplainedError)
        -> Bool
    {
        let kind = try readByte(until: end)
        let length = try readVariableLengthNumber(until: end)
        let start = offset
        try skipBytes(length, until: end)
        let body = bytes[start..<offset]
        switch kind {
        case 0x03 where track.name == nil:
            let name = String(decoding: body.prefix(200), as: UTF8.self)
            track.name = name.isEmpty ? nil : name
        case 0x06, 0x07:
            eventCount += 1
            guard eventCount <= Self.maximumEvents else {
                throw MIDIFileFault.tooManyEvents(limit: Self.maximumEvents)
            }
            track.markers.append(MIDIMarker(tick: track.endTick, bytes: body))
        case 0x2F: return true
        case 0x51:
            guard body.count == 3 else { throw ExplainedError("the tempo at byte \(start) is zero") }
            let tempo = body.reduce(0) { $0 << 8 | Int($1) }
            guard tempo > 0 else { throw ExplainedError("the tempo at byte \(start) is zero") }
            try appendEvent(.tempoChange(microsecondsPerQuarter: tempo), to: &track)
        case 0x58:
            guard body.count >= 2, body[start] > 0, body[start + 1] <= 7 else {
                throw ExplainedError("the time signature at byte \(start) is invalid")
            }
            try appendEvent(
                .timeSignature(beats: Int(body[start]), beatUnit: 1 << Int(body[start + 1])), to: &track)
        default: break
        }
        return false
    }

    private mutating func parseChannelMessage(
        _ status: UInt8, until end: Int
    ) throws(ExplainedError) -> MIDIMessage {
        let channel = status & 0x0F
        let first = try readDataByte(until: end)
        switch status >> 4 {
        case 0x8:
            _ = try readDataByte(until: end)
            return .noteOff(channel: channel, key: first)
        case 0x9:
            let velocity = try readDataByte(until: end)
            return velocity == 0
                ? .noteOff(channel: channel, key: first)
                : .noteOn(channel: channel, key: first, velocity: velocity)
        case 0xA: return .keyPressure(channel: channel, key: first, value: try readDataByte(until: end))
        case 0xB: return .controlChange(channel: channel, number: first, value: try readDataByte(until: end))
        case 0xC: return .programChange(channel: channel, number: first)
        case 0xD: return .channelPressure(channel: channel, value: first)
        default: return .pitchBend(channel: channel, low: first, high: try readDataByte(until: end))
        }
    }

    private mutating func appendEvent(
        _ message: MIDIMessage, to track: inout MIDITrack
    ) throws(ExplainedError) {
        eventCount += 1
        guard eventCount <= Self.maximumEvents else {
            throw MIDIFileFault.tooManyEvents(limit: Self.maximumEvents)
        }
        track.events.append(MIDIEvent(tick: track.endTick, message: message))
    }

    // MARK: Bytes

    private mutating func readByte(until end: Int) throws(ExplainedError) -> UInt8 {
        guard offset < end else { throw MIDIFileFault.endsTooEarly(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func readDataByte(until end: Int) throws(ExplainedError) -> UInt8 {
        let value = try readByte(until: end)
        guard value < 0x80 else { throw ExplainedError("a data byte is missing at byte \(offset - 1)") }
        return value
    }

    private mutating func skipBytes(_ count: Int, until end: Int) throws(ExplainedError) {
        guard count <= end - offset else { throw MIDIFileFault.endsTooEarly(offset: offset) }
        offset += count
    }

    private mutating func readBigEndianNumber(_ count: Int) throws(ExplainedError) -> Int {
        var value = 0
        for _ in 0..<count { value = value << 8 | Int(try readByte(until: bytes.count)) }
        return value
    }

    /// Reads a variable-length number of at most four bytes, so at most 2^28 - 1. The sum of two million such numbers
    /// still fits an Int.
    private mutating func readVariableLengthNumber(until end: Int) throws(ExplainedError) -> Int {
        let start = offset
        var value = 0
        for _ in 0..<4 {
            let next = try readByte(until: end)
            value = value << 7 | Int(next & 0x7F)
            if next < 0x80 { return value }
        }
        throw ExplainedError("the number at byte \(start) is longer than four bytes")
    }
}
