import Basics
import Score

extension PieceContent {
    /// Makes the same content with the measure times of another recording. Every slide and section stays on its played
    /// measure and takes that measure's new onset.
    /// - Parameter end: the end of the music in the other recording; an `END` after the last measure moves there.
    /// - Returns: nil if the other recording does not play the same printed measures in the same order.
    public func retimed(to marks: [PlayedMeasure], end: ReferenceTime) -> PieceContent? {
        guard marks.map(\.printed) == measures.map(\.printed) else { return nil }
        var piece = self
        piece.measures = marks
        func move(_ place: inout MeasureAnchor) {
            guard let played = place.played, marks.indices.contains(played) else { return }
            place.time = marks[played].onset
        }
        for track in piece.tracks.indices {
            for slide in piece.tracks[track].slides.indices { move(&piece.tracks[track].slides[slide].place) }
        }
        for section in piece.structure.sections.indices { move(&piece.structure.sections[section].place) }
        // An END that includes its measure moves to the next measure's onset, or to the end of the music.
        if let stop = structure.endMeasureIndex(in: measures) {
            piece.structure.end?.time = stop < marks.count ? marks[stop].onset : end
        }
        return piece
    }
}
