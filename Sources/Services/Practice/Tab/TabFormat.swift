import Basics
import TabFiles

/// The file formats of tabs, by the endings of their names.
public enum TabFormat: String, CaseIterable, Sendable {
    case json
    case propertyList = "plist"
    case ascii = "txt"
    case musicXML = "musicxml"
    case compressedMusicXML = "mxl"
    case midi = "mid"
    /// Guitar Pro 3, 4 and 5.
    case guitarPro5 = "gp5"
    /// Guitar Pro 6.
    case guitarPro6 = "gpx"
    /// Guitar Pro 7 and 8.
    case guitarPro7 = "gp"

    /// - Throws: ``ExplainedError`` for an unknown ending.
    public init(fileName: String) throws {
        let ending =
            fileName.lastIndex(of: ".").map { fileName[fileName.index(after: $0)...].lowercased() } ?? ""
        switch ending {
        case "json": self = .json
        case "plist": self = .propertyList
        case "txt", "tab", "asc": self = .ascii
        case "musicxml", "xml": self = .musicXML
        case "mxl": self = .compressedMusicXML
        case "mid", "midi": self = .midi
        case "gp3", "gp4", "gp5", "gtp": self = .guitarPro5
        case "gpx": self = .guitarPro6
        case "gp": self = .guitarPro7
        default:
            throw ExplainedError(
                "\(fileName) has no ending of a tab; give it .json, .plist, .txt, .musicxml, .mxl, .mid, "
                    + ".gp3, .gp4, .gp5, .gpx or .gp.")
        }
    }

    /// True for formats that can be written here.
    public var isWritten: Bool {
        switch self {
        case .guitarPro5, .guitarPro6, .guitarPro7: false
        default: true
        }
    }
}
