import Following
import Foundation
import Hosting
import Podium
import ScoreFiles

/// Builds tonight's programme from the models: adds sections and cues to the measures.
///
/// The sections of a piece come from `RECORDINGS/FOLDER/content/data.xml`. Its cues come from `DATA/cues/FOLDER.csv`,
/// where the console saves them, or else from `RECORDINGS/FOLDER/cues.csv`. A piece whose cue list cannot be used has
/// no cues; the show starts all the same.
package struct ShowProgrammeBuilder: Sendable {
    package var recordingsFolderPath: String
    package var dataFolder: String

    package init(recordingsFolderPath: String, dataFolder: String) {
        self.recordingsFolderPath = recordingsFolderPath
        self.dataFolder = dataFolder
    }

    /// Builds the programme; without folders it is empty.
    /// - Parameter trouble: called with a fault for each cue list and each content file that cannot be used. If a cue
    ///   list cannot be used, its piece begins without cues, and a copy of the list is kept. If a content file cannot
    ///   be used, its piece has no sections.
    package func buildProgramme(
        of programme: ConcertProgramme, folders: [String], intermissions: [Int] = [],
        trouble: (TechnicalFault) -> Void = { _ in }
    ) throws(ExplainedError) -> ShowProgramme {
        guard !folders.isEmpty else { return .empty(title: programme.title) }
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.pieceModels, folders) {
            do throws(ShowProgrammeFault) {
                let sections = readSectionStarts(
                    of: folder, recordings: recordingsFolderPath, measures: model.measures
                ) {
                    trouble(
                        TechnicalFault(
                            id: Self.sectionsFaultID(folder),
                            sentence: "“\(model.pieceName.text)” begins without its sections: \($0)"))
                }
                pieces.append(
                    try ShowPiece(
                        name: model.pieceName, folder: folder, measures: model.measures,
                        sections: sections.map { PieceSection(label: $0.label, start: $0.start) }))
            } catch {
                throw ExplainedError(sentence: error.sentence)
            }
        }
        let course: ShowProgramme
        do throws(ShowProgrammeFault) {
            course = try ShowProgramme(title: programme.title, pieces: pieces, intermissions: intermissions)
        } catch {
            throw ExplainedError(sentence: error.sentence)
        }
        return addCueLists(course, trouble)
    }

    /// The path of the cue list that the console saves for a piece.
    func cueFilePath(_ folder: String) -> String { "\(dataFolder)/cues/\(folder).csv" }

    /// The id of the fault “this piece's cue list cannot be used”. The fault ends when the console saves a cue list
    /// of this piece.
    package static func cueListFaultID(_ folder: String) -> String { "cue-list-\(folder)" }

    /// The id of the fault “this piece's sections cannot be read”. The fault ends at the next start with a readable
    /// file.
    static func sectionsFaultID(_ folder: String) -> String { "sections-\(folder)" }

    private func addCueLists(_ course: ShowProgramme, _ trouble: (TechnicalFault) -> Void) -> ShowProgramme {
        var course = course
        for (index, piece) in course.pieces.enumerated() {
            let path = [cueFilePath(piece.folder), "\(recordingsFolderPath)/\(piece.folder)/cues.csv"].first {
                FileManager.default.fileExists(atPath: $0)
            }
            guard let path else { continue }
            do throws(ExplainedError) {
                course = try addCueList(course, piece: index, from: path)
            } catch {
                var sentence =
                    "The cue list \(path) cannot be used, so “\(piece.name.text)” begins without cues: "
                    + "\(error.sentence)"
                if path == cueFilePath(piece.folder), let copy = FileBackup.makeCopy(of: path) {
                    sentence += " It is kept as \(copy)."
                }
                trouble(TechnicalFault(id: Self.cueListFaultID(piece.folder), sentence: sentence))
            }
        }
        return course
    }

    private func addCueList(
        _ course: ShowProgramme, piece index: Int, from path: String
    ) throws(ExplainedError) -> ShowProgramme {
        let bytes = try readCueSheetBytes(path)
        do throws(CueSheetFault) {
            return try CueSheet.importCues(bytes, into: course, piece: index, isStored: true)
        } catch {
            throw ExplainedError(sentence: error.sentence)
        }
    }

    private func readCueSheetBytes(_ path: String) throws(ExplainedError) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // Reads one byte more than the limit, so that a longer file is refused instead of cut.
            return Array(try handle.read(upToCount: CueSheet.maximumBytes + 1) ?? Data())
        } catch {
            throw ExplainedError(sentence: "it cannot be read; check its permissions, and that it is a file.")
        }
    }
}
