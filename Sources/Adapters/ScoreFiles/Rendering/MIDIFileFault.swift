import Basics

/// The reasons why a Standard MIDI File is invalid. Offsets count bytes from the start of the file.
public enum MIDIFileFault {
    public static func endsTooEarly(offset: Int) -> ExplainedError {
        ExplainedError("it ends in the middle of an event or chunk at byte \(offset)")
    }

    public static func tooManyEvents(limit: Int) -> ExplainedError {
        ExplainedError("it has more than \(limit) events")
    }
}
