/// Why a file of measure times could not be read. Lines count from 1.
public enum MeasureTimesError: Error, Equatable, Sendable {
    case cannotOpen(path: String, reason: String)
    case notAFile(path: String)
    case tooLarge(path: String, limitBytes: Int)
    case tooManyMeasures(path: String, line: Int, limit: Int)
    case noMeasures(path: String)
    /// Notes, not times: MIDI and MusicXML become times when they are rendered.
    case needsRendering(path: String, kind: String)
    case notMeasureTimes(path: String, kind: String, advice: String)
    case unknownFormat(path: String)
    case ambiguousFormat(path: String, candidates: [MeasureTimesFormat])
    case row(path: String, line: Int, fault: RowFault)
    case xml(path: String, line: Int, fault: XMLFault)
    case severalPieces(path: String, names: [String])
    case noSuchPiece(path: String, wanted: String, names: [String])
    case noMeasureTrack(path: String, piece: String)

    /// What is wrong with one line of a table.
    public enum RowFault: Equatable, Sendable {
        case decimalComma(String)
        case notATime(String)
        case notAMeasureNumber(String)
        case notABeat(String)
        case playedOutOfStep(found: Int, expected: Int)
        case columns(found: Int, expected: Int)
        case threeColumnsNeedAHeader
        case header(String)
        case framesNotSeconds
        case unknownBeatLabel(String)
        case rowAfterEnd
        case lineTooLong
    }

    /// What is wrong with an XML file.
    public enum XMLFault: Equatable, Sendable {
        /// Document types, entities, processing instructions: how they begin.
        case markup(String)
        case encoding(String)
        /// The declaration says one thing and the bytes another.
        case wrongEncoding(declared: String, found: String)
        case notUTF8
        /// An element within one that holds words only.
        case inner(element: String, in: String)
        case notWellFormed
        case cutShort
        case root(String)
        case tooDeep
        case tooManyElements
        case tooMuchText
        case missing(element: String)
        case notATime(String)
        case notAMeasureNumber(String)
    }
}
