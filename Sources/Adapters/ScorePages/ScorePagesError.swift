import Basics

/// The reasons why pages of a score could not be read, drawn, engraved or written.
public enum ScorePagesError: Explained, Equatable, Sendable {
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case fileTooLarge(path: String, bytes: Int, limit: Int)
    case notPDF(path: String)
    case needsPassword(path: String)
    case damagedPDF(path: String, reason: String)
    case noPages(path: String)
    case tooManyPages(path: String, pages: Int, limit: Int)
    /// The size of the page is not a possible size of paper.
    case impossiblePageSize(path: String, page: Int, width: Double, height: Double)
    case noSuchPage(page: Int, pages: Int)
    /// The page could not be drawn within the limits of time and memory.
    case pageTooHeavy(page: Int)
    case pageNotDrawn(page: Int, reason: String)
    case popplerMissing(program: String)
    case verovioMissing(environment: String)
    case engraverScriptMissing
    case notMusicXML(reason: String)
    case unknownPart(name: String, known: [String])
    case engravingFailed(reason: String)
    case engravingTooLong(seconds: Double)
    case imageUnusable(reason: String)
    case printingNotPermitted(path: String)
}

extension ScorePagesError {
    /// The error message for people: what is wrong, where, and what to do about it. Pages are counted from 1, as
    /// readers do.
    public var sentence: String {
        switch self {
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .cannotWrite(let path, let reason):
            "\(path) cannot be written: \(reason); free some space or choose another place."
        case .fileTooLarge(let path, let bytes, let limit):
            "\(path) has \(megabytes(bytes)) MB; scores of up to \(megabytes(limit)) MB are taken. "
                + "Scan it with fewer dots per inch, or split it by movements."
        case .notPDF(let path): "\(path) is not a PDF; export or scan the score as PDF."
        case .needsPassword(let path):
            "\(path) is locked with a password; save it without one and add it again."
        case .damagedPDF(let path, let reason):
            "\(path) is damaged: \(reason). Export or download it again."
        case .noPages(let path): "\(path) has no pages; export it again."
        case .tooManyPages(let path, let pages, let limit):
            "\(path) has \(pages) pages; up to \(limit) are taken. Split it by movements."
        case .impossiblePageSize(let path, let page, let width, let height):
            "Page \(page + 1) of \(path) would measure \(formattedPoints(width)) by \(formattedPoints(height)) points, "
                + "which is no size of paper; print it to PDF again on a known paper size."
        case .noSuchPage(let page, let pages):
            "There is no page \(page + 1); the score has \(pages)."
        case .pageTooHeavy(let page):
            "Page \(page + 1) was not drawn: it takes more time or memory than a page of music may. "
                + "Print it to PDF again, or scan it with fewer dots per inch."
        case .pageNotDrawn(let page, let reason): "Page \(page + 1) cannot be drawn: \(reason)."
        case .popplerMissing(let program):
            "The program \(program) is missing; run: apt-get install poppler-utils."
        case .verovioMissing(let environment):
            "Engraving MusicXML needs a Python environment with Verovio at \(environment); "
                + "run Tools/verovio-venv (installed: sudo baton-verovio), or set BATON_VENV to where one is."
        case .engraverScriptMissing:
            "Sources/Python/engrave.py was not found beside the program or above the working directory; "
                + "run baton from inside its repository."
        case .notMusicXML(let reason):
            "The score cannot be engraved: \(reason). Export it again as MusicXML from the notation program."
        case .unknownPart(let name, let known):
            "The score has no part called “\(name)”; it has "
                + (known.isEmpty ? "no named parts." : known.joined(separator: ", ") + ".")
        case .engravingFailed(let reason): "The score could not be engraved: \(reason)."
        case .engravingTooLong(let seconds):
            "Engraving was stopped after \(Int(seconds)) seconds; split the score by movements."
        case .imageUnusable(let reason): "The image of a page cannot be used: \(reason)."
        case .printingNotPermitted(let path):
            "\(path) does not allow printing; ask its publisher for a copy that does."
        }
    }

    private func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }

    private func formattedPoints(_ length: Double) -> String {
        length.isFinite && abs(length) < 1e15 ? "\(Int(length.rounded()))" : "endless"
    }
}
