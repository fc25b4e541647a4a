import Foundation
import Hosting
import Podium
import Synchronization

/// Keeps edited cue lists beside the show log, so that the next evening begins with them.
package final class CueFiles: ShowOutput {
    private let files: Files
    private let newest: Mutex<ShowProgramme>

    /// Writes one list after another, away from the desk's thread.
    private actor Files {
        private var course: ShowProgramme
        private let place: ServeCourse
        private let trouble: @Sendable (TechnicalFault) -> Void
        private let mended: @Sendable (String) -> Void

        init(
            _ course: ShowProgramme, _ place: ServeCourse,
            _ trouble: @escaping @Sendable (TechnicalFault) -> Void,
            _ mended: @escaping @Sendable (String) -> Void
        ) {
            self.course = course
            self.place = place
            self.trouble = trouble
            self.mended = mended
        }

        func keep(_ new: ShowProgramme) {
            for (index, piece) in new.pieces.enumerated() {
                let old = course.pieces.first { $0.folder == piece.folder }
                guard old?.cues != piece.cues else { continue }
                if write(CueSheet.text(of: new, piece: index), to: place.cueFile(piece.folder)) {
                    mended(ServeCourse.fault(piece.folder))
                }
            }
            course = new
        }

        private func write(_ text: String, to path: String) -> Bool {
            do {
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
                return true
            } catch {
                // This show goes on with the list, and its log has it: only the next one would begin without.
                trouble(
                    TechnicalFault(
                        id: "cue-file",
                        sentence:
                            "The cue list could not be kept in \(path) for the next show; free the disk, "
                            + "and save the list once more. Tonight it is used as edited."))
                return false
            }
        }
    }

    /// - Parameters:
    ///   - course: whose lists lie in the files already.
    ///   - trouble: told of a list that could not be written.
    ///   - mended: told which fault of ``ServeCourse`` is over, because the list was written anew.
    package init(
        _ course: ShowProgramme, _ place: ServeCourse,
        trouble: @escaping @Sendable (TechnicalFault) -> Void = { _ in },
        mended: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        files = Files(course, place, trouble, mended)
        newest = Mutex(course)
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func show(_ picture: DeskPicture) {
        let isNews = newest.withLock { newest in
            defer { newest = picture.course }
            return newest != picture.course
        }
        guard isNews else { return }
        Task { await keepNewest() }
    }

    /// What was edited last is on the disk.
    package func close() async { await keepNewest() }

    /// Whichever task comes first, the newest course is what is kept.
    private func keepNewest() async { await files.keep(newest.withLock { $0 }) }
}
