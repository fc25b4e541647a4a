import Explanations
import Foundation

/// The reasons why a score could not be rendered.
public enum RenderingError: Explained, Equatable, Sendable {
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case scoreTooLarge(path: String, bytes: Int, limit: Int)
    case unknownScoreFormat(path: String)
    case unknownSoundFormat(path: String)
    case notMusicXML(path: String)
    case forbiddenEntityDeclaration(path: String)
    case invalidMIDIFile(path: String, fault: ExplainedError)
    case invalidTempoCurve(path: String, fault: ExplainedError)
    /// A point of the tempo curve lies outside the score's measures, which go from `first` to `last`.
    case tempoCurveBeyondScore(measure: Double, first: Int, last: Int)
    case unknownPart(name: String, known: [String])
    case tooManyParts(count: Int)
    case performanceTooLong(seconds: Double)
    case fluidSynthMissing
    case soundfontMissing(path: String?)
    case verovioMissing(environment: String)
    case timemapToolMissing
    case toolFailed(tool: String, score: String, reason: String)
    /// The program did not end; it may have waited for other work of the machine.
    case toolTimedOut(tool: String, score: String, seconds: Double)
    case processorTimeUsedUp(tool: String, score: String, seconds: Int)
    /// The rendered sound could not be converted to its final format; `sentence` is the converter's error message.
    case soundConversionFailed(sentence: String)
    case timemapUnusable(score: String, reason: String)

    /// The error message for people: what is wrong, where, and what to do about it.
    public var sentence: String {
        switch self {
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .cannotWrite(let path, let reason):
            "\(path) cannot be written: \(reason); choose another place with --out."
        case .scoreTooLarge(let path, let bytes, let limit):
            "\(path) has \(bytes) bytes; scores of up to \(limit) bytes are read."
        case .unknownScoreFormat(let path):
            "\(path) is not a score whose notes can be read. Export it from the notation program as MusicXML "
                + "(.musicxml, .xml, .mxl) or MIDI (.mid, .midi); the notes of a PDF or a picture are not read."
        case .unknownSoundFormat(let path):
            "\(path) names no sound format; end it in .wav, .flac or .ogg, in .mid for the "
                + "notes alone, or in / for a folder."
        case .notMusicXML(let path):
            "\(path) is not MusicXML; export it again from the notation program as MusicXML."
        case .forbiddenEntityDeclaration(let path):
            "\(path) declares XML entities, which no score needs and which can do harm; "
                + "export it again from the notation program."
        case .invalidMIDIFile(let path, let fault): "\(path) cannot be played: \(fault.sentence)."
        case .invalidTempoCurve(let path, let fault):
            "The tempo curve \(path) cannot be used: \(fault.sentence)."
        case .tempoCurveBeyondScore(let measure, let first, let last):
            "The tempo curve has a point at measure \(measure.formatted(.number.grouping(.never))); the score has the "
                + "measures \(first) to \(last). Correct the point or take it out."
        case .unknownPart(let name, let known):
            "The score has no part called “\(name)”; it has "
                + (known.isEmpty ? "no named parts." : known.joined(separator: ", ") + ".")
        case .tooManyParts(let count):
            "The score needs \(count) different sounds at once; MIDI has room for 15 and percussion."
        case .performanceTooLong(let seconds):
            "The performance would last \(Int(seconds / 3_600)) hours or more; up to 6 are rendered. "
                + "Check the tempo."
        case .fluidSynthMissing: "The program fluidsynth is missing; run: apt-get install fluidsynth."
        case .soundfontMissing(nil):
            "No soundfont was found; run: apt-get install fluid-soundfont-gm (or timgm6mb-soundfont)."
        case .soundfontMissing(let path?): "The soundfont \(path) does not exist; give another --soundfont."
        case .verovioMissing(let environment):
            "Reading MusicXML needs a Python environment with Verovio at \(environment); "
                + "run Tools/verovio-venv (installed: sudo baton-verovio), or set BATON_VENV to where one is."
        case .timemapToolMissing:
            "Tools/timemap.py was not found beside the program or above the working directory; "
                + "run baton from inside its repository."
        case .toolFailed(let tool, let score, let reason): "\(tool) could not render \(score): \(reason)."
        case .toolTimedOut(let tool, let score, let seconds):
            "\(tool) was stopped after \(Int(seconds)) seconds on \(score); try again when the machine is less busy."
        case .processorTimeUsedUp(let tool, let score, let seconds):
            "\(tool) was stopped on \(score): it may work for \(seconds) seconds. The score may be broken or too large: "
                + "export it again, or divide it into movements."
        case .soundConversionFailed(let sentence): sentence
        case .timemapUnusable(let score, let reason): "The measures of \(score) cannot be used: \(reason)."
        }
    }
}
