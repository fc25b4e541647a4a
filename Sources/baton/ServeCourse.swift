import Following
import Foundation
import Podium
import ScoreFiles

/// Makes the evening's course of the programme: sections and cues beside the measures.
///
/// Of each piece: sections from its content (`RECORDINGS/FOLDER/content/data.xml`), cues from
/// `DATA/cues/FOLDER.csv`, where the console keeps them, or else from `RECORDINGS/FOLDER/cues.csv`.
struct ServeCourse {
    var recordings: String
    var data: String

    private static let mostBytes = 1 << 20

    func course(of programme: Programme, folders: [String]) throws(LiveFailure) -> ShowCourse {
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.models, folders) {
            do throws(CourseFault) {
                let plain = try ShowPiece(name: model.name, folder: folder, measures: model.measures)
                pieces.append(
                    try ShowPiece(
                        name: model.name, folder: folder, measures: model.measures,
                        sections: sections(folder, of: plain)))
            } catch {
                throw LiveFailure(sentence: error.sentence)
            }
        }
        let course: ShowCourse
        do throws(CourseFault) {
            course = try ShowCourse(title: programme.title, pieces: pieces)
        } catch {
            throw LiveFailure(sentence: error.sentence)
        }
        return try withCues(course)
    }

    /// Where the console's cue list of a piece lies.
    func cueFile(_ folder: String) -> String { "\(data)/cues/\(folder).csv" }

    private func withCues(_ course: ShowCourse) throws(LiveFailure) -> ShowCourse {
        var course = course
        for (index, piece) in course.pieces.enumerated() {
            let path = [cueFile(piece.folder), "\(recordings)/\(piece.folder)/cues.csv"].first {
                FileManager.default.fileExists(atPath: $0)
            }
            guard let path, let bytes = read(path) else { continue }
            do throws(CueSheetFault) {
                course = try CueSheet.read(bytes, into: course, piece: index)
            } catch {
                throw LiveFailure(sentence: "“\(path)”: \(error.sentence)")
            }
        }
        return course
    }

    /// Of the piece's content. Without any the piece has no letters; what does not fit is left out: sections are
    /// signs on the way, not the music.
    private func sections(_ folder: String, of piece: ShowPiece) -> [ShowSection] {
        let path = "\(recordings)/\(folder)/content/data.xml"
        guard let bytes = read(path), let content = try? ContentReader.pieces(in: bytes, path: path),
            let structure = content.pieces.first?.structure
        else { return [] }
        var found: [ShowSection] = []
        for section in structure.sections {
            let printed = section.place.printed
            guard let played = section.place.played ?? piece.measures.firstPlayed(printed: printed),
                played < piece.playedCount, played > found.last?.start ?? -1
            else { continue }
            found.append(ShowSection(label: section.label, start: played))
        }
        return found
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        return (try? handle.read(upToCount: Self.mostBytes)).map { Array($0) }
    }
}
