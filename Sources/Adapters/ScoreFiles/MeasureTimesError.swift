import Basics

/// The reasons why a file of measure times could not be read. Lines count from 1.
public enum MeasureTimesError: Explained, Equatable, Sendable {
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
    case invalidXML(path: String, line: Int, fault: ContentFileError.XMLFault)
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
}
