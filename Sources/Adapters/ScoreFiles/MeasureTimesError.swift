/// The reasons why a file of measure times could not be read. Lines count from 1.
public enum MeasureTimesError: Error, Equatable, Sendable {
    case cannotOpen(path: String, reason: String)
    case notRegularFile(path: String)
    case tooLarge(path: String, limitBytes: Int)
    case tooManyMeasures(path: String, line: Int, limit: Int)
    case noMeasures(path: String)
    /// The file contains notes, not times. MIDI and MusicXML files must be rendered to audio first.
    case needsRenderingToAudio(path: String, kind: String)
    case notMeasureTimes(path: String, kind: String, advice: String)
    case unknownFormat(path: String)
    case ambiguousFormat(path: String, candidates: [MeasureTimesFormat])
    case invalidRow(path: String, line: Int, fault: RowFault)
    case invalidXML(path: String, line: Int, fault: XMLFault)
    case severalPieces(path: String, names: [String])
    case noSuchPiece(path: String, wanted: String, names: [String])
    case noMeasureTrack(path: String, piece: String)

    /// The reasons why one line of a table is invalid.
    public enum RowFault: Equatable, Sendable {
        case decimalComma(String)
        case notATime(String)
        case notAMeasureNumber(String)
        case notABeat(String)
        case playedNumberNotConsecutive(found: Int, expected: Int)
        case wrongColumnCount(found: Int, expected: Int)
        case threeColumnsNeedAHeader
        case invalidHeader(String)
        case framesInsteadOfSeconds
        case unknownBeatLabel(String)
        case measureAfterEnd
        case lineTooLong
    }

    /// The reasons why an XML file is invalid.
    public enum XMLFault: Equatable, Sendable {
        /// The file contains a document type, an entity or a processing instruction; the value is the start of this
        /// markup.
        case forbiddenMarkup(String)
        case unsupportedEncoding(String)
        /// The XML declaration names another encoding than the bytes have.
        case encodingMismatch(declared: String, found: String)
        case notUTF8
        /// The element `in` may hold text only, but contains another element.
        case elementInsideText(element: String, in: String)
        case notWellFormed
        case endsTooEarly
        case wrongRootElement(String)
        case tooDeep
        case tooManyElements
        case tooManyAttributes
        case tooMuchText
        case missingElement(element: String)
        case notATime(String)
        case notAMeasureNumber(String)
    }
}
