import ScorePages
import WebServer

extension ScorePagesError {
    /// The error message for a speaker. It leaves out the server's name for the file, which the speaker does not know,
    /// and speaks of slides instead of a score.
    var slidesSentence: String {
        let sentence =
            switch self {
            case .notPDF: "The file is not a PDF; export your slides as PDF."
            case .needsPassword: "The PDF is locked with a password; save it without one and send it again."
            case .damagedPDF(_, let reason): "The PDF is damaged: \(reason). Export it again."
            case .noPages: "The PDF has no pages; export it again."
            case .tooManyPages(_, let pages, let limit):
                "The PDF has \(pages) pages; up to \(limit) are taken. Send a part of it."
            case .impossiblePageSize(_, let page, _, _):
                "Slide \(page + 1) has an impossible size; export the PDF with a known size of paper or screen."
            case .pageTooHeavy(let page):
                "Slide \(page + 1) was not drawn: it takes more time or memory than a slide may. "
                    + "Export it with smaller pictures."
            case .fileTooLarge(_, _, let limit):
                "A PDF may have \(limit / 1_000_000) MB; make it smaller."
            default: sentence
            }
        return WebResponse.removeMachinePaths(sentence)
    }
}
