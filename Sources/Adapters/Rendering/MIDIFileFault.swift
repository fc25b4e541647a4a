/// The reasons why a Standard MIDI File is invalid. Offsets count bytes from the start of the file.
public enum MIDIFileFault: Error, Equatable, Sendable {
    case notAMIDIFile
    case endsTooEarly(offset: Int)
    case unsupportedFormat(Int)
    case smpteTimeDivision
    case zeroTicksPerQuarter
    case tooManyTracks(Int)
    case tooManyEvents(limit: Int)
    case dataByteExpected(offset: Int)
    case statusByteMissing(offset: Int)
    case variableLengthNumberTooLong(offset: Int)
    case zeroTempo(offset: Int)
    case invalidTimeSignature(offset: Int)
    case noNotes

    public var sentence: String {
        switch self {
        case .notAMIDIFile: "it has no MIDI header (MThd)"
        case .endsTooEarly(let offset): "it ends in the middle of an event or chunk at byte \(offset)"
        case .unsupportedFormat(let format): "it is of format \(format); formats 0 and 1 can be played"
        case .smpteTimeDivision:
            "it counts time in film frames (SMPTE); export it with ticks per quarter note instead"
        case .zeroTicksPerQuarter: "it gives zero ticks to a quarter note"
        case .tooManyTracks(let count):
            "it has \(count) tracks; at most \(MIDIFileReader.maximumTracks) are read"
        case .tooManyEvents(let limit): "it has more than \(limit) events"
        case .dataByteExpected(let offset): "a data byte is missing at byte \(offset)"
        case .statusByteMissing(let offset): "there is an event without a status at byte \(offset)"
        case .variableLengthNumberTooLong(let offset):
            "the number at byte \(offset) is longer than four bytes"
        case .zeroTempo(let offset): "the tempo at byte \(offset) is zero"
        case .invalidTimeSignature(let offset): "the time signature at byte \(offset) is invalid"
        case .noNotes: "it holds no notes"
        }
    }
}
