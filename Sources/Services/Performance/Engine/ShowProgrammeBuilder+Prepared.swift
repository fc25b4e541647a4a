import Basics
import Foundation
import Hosting
import Podium
import Score
import ScoreFiles
import Titles

/// Prepared pieces with their titles, without what the follower hears.
extension ShowProgrammeBuilder {
    /// Builds a prepared piece with its sections, cues and titles. A list that cannot be used is left out, as in a
    /// programme.
    func buildPreparedPiece(_ folder: String, name: PieceName, measures: MeasureMap) -> ShowPiece? {
        guard let piece = try? makePieceWithoutTitles(folder, name: name, measures: measures),
            let programme = try? ShowProgramme(title: name.text, pieces: [piece])
        else { return nil }
        return addTitleLists(addCueLists(programme) { _ in }) { _ in }.pieces[0]
    }

    private func makePieceWithoutTitles(_ folder: String, name: PieceName, measures: MeasureMap) throws
        -> ShowPiece
    {
        let sections = pieceSections.starts(of: folder, measures: measures)
        return try ShowPiece(
            name: name, folder: folder, measures: measures,
            sections: sections.map { PieceSection(label: $0.label, start: $0.start) })
    }

    /// Reads a list of titles and looks up their bars in the piece.
    func readTitles(of piece: ShowPiece, from path: String) throws
        -> (list: TitleList, strays: [TitleFault])
    {
        let bytes = try readBytes(path, upTo: TitleSheet.maximumBytes)
        return try piece.findMeasures(ofStored: TitleSheet.titles(of: bytes))
    }

    /// Returns a sentence that names the titles without a bar and asks for one; nil if all titles have their bars.
    static func straySentence(_ strays: [TitleFault], name: String) -> String? {
        guard let first = strays.first else { return nil }
        return "\(strays.count == 1 ? "A title" : "\(strays.count) titles") of “\(name)” "
            + "\(strays.count == 1 ? "has" : "have") no bar in the piece as it is prepared now, so a person must show "
            + "\(strays.count == 1 ? "it" : "them"): \(first.sentence) Give "
            + "\(strays.count == 1 ? "it a bar" : "them bars") again on /edit or /titles; the notes say where they were."
    }

    /// Reads the list of a prepared piece; empty if there is none that can be used. The sentence says why it cannot be
    /// used, or which titles have lost their bars.
    func readTitles(of folder: String, name: PieceName, measures: () throws -> MeasureMap)
        -> (list: TitleList, fault: String?)
    {
        guard let path = titleFile(of: folder) else { return (TitleList(), nil) }
        do {
            let piece = try makePieceWithoutTitles(folder, name: name, measures: measures())
            let (list, strays) = try readTitles(of: piece, from: path)
            return (list, Self.straySentence(strays, name: name.text))
        } catch {
            return (TitleList(), error.explanation)
        }
    }

    /// The time at which the list of a piece was last written; nil if there is none.
    func titleFileDate(of folder: String) -> Date? {
        titleFile(of: folder).flatMap {
            (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date
        }
    }

    private func titleFile(of folder: String) -> String? {
        findFile(titleFilePath(folder), orShipped: "titles.csv", of: folder)
    }
}
