import Basics

/// The first mistake in a cue sheet. Lines count from 1; the row of column names is line 1.
public indirect enum CueSheetFault: Explained, Hashable, Sendable {
    case tooLong(bytes: Int)
    case notUTF8
    case empty
    case unclosedQuote(line: Int)
    case strayQuote(line: Int)
    case unknownColumn(String)
    case columnTwice(String)
    case missingColumn(String)
    case wrongFieldCount(line: Int, found: Int, wanted: Int)
    case unknownPiece(line: Int, piece: String, count: Int)
    case wrongPiece(line: Int, piece: String)
    case emptyPlace(line: Int)
    case invalidPlace(line: Int, MeasureReferenceFault)
    case unknownKind(line: Int, String)
    case invalidEarliness(line: Int, String)
    case invalidAutomatic(line: Int, String)
    case invalidBeginning(line: Int, String)
    case invalidCue(line: Int, CueFault)
    case invalidCueList(CueFault)
    /// A fault in the row of a cue, with the cue's name.
    case inCue(String, CueSheetFault)

    init(_ fault: CSVText.Fault) {
        switch fault {
        case .notUTF8: self = .notUTF8
        case .unclosedQuote(let line): self = .unclosedQuote(line: line)
        case .strayQuote(let line): self = .strayQuote(line: line)
        }
    }

    public var sentence: String {
        switch self {
        case .tooLong(let bytes):
            "The cue sheet has \(bytes) bytes; at most \(CueSheet.maximumBytes) are read."
        case .notUTF8: "The cue sheet is neither UTF-8 nor UTF-16 text; save it as “CSV UTF-8”."
        case .empty: "The cue sheet is empty; its first row names the columns \(columnNamesText)."
        case .unclosedQuote(let line): "Line \(line): a quote is opened and never closed; close it."
        case .strayQuote(let line):
            "Line \(line): a quote stands inside a field; put the field in quotes and double the quote."
        case .unknownColumn(let name):
            "There is no column “\(name.prefix(40))”; the columns are \(columnNamesText)."
        case .columnTwice(let name): "The column “\(name)” is there twice; remove one."
        case .missingColumn(let name): "The column “\(name)” is missing; the columns are \(columnNamesText)."
        case .wrongFieldCount(let line, let found, let wanted):
            "Line \(line): there are \(found) fields and \(wanted) columns; make them equal."
        case .unknownPiece(let line, let piece, let count):
            "Line \(line): there is no piece “\(piece.prefix(40))”; give a number from 1 to \(count), a "
                + "folder or a name."
        case .wrongPiece(let line, let piece):
            "Line \(line): the cue belongs to piece “\(piece.prefix(40))”, but the sheet is for another; remove it."
        case .emptyPlace(let line):
            "Line \(line): the cue has no place; give a measure such as 57 or 57/2, a rehearsal letter, or p:60."
        case .invalidPlace(let line, let fault): "Line \(line): \(fault.sentence)"
        case .unknownKind(let line, let text):
            "Line \(line): “\(text.prefix(40))” is no kind of cue; the kinds are "
                + CueKind.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .invalidEarliness(let line, let text):
            "Line \(line): the earliness “\(text.prefix(40))” is not a number of milliseconds; give one from 0."
        case .invalidBeginning(let line, let text):
            "Line \(line): begin is “\(text.prefix(40))”; write \(CueBeginning.certain.rawValue), or "
                + "\(CueBeginning.person.rawValue) if the cue waits until a person begins the piece."
        case .invalidAutomatic(let line, let text):
            "Line \(line): “\(text.prefix(40))” says neither yes nor no whether the cue fires by itself."
        case .invalidCue(let line, let fault): "\(fault.sentence) It stands in line \(line)."
        case .inCue(let name, let fault):
            // “Line 4: …” becomes “The cue “Lights”, line 4: …”.
            "The cue “\(name.prefix(40))”, l" + fault.sentence.dropFirst()
        case .invalidCueList(let fault): fault.sentence
        }
    }

    private var columnNamesText: String { CueSheet.columnNames.joined(separator: ",") }
}
