import Concert
import Foundation
import Score

/// Reads the beginnings of a piece's sections from its content file (`RECORDINGS/FOLDER/content/data.xml`).
///
/// Returns no sections if there is no content file. Sections that do not fit the measures are left out. Nothing else
/// depends on sections, because they only help people to find their way.
/// - Parameter trouble: is called with a sentence if the file exists but cannot be used.
/// - Returns: the label of each section and the played measure at which it starts, counted from 0, in ascending order.
public func readSectionStarts(
    of folder: String, recordings: String, measures: MeasureMap,
    reportProblem trouble: (String) -> Void = { _ in }
) -> [(label: String, start: Int)] {
    let path = "\(recordings)/\(folder)/content/data.xml"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    // The sentences are read on pages, which name no folder of the machine.
    let name = "\(folder)/content/data.xml"
    let mostBytes = 1 << 20
    // Reads one byte more than the limit, so that a longer file is reported instead of cut off.
    guard let handle = FileHandle(forReadingAtPath: path),
        let bytes = (try? handle.read(upToCount: mostBytes + 1)).map(Array.init) ?? nil
    else {
        trouble("\(name) cannot be read; check its rights, and that it is a file.")
        return []
    }
    guard bytes.count <= mostBytes else {
        trouble("\(name) has more than \(mostBytes >> 20) MB; it should hold the content of one piece.")
        return []
    }
    let structure: EditedPieceStructure?
    do throws(ContentFileError) {
        structure = try ContentXMLReader.readPieces(in: bytes, path: name).pieces.first?.structure
    } catch {
        trouble(error.sentence)
        return []
    }
    guard let structure else { return [] }
    var found: [(label: String, start: Int)] = []
    for section in structure.sections {
        guard let played = section.place.played ?? measures.firstPlayedIndex(printed: section.place.printed),
            played < measures.marks.count, played > found.last?.start ?? -1
        else { continue }
        found.append((section.label, played))
    }
    return found
}
