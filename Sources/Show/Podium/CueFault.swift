import Basics
import Concert

/// The first mistake in a cue or a list of cues.
public enum CueFault: Explained, Hashable, Sendable {
    case tooManyCues(Int)
    case sameIDTwice(Cue.ID)
    case noName(place: String)
    case textTooLong(cue: String, bytes: Int)
    case noSuchMeasure(cue: String, played: Int)
    case earlinessOutOfRange(cue: String, milliseconds: Int)
    case slideWithEarliness(cue: String)
    case noAddress(cue: String)
    case noTopic(cue: String)
    case wrongMessageFieldCount(cue: String, found: Int)
    case unknownMessageStyle(cue: String, style: String)
    case invalidMessage(cue: String, ExplainedError)

    public var sentence: String {
        switch self {
        case .tooManyCues(let count):
            "There are \(count) cues; a piece holds \(CueList.maximumCount) at most."
        case .sameIDTwice(let id): "Two cues have the id “\(id)”; give one of them another."
        case .noName(let place): "The cue at \(place) has no name; give it one."
        case .textTooLong(let cue, let bytes):
            "A text of the cue “\(cue)” has \(bytes) bytes; shorten it to \(CueList.maximumTextBytes) at most."
        case .noSuchMeasure(let cue, let played):
            "The cue “\(cue)” stands at played measure \(played), which the piece does not have; correct its place."
        case .earlinessOutOfRange(let cue, let milliseconds):
            "The cue “\(cue)” is to come \(milliseconds) ms early; "
                + "give 0 to \(Cue.allowedEarlinessMilliseconds.upperBound)."
        case .slideWithEarliness(let cue):
            "The cue “\(cue)” is a slide and slides are never early; give it an earliness of 0."
        case .noAddress(let cue):
            "The OSC cue “\(cue)” has no address; write it as the payload, such as “/cue/7/start”."
        case .noTopic(let cue): "The MQTT cue “\(cue)” has no topic; write it as the target."
        case .wrongMessageFieldCount(let cue, let found):
            "The payload of the message cue “\(cue)” has \(found) fields; write title|body|style|button."
        case .unknownMessageStyle(let cue, let style):
            "The message cue “\(cue)” has the style “\(style)”; write BUTTON or AUTO."
        case .invalidMessage(let cue, let fault): "The cue “\(cue)”: \(fault.sentence)"
        }
    }
}
