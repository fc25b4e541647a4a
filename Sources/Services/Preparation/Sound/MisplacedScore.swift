import Foundation

/// Recognises a score that was given as a recording, and says where to give it instead.
enum MisplacedScore {
    private enum Kind {
        case musicXML, midi, mei, pdf
        /// A file of a notation program, of which the name is given.
        case program(String)
    }

    /// Bytes of the file's beginning that are looked at; the root element of a score in XML lies in them.
    private static let lookedAt = 4_096

    private static let programs = [
        "mscz": "MuseScore", "mscx": "MuseScore", "sib": "Sibelius", "musx": "Finale", "mus": "Finale",
        "dorico": "Dorico", "gp": "Guitar Pro", "gp3": "Guitar Pro", "gp4": "Guitar Pro",
        "gp5": "Guitar Pro", "gpx": "Guitar Pro", "cap": "capella", "capx": "capella", "ly": "LilyPond",
    ]

    /// The sentence about a file that is no recording; nil if it is no score either.
    static func sentence(_ path: String) -> String? {
        let score = "under “Score” of a new piece, or by “Add the score” on the page of the piece"
        switch kind(path) {
        case .musicXML:
            return "“\(path)” is a score (MusicXML), not a recording. Give it \(score)."
        case .midi:
            return "“\(path)” is a score (MIDI), not a recording. Give it \(score)."
        case .mei:
            return "“\(path)” is a score (MEI), not a recording, and MEI cannot be read here. "
                + "Export it as MusicXML, and give that \(score)."
        case .pdf:
            return "“\(path)” is a PDF, not a recording. If it is a score for the stands, add it on the page "
                + "Library. To find bars, Baton needs the score as MusicXML or MIDI; give that \(score)."
        case .program(let name):
            return "“\(path)” is a score (\(name)), not a recording. Export it as MusicXML, and give that "
                + "\(score)."
        case nil: return nil
        }
    }

    private static func kind(_ path: String) -> Kind? {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        let file = FileHandle(forReadingAtPath: path)
        defer { try? file?.close() }
        let bytes = (try? file?.read(upToCount: lookedAt)) ?? Data()
        // Without the zero bytes, UTF-16 reads as UTF-8.
        let head = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        if head.hasPrefix("%PDF-") || ending == "pdf" { return .pdf }
        if head.hasPrefix("MThd") || ["mid", "midi"].contains(ending) { return .midi }
        if head.contains("<score-partwise") || head.contains("<score-timewise")
            || ["musicxml", "mxl"].contains(ending)
        {
            return .musicXML
        }
        if head.contains("<mei") || ending == "mei" { return .mei }
        return programs[ending].map(Kind.program)
    }
}
