import Following
import Foundation
import Podium

/// Makes the evening's course of the programme: sections and cues beside the measures.
///
/// Of each piece: sections from its content (`RECORDINGS/FOLDER/content/data.xml`), cues from
/// `DATA/cues/FOLDER.csv`, where the console keeps them, or else from `RECORDINGS/FOLDER/cues.csv`. A list that
/// cannot be used costs its piece the cues, not the evening.
struct ServeCourse {
    var recordings: String
    var data: String

    /// - Parameter trouble: gets a fault for each cue list that cannot be used: its piece begins without cues, and the
    ///   file is kept.
    func course(
        of programme: Programme, folders: [String], trouble: (Fault) -> Void = { _ in }
    ) throws(LiveFailure) -> ShowCourse {
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
        return withCues(course, trouble)
    }

    /// Where the console's cue list of a piece lies.
    func cueFile(_ folder: String) -> String { "\(data)/cues/\(folder).csv" }

    /// The fault of a cue list that cannot be used; over when the console saves a list of that piece.
    static func fault(_ folder: String) -> String { "cue-list-\(folder)" }

    private func withCues(_ course: ShowCourse, _ trouble: (Fault) -> Void) -> ShowCourse {
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
                    "The cue list \(path) cannot be used, so “\(piece.name.text)” begins without cues: \(error.sentence)"
                if path == cueFile(piece.folder), let copy = KeptCopy.make(of: path) {
                    sentence += " It is kept as \(copy)."
                }
                trouble(Fault(id: Self.fault(piece.folder), sentence: sentence))
            }
        }
        return course
    }

    private func withCues(
        _ course: ShowCourse, piece index: Int, from path: String
    ) throws(LiveFailure) -> ShowCourse {
        let bytes = try read(path)
        do throws(CueSheetFault) { return try CueSheet.read(bytes, into: course, piece: index) } catch {
            throw LiveFailure(sentence: error.sentence)
        }
    }

    private func read(_ path: String) throws(LiveFailure) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // One byte more than is read, so that a longer file is refused, not cut.
            return Array(try handle.read(upToCount: CueSheet.longestBytes + 1) ?? Data())
        } catch {
            throw LiveFailure(sentence: "it cannot be read; check its rights, and that it is a file.")
        }
    }
}
