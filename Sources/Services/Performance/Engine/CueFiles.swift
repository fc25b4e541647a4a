import Foundation
import Hosting
import Podium
import Synchronization

/// Saves edited cue lists as files in the data folder, so that the next show begins with them.
final class CueFiles: ShowOutput {
    private let files: Files
    private let newest: Mutex<ShowProgramme>

    /// Writes the files one after another, away from the show engine's thread.
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
                // This show continues with the edited list, and its log contains it; only the next show would begin
                // without it.
                trouble(
                    TechnicalFault(
                        id: "cue-file",
                        sentence:
                            "The cue list could not be saved in \(path) for the next show; free disk space, "
                            + "and save the list once more. Tonight's show uses it as edited."))
                return false
            }
        }
    }

    /// - Parameters:
    ///   - course: the programme whose cue lists are already in the files.
    ///   - trouble: called with the fault if a file cannot be written.
    ///   - mended: called with the id of the fault that ended because a cue list was written again.
    init(
        _ course: ShowProgramme, _ place: ServeCourse,
        trouble: @escaping @Sendable (TechnicalFault) -> Void = { _ in },
        mended: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        files = Files(course, place, trouble, mended)
        newest = Mutex(course)
    }

    func carry(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func show(_ picture: DeskPicture) {
        let isNews = newest.withLock { newest in
            defer { newest = picture.course }
            return newest != picture.course
        }
        guard isNews else { return }
        Task { await keepNewest() }
    }

    /// Waits until the last edits are on disk.
    func close() async { await keepNewest() }

    /// Always saves the newest programme, in whatever order the tasks run.
    private func keepNewest() async { await files.keep(newest.withLock { $0 }) }
}
