import Rehearsal

@testable import ScoreLibrary

/// A MusicXML score of one part: twelve measures with one whole note each.
/// - Parameters:
///   - part: the part's name.
///   - step: the note's letter, in octave 5.
func tune(_ part: String = "Clarinet", step: String = "C") -> [UInt8] {
    let opening =
        "<attributes><divisions>1</divisions><key><fifths>0</fifths></key>"
        + "<time><beats>4</beats><beat-type>4</beat-type></time>"
        + "<clef><sign>G</sign><line>2</line></clef></attributes>"
    let note =
        "<note><pitch><step>\(step)</step><octave>5</octave></pitch><duration>4</duration>"
        + "<type>whole</type></note>"
    let measures = (1...12).map { "<measure number=\"\($0)\">\($0 == 1 ? opening : "")\(note)</measure>" }
    return Array(
        ("<?xml version=\"1.0\"?><score-partwise version=\"4.0\"><part-list><score-part id=\"P1\">"
            + "<part-name>\(part)</part-name></score-part></part-list><part id=\"P1\">\(measures.joined())</part>"
            + "</score-partwise>").utf8)
}

extension LibraryStage {
    /// Adds a MusicXML score to the library and waits until it is engraved.
    func engrave(_ music: [UInt8], title: String = "Tune") async throws -> Rehearsal.Score.ID {
        let id = try await library.addScore(file: try arrived(music), Library.ScoreHeading(title: title))
        await library.lastEngravingTask?.value
        return id
    }
}
