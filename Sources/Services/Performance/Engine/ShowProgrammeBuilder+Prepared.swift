import Foundation
import Hosting
import Podium
import Score
import ScoreFiles
import Titles

/// Prepared pieces with their titles, without what the follower hears.
extension ShowProgrammeBuilder {
    /// Builds a prepared piece with its sections and titles. A list that cannot be used is left out, as in a programme.
    func buildPreparedPiece(_ folder: String, name: PieceName, measures: MeasureMap) -> ShowPiece? {
        let sections = readSectionStarts(of: folder, recordings: recordingsFolderPath, measures: measures)
        guard
            let piece = try? ShowPiece(
                name: name, folder: folder, measures: measures,
                sections: sections.map { PieceSection(label: $0.label, start: $0.start) }),
            let programme = try? ShowProgramme(title: name.text, pieces: [piece])
        else { return nil }
        return addTitleLists(programme) { _ in }.pieces[0]
    }

    /// Reads the list of a piece without looking up its bars; empty if there is none that can be used. The sentence
    /// says why it cannot be used.
    func readTitles(of folder: String) -> (list: TitleList, fault: String?) {
        guard let path = titleFile(of: folder) else { return (TitleList(), nil) }
        do {
            return (try TitleList(TitleSheet.titles(of: readBytes(path, upTo: TitleSheet.maximumBytes))), nil)
        } catch let fault as TitleFileFault {
            return (TitleList(), fault.sentence)
        } catch let fault as TitleFault {
            return (TitleList(), fault.sentence)
        } catch {
            return (TitleList(), (error as? ExplainedError)?.sentence ?? "\(error)")
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
