import Titles

/// A format of a list: one of the files that the titles know, content XML, or a PDF, which is only written.
enum TitleDocumentFormat: Equatable {
    case file(TitleFileFormat)
    case contentXML
    case pdf

    init?(_ end: String) {
        switch end {
        case "xml": self = .contentXML
        case "pdf": self = .pdf
        default:
            guard let format = TitleFileFormat(rawValue: end) else { return nil }
            self = .file(format)
        }
    }

    var end: String {
        switch self {
        case .file(let format): format.rawValue
        case .contentXML: "xml"
        case .pdf: "pdf"
        }
    }

    var contentType: String {
        switch self {
        case .file(.csv): "text/csv; charset=utf-8"
        case .file(.vtt): "text/vtt; charset=utf-8"
        case .file(.srt), .file(.txt): "text/plain; charset=utf-8"
        case .contentXML: "application/xml"
        case .pdf: "application/pdf"
        }
    }
}
