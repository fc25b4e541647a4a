import Basics
import Concert
import Platform
import Score

/// The reasons why a content file could not be read or written. Lines count from 1.
public enum ContentFileError: Explained, Equatable, Sendable {
    case cannotOpen(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case notRegularFile(path: String)
    case tooLarge(path: String, limitBytes: Int)
    case invalidXML(path: String, line: Int, fault: XMLFault)
    case invalidJSON(path: String, reason: String)
    /// The data.xml in the folder of one piece contains no piece or several pieces.
    case notOnePiece(path: String, count: Int)
    case invalidImageName(path: String, fault: ExplainedError)
    case tooManyImages(path: String, limit: Int)

    /// The reasons why an XML file is invalid.
    public enum XMLFault: Equatable, Sendable {
        /// The XML itself is not accepted.
        case unreadable(Platform.XMLFault.Reason)
        /// The element `in` may hold text only, but contains another element.
        case elementInsideText(element: String, in: String)
        case unknownElement(element: String, in: String)
        case duplicateElement(element: String, in: String)
        /// There is text between elements, where no text is allowed.
        case strayText(String, in: String)
        case missingElement(element: String, in: String)
        case notATime(String)
        case notAMeasureNumber(String)
        case invalidPieceName(ExplainedError)
        case invalidImageName(ExplainedError)
        case duplicateTrackName(String)
    }
}

extension ContentFileError {
    /// The error message for people: what is wrong, where, and what to do about it.
    public var sentence: String {
        switch self {
        case .cannotOpen(let path, let reason): "\(path) cannot be read: \(reason)."
        case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)."
        case .notRegularFile(let path):
            "\(path) is not a regular file; give the file itself, not a link, folder or device."
        case .tooLarge(let path, let limitBytes):
            "\(path) is larger than \(limitBytes >> 20) MB, the most a file of its kind may be; make it smaller."
        case .invalidXML(let path, let line, let fault): "\(path), line \(line): \(fault.sentence)"
        case .invalidJSON(let path, let reason):
            "\(path) is not the JSON expected: \(quotableExcerpt(reason)); correct it."
        case .notOnePiece(let path, let count):
            "\(path) holds \(count) pieces, but a folder may hold one; give each piece its own folder."
        case .invalidImageName(let path, let fault): "\(path) names an invalid image: \(fault.sentence)"
        case .tooManyImages(let path, let limit): "\(path) names more than \(limit) images; divide the piece."
        }
    }
}

extension ContentFileError.XMLFault {
    var sentence: String {
        switch self {
        case .unreadable(let reason): reason.sentence
        case .elementInsideText(let element, let parent):
            "<\(quotableExcerpt(element))> is inside <\(parent)>, which may hold text only; write the text without "
                + "markup, or &lt; for the sign itself."
        case .unknownElement(let element, let parent):
            "<\(quotableExcerpt(element))> in <\(parent)> is not allowed here; remove it, or give a file as the "
                + "content server serves it."
        case .duplicateElement(let element, let parent):
            "the <\(parent)> has a second <\(element)>; join the two."
        case .strayText(let text, let parent):
            "“\(quotableExcerpt(text))” is in <\(parent)> outside its elements; put it into one or remove it."
        case .missingElement(let element, let parent): "the <\(parent)> has no <\(element)>; add one."
        case .notATime(let text):
            "“\(quotableExcerpt(text))” is not a time; write seconds since the recording's first sample, as in 12.345."
        case .notAMeasureNumber(let text):
            "“\(quotableExcerpt(text))” is not a measure number; write a whole number from 0 to "
                + "\(MeasureTimesLimits.printedNumber)."
        case .invalidPieceName(let fault): "the name is not allowed. \(fault.sentence)"
        case .invalidImageName(let fault): "the image is not allowed. \(fault.sentence)"
        case .duplicateTrackName(let name):
            "the piece has two tracks named “\(quotableExcerpt(name))”; join them."
        }
    }
}

extension ContentFileError {
    /// Translates an error of the file checks, which the readers of content share with the readers of measure times.
    init(_ error: MeasureTimesError) {
        switch error {
        case .cannotOpen(let path, let reason): self = .cannotOpen(path: path, reason: reason)
        case .notRegularFile(let path): self = .notRegularFile(path: path)
        case .tooLarge(let path, let limitBytes): self = .tooLarge(path: path, limitBytes: limitBytes)
        case .invalidXML(let path, let line, let fault):
            self = .invalidXML(path: path, line: line, fault: fault)
        default: self = .cannotOpen(path: "the file", reason: error.sentence)
        }
    }
}
