/// Gives every part its own MIDI channel, so that the instruments and volumes of different parts do not mix.
///
/// Percussion stays on channel 9, counted from 0. If more than fifteen parts play, parts with the same instrument and
/// volume share a channel.
struct ChannelAssignment {
    static let percussion: UInt8 = 9
    static let pitched: [UInt8] = (0..<16).filter { $0 != percussion }

    /// The MIDI channel of each track, counted from 0; nil for tracks without notes.
    let channels: [UInt8?]

    /// - Throws: ``RenderingError/tooManyParts(count:)``.
    init(tracks: [MIDITrack], balanceDecibels: [String: Double]) throws(RenderingError) {
        let voices = tracks.map { track -> Voice? in
            guard track.hasNotes else { return nil }
            return Voice(
                program: track.firstProgram, decibels: track.name.flatMap { balanceDecibels[$0] } ?? 0,
                isPercussion: track.events.contains { $0.message.channel == Self.percussion })
        }
        let pitchedVoices = voices.compactMap { $0 }.filter { !$0.isPercussion }
        let shares = pitchedVoices.count > Self.pitched.count
        let different = Set(pitchedVoices).count
        guard !shares || different <= Self.pitched.count else { throw .tooManyParts(count: different) }

        var free = Self.pitched[...]
        var dealt: [Voice: UInt8] = [:]
        channels = voices.map { voice in
            guard let voice else { return nil }
            if voice.isPercussion { return Self.percussion }
            if shares, let channel = dealt[voice] { return channel }
            let channel = free.removeFirst()
            dealt[voice] = channel
            return channel
        }
    }

    private struct Voice: Hashable {
        var program: UInt8
        var decibels: Double
        var isPercussion: Bool
    }
}

extension MIDITrack {
    var firstProgram: UInt8 {
        for event in events {
            if case .program(_, let number) = event.message { return number }
        }
        return 0
    }
}
