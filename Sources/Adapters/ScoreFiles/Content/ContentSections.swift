import Concert
import Foundation
import Score

/// Where the sections of a piece begin, as its content has them (`RECORDINGS/FOLDER/content/data.xml`).
///
/// Without content the piece has none; what does not fit is left out: sections are signs on the way, not the music.
/// - Parameter trouble: gets a sentence where there is a file that cannot be used.
/// - Returns: labels and played measures, rising.
public func readSectionStarts(
    of folder: String, recordings: String, measures: MeasureMap,
    reportProblem trouble: (String) -> Void = { _ in }
) -> [(label: String, start: Int)] {
    let path = "\(recordings)/\(folder)/content/data.xml"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let mostBytes = 1 << 20
    // One byte more than is read, so that a longer file is named, not cut.
    guard let handle = FileHandle(forReadingAtPath: path),
        let bytes = (try? handle.read(upToCount: mostBytes + 1)).map(Array.init) ?? nil
    else {
        trouble("\(path) cannot be read; check its rights, and that it is a file.")
        return []
    }
    guard bytes.count <= mostBytes else {
        trouble("\(path) has more than \(mostBytes >> 20) MB; it should hold the content of one piece.")
        return []
    }
    let structure: ContentStructure?
    do throws(ContentFileError) {
        structure = try ContentReader.pieces(in: bytes, path: path).pieces.first?.structure
    } catch {
        trouble(error.sentence)
        return []
    }
    guard let structure else { return [] }
    var found: [(label: String, start: Int)] = []
    for section in structure.sections {
        guard let played = section.place.played ?? measures.firstPlayed(printed: section.place.printed),
            played < measures.marks.count, played > found.last?.start ?? -1
        else { continue }
        found.append((section.label, played))
    }
    return found
}
