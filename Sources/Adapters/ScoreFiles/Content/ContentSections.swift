import ScoreFiles
import Foundation
import Score

/// Where the sections of a piece begin, as its content has them (`RECORDINGS/FOLDER/content/data.xml`).
///
/// Without content the piece has none; what does not fit is left out: sections are signs on the way, not the music.
/// - Returns: labels and played measures, rising.
func contentSections(
    of folder: String, recordings: String, measures: MeasureMap
) -> [(label: String, start: Int)] {
    let path = "\(recordings)/\(folder)/content/data.xml"
    guard let bytes = (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 1 << 20)).flatMap(Array.init),
        let structure = try? ContentReader.pieces(in: bytes, path: path).pieces.first?.structure
    else { return [] }
    var found: [(label: String, start: Int)] = []
    for section in structure.sections {
        guard let played = section.place.played ?? measures.firstPlayed(printed: section.place.printed),
            played < measures.marks.count, played > found.last?.start ?? -1
        else { continue }
        found.append((section.label, played))
    }
    return found
}
