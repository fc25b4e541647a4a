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
package struct ServeCourse {
    package var recordings: String
    package var data: String

    package init(recordings: String, data: String) {
        self.recordings = recordings
        self.data = data
    }

    /// - Parameter trouble: called with a fault for each cue list and each content file that cannot be used. Without
    ///   its cue list a piece begins without cues, and a copy of the list is kept; without its content it has no
    ///   sections.
    package func course(
        of programme: Programme, folders: [String], trouble: (TechnicalFault) -> Void = { _ in }
    ) throws(LiveFailure) -> ShowProgramme {
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.models, folders) {
            do throws(ShowProgrammeFault) {
                let sections = contentSections(of: folder, recordings: recordings, measures: model.measures) {
                    trouble(
                        TechnicalFault(
                            id: Self.sectionsFault(folder),
                            sentence: "“\(model.name.text)” begins without its sections: \($0)"))
                }
                pieces.append(
                    try ShowPiece(
                        name: model.name, folder: folder, measures: model.measures,
                        sections: sections.map { ShowSection(label: $0.label, start: $0.start) }))
            } catch {
                throw LiveFailure(sentence: error.sentence)
            }
        }
        let course: ShowProgramme
        do throws(ShowProgrammeFault) {
            course = try ShowProgramme(title: programme.title, pieces: pieces)
        } catch {
            throw LiveFailure(sentence: error.sentence)
        }
        return withCues(course, trouble)
    }

    /// The path of the cue list that the console saves for a piece.
    func cueFile(_ folder: String) -> String { "\(data)/cues/\(folder).csv" }

    /// The id of the fault that a piece's cue list cannot be used. The fault ends when the console saves a cue list
    /// of that piece.
    package static func fault(_ folder: String) -> String { "cue-list-\(folder)" }

    /// The id of the fault that a piece's sections cannot be read. The fault ends at the next start with a readable
    /// file.
    static func sectionsFault(_ folder: String) -> String { "sections-\(folder)" }

    private func withCues(_ course: ShowProgramme, _ trouble: (TechnicalFault) -> Void) -> ShowProgramme {
        var course = course
        for (index, piece) in course.pieces.enumerated() {
            let path = [cueFile(piece.folder), "\(recordings)/\(piece.folder)/cues.csv"].first {
                FileManager.default.fileExists(atPath: $0)
            }
            guard let path else { continue }
            do throws(LiveFailure) {
                course = try withCues(course, piece: index, from: path)
            } catch {
                var sentence =
                    "The cue list \(path) cannot be used, so “\(piece.name.text)” begins without cues: "
                    + "\(error.sentence)"
                if path == cueFile(piece.folder), let copy = KeptCopy.make(of: path) {
                    sentence += " It is kept as \(copy)."
                }
                trouble(TechnicalFault(id: Self.fault(piece.folder), sentence: sentence))
            }
        }
        return course
    }

    private func withCues(
        _ course: ShowProgramme, piece index: Int, from path: String
    ) throws(LiveFailure) -> ShowProgramme {
        let bytes = try read(path)
        do throws(CueSheetFault) { return try CueSheet.read(bytes, into: course, piece: index) } catch {
            throw LiveFailure(sentence: error.sentence)
        }
    }

    private func read(_ path: String) throws(LiveFailure) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // Reads one byte more than the limit, so that a longer file is refused instead of cut.
            return Array(try handle.read(upToCount: CueSheet.longestBytes + 1) ?? Data())
        } catch {
            throw LiveFailure(sentence: "it cannot be read; check its permissions, and that it is a file.")
        }
    }
}
