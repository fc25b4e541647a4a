/// MIDI time code: the bytes of its messages.
public enum MIDITimeCode {
    /// One of the eight quarter frames that together give the label of the frame in which the first is sent.
    /// - Parameter part: 0…7.
    public static func quarterFrame(_ part: Int, of label: TimeCodeLabel, rate: TimeCodeRate) -> [UInt8] {
        let fields = [label.frames, label.seconds, label.minutes, rate.midiBits << 5 | label.hours]
        let value = fields[part / 2] >> (part % 2 == 0 ? 0 : 4) & 15
        return [0xF1, UInt8(part << 4 | value)]
    }

    /// The message that gives a whole label at once: when the code starts or jumps.
    public static func fullFrame(_ label: TimeCodeLabel, rate: TimeCodeRate) -> [UInt8] {
        [
            0xF0, 0x7F, 0x7F, 0x01, 0x01, UInt8(rate.midiBits << 5 | label.hours), UInt8(label.minutes),
            UInt8(label.seconds), UInt8(label.frames), 0xF7,
        ]
    }
}

/// MIDI clock and song position: the bytes of its messages.
public enum MIDIClock {
    public static let pulsesInBeat = 24
    /// The unit of a song position, a sixteenth of which four are a beat.
    public static let pulsesInPosition = 6
    public static let pulse: [UInt8] = [0xF8]
    public static let stop: [UInt8] = [0xFC]

    /// What is sent before the clock runs on at a place: the place and *continue*, or *start* at the beginning.
    /// - Parameter pulse: of the beginning, counted from the first bar line; a multiple of ``pulsesInPosition``.
    public static func begin(atPulse pulse: Int) -> [UInt8] {
        guard pulse > 0 else { return [0xFA] }
        let position = min(pulse / pulsesInPosition, 16_383)
        return [0xF2, UInt8(position & 127), UInt8(position >> 7), 0xFB]
    }
}

/// Art-Net's packet of time code (ArtTimeCode).
public enum ArtTimeCode {
    public static let port = 6454

    public static func packet(_ label: TimeCodeLabel, rate: TimeCodeRate) -> [UInt8] {
        Array("Art-Net\0".utf8) + [
            0x00, 0x97, 0, 14, 0, 0, UInt8(label.frames), UInt8(label.seconds), UInt8(label.minutes),
            UInt8(label.hours), UInt8(rate.midiBits),
        ]
    }
}

extension TimeCodeRate {
    /// The number of the rate in MIDI and Art-Net, which know four: 29.97 without dropped labels counts as 30.
    fileprivate var midiBits: Int {
        switch self {
        case .film24: 0
        case .video25: 1
        case .dropFrame: 2
        case .nonDropFrame, .full30: 3
        }
    }
}
