import Basics
import Following
import Foundation
import Hosting
import Podium
import ScoreFiles
import Titles

/// Builds tonight's programme from the models: adds sections and cues to the measures.
///
/// The sections of a piece come from wherever people entered them (``PieceSections``). Its cues come from `DATA/cues/FOLDER.csv`,
/// where the console saves them, or else from `RECORDINGS/FOLDER/cues.csv`. Its titles come from
/// `DATA/titles/FOLDER.csv` or `RECORDINGS/FOLDER/titles.csv` in the same way. A piece whose list cannot be used has no
/// cues or no titles; the show starts all the same.
package struct ShowProgrammeBuilder: Sendable {
    package var recordingsFolderPath: String
    package var dataFolder: String

    package init(recordingsFolderPath: String, dataFolder: String) {
        self.recordingsFolderPath = recordingsFolderPath
        self.dataFolder = dataFolder
    }

    /// Builds the programme; without folders it is empty.
    /// - Parameter evening: nil for a concert with the title of `programme`.
    /// - Parameter trouble: called with a fault for each cue list and each content file that cannot be used. If a cue
    ///   list cannot be used, its piece begins without cues, and a copy of the list is kept. If a content file cannot
    ///   be used, its piece has no sections.
    package func buildProgramme(
        of programme: ConcertProgramme, at evening: Evening? = nil, folders: [String],
        intermissions: [Int] = [],
        trouble: (TechnicalFault) -> Void = { _ in }
    ) throws -> ShowProgramme {
        let evening = evening ?? Evening(programme.title)
        guard !folders.isEmpty else { return .empty(evening) }
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.pieceModels, folders) {
            let sections = pieceSections.starts(of: folder, measures: model.measures) {
                trouble(
                    TechnicalFault(
                        id: Self.sectionsFaultID(folder),
                        sentence: "“\(model.pieceName.text)” begins without its sections: \($0)"))
            }
            pieces.append(
                try ShowPiece(
                    name: model.pieceName, folder: folder, measures: model.measures,
                    sections: sections.map { PieceSection(label: $0.label, start: $0.start) },
                    beatsPerBar: model.beatsPerBar))
        }
        let course = try ShowProgramme(evening, pieces: pieces, intermissions: intermissions)
        return addTitleLists(addCueLists(course, trouble), trouble)
    }

    var pieceSections: PieceSections { PieceSections(recordings: recordingsFolderPath, data: dataFolder) }

    /// The sections of a piece of the programme, as they are now.
    func sections(of piece: ShowPiece) -> [PieceSection] {
        pieceSections.starts(of: piece.folder, measures: piece.measures)
            .map { PieceSection(label: $0.label, start: $0.start) }
    }

    /// The path of the cue list that the console saves for a piece.
    func cueFilePath(_ folder: String) -> String { "\(dataFolder)/cues/\(folder).csv" }

    /// The id of the fault “this piece's cue list cannot be used”. The fault ends when the console saves a cue list
    /// of this piece.
    package static func cueListFaultID(_ folder: String) -> String { "cue-list-\(folder)" }

    /// The path of the list of titles that the server saves for a piece.
    func titleFilePath(_ folder: String) -> String { "\(dataFolder)/titles/\(folder).csv" }

    /// The id of the fault “this piece's titles cannot be used”. The fault ends when a list of this piece is saved.
    static func titleListFaultID(_ folder: String) -> String { "title-list-\(folder)" }

    /// The id of the fault “this piece's sections cannot be read”. The fault ends at the next start with a readable
    /// file.
    static func sectionsFaultID(_ folder: String) -> String { "sections-\(folder)" }

    /// True for the id of a fault that ``buildProgramme(of:folders:intermissions:trouble:)`` finds.
    static func isProgrammeFault(_ id: String) -> Bool {
        [cueListFaultID(""), titleListFaultID(""), sectionsFaultID("")].contains { id.hasPrefix($0) }
    }

    func addCueLists(_ course: ShowProgramme, _ trouble: (TechnicalFault) -> Void) -> ShowProgramme {
        var course = course
        for (index, piece) in course.pieces.enumerated() {
            guard let path = findFile(cueFilePath(piece.folder), orShipped: "cues.csv", of: piece.folder)
            else {
                continue
            }
            do {
                course = try addCueList(course, piece: index, from: path)
            } catch {
                let sentence =
                    "The cue list of “\(piece.name.text)” cannot be used, so the piece begins without cues: "
                    + "\(error.explanation)" + keptCopy(of: path, ifSavedAs: cueFilePath(piece.folder))
                    + " Import a corrected list on the console, under “Cues”."
                trouble(TechnicalFault(id: Self.cueListFaultID(piece.folder), sentence: sentence))
            }
        }
        return course
    }

    func addTitleLists(_ course: ShowProgramme, _ trouble: (TechnicalFault) -> Void) -> ShowProgramme {
        var course = course
        for (index, piece) in course.pieces.enumerated() {
            guard let path = findFile(titleFilePath(piece.folder), orShipped: "titles.csv", of: piece.folder)
            else {
                continue
            }
            do {
                let (list, strays) = try readTitles(of: piece, from: path)
                course = try course.replacingTitles(of: index, by: list)
                if let sentence = Self.straySentence(strays, name: piece.name.text) {
                    trouble(TechnicalFault(id: Self.titleListFaultID(piece.folder), sentence: sentence))
                }
            } catch {
                let sentence =
                    "The list of titles of “\(piece.name.text)” cannot be used, so the piece begins without titles: "
                    + "\(error.explanation)" + keptCopy(of: path, ifSavedAs: titleFilePath(piece.folder))
                    + " Load a corrected list on /titles, under “List and files”."
                trouble(TechnicalFault(id: Self.titleListFaultID(piece.folder), sentence: sentence))
            }
        }
        return course
    }

    /// The file that the console saved for a piece, or else the one that came with it; nil if there is neither.
    func findFile(_ saved: String, orShipped name: String, of folder: String) -> String? {
        [saved, "\(recordingsFolderPath)/\(folder)/\(name)"].first {
            FileManager.default.fileExists(atPath: $0)
        }
    }

    /// Keeps a copy of a file that the console would overwrite, and says where in the data folder it is.
    private func keptCopy(of path: String, ifSavedAs saved: String) -> String {
        guard path == saved, let copy = FileBackup.makeCopy(of: path) else { return "" }
        return " It is kept in the data folder as \(copy.dropFirst(dataFolder.count + 1))."
    }

    private func addCueList(
        _ course: ShowProgramme, piece index: Int, from path: String
    ) throws -> ShowProgramme {
        let bytes = try readBytes(path, upTo: CueSheet.maximumBytes)
        return try CueSheet.importCues(bytes, into: course, piece: index, isStored: true)
    }

    func readBytes(_ path: String, upTo limit: Int) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // Reads one byte more than the limit, so that a longer file is refused instead of cut.
            return Array(try handle.read(upToCount: limit + 1) ?? Data())
        } catch {
            throw ExplainedError("it cannot be read; check its permissions, and that it is a file.")
        }
    }
}
