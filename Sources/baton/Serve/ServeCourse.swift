import Following
import Foundation
import Podium

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
                let sections = contentSections(of: folder, recordings: recordings, measures: model.measures)
                pieces.append(
                    try ShowPiece(
                        name: model.name, folder: folder, measures: model.measures,
                        sections: sections.map { ShowSection(label: $0.label, start: $0.start) }))
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

    private func read(_ path: String) -> [UInt8]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        return (try? handle.read(upToCount: Self.mostBytes)).map { Array($0) }
    }
}
