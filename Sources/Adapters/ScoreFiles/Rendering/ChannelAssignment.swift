import Basics

/// Gives every part its own MIDI channel, so that the instruments and volumes of different parts do not mix.
///
/// Percussion stays on channel 9, counted from 0. If more than fifteen parts play, parts with the same instrument and
/// volume share a channel.
struct ChannelAssignment {
    static let percussionChannel: UInt8 = 9
    static let pitchedChannels: [UInt8] = (0..<16).filter { $0 != percussionChannel }

    /// The MIDI channel of each track, counted from 0; nil for tracks without notes.
    let channelsByTrack: [UInt8?]

    /// - Throws: ``ExplainedError``.
    init(tracks: [MIDITrack], balanceDecibels: [String: Double]) throws(ExplainedError) {
        let voices = tracks.map { track -> PartSound? in
            guard track.hasNotes else { return nil }
            return PartSound(
                program: track.firstProgram, decibels: track.name.flatMap { balanceDecibels[$0] } ?? 0,
                isPercussion: track.events.contains { $0.message.channel == Self.percussionChannel })
        }
        let pitchedVoices = voices.compactMap { $0 }.filter { !$0.isPercussion }
        let shares = pitchedVoices.count > Self.pitchedChannels.count
        let different = Set(pitchedVoices).count
        guard !shares || different <= Self.pitchedChannels.count else {
            throw ExplainedError(
                "The score needs \(different) different sounds at once; MIDI has room for 15 and "
                    + "percussion.")
        }

        var free = Self.pitchedChannels[...]
        var dealt: [PartSound: UInt8] = [:]
        channelsByTrack = voices.map { voice in
            guard let voice else { return nil }
            if voice.isPercussion { return Self.percussionChannel }
            if shares, let channel = dealt[voice] { return channel }
            let channel = free.removeFirst()
            dealt[voice] = channel
            return channel
        }
    }

    private struct PartSound: Hashable {
        var program: UInt8
        var decibels: Double
        var isPercussion: Bool
    }
}

extension MIDITrack {
    var firstProgram: UInt8 {
        for event in events {
            if case .programChange(_, let number) = event.message { return number }
        }
        return 0
    }
}
