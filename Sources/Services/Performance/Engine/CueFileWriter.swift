import Foundation
import Hosting
import Podium
import Synchronization

/// Saves edited cue lists as files in the data folder, so that the next show begins with them.
final class CueFileWriter: ShowOutput {
    private let files: Files
    private let newest: Mutex<ShowProgramme>

    /// Writes the files one after another, away from the show engine's thread.
    private actor Files {
        private var course: ShowProgramme
        private let place: ShowProgrammeBuilder
        private let trouble: @Sendable (TechnicalFault) -> Void
        private let faultEnded: @Sendable (String) -> Void

        init(
            _ course: ShowProgramme, _ place: ShowProgrammeBuilder,
            _ trouble: @escaping @Sendable (TechnicalFault) -> Void,
            _ faultEnded: @escaping @Sendable (String) -> Void
        ) {
            self.course = course
            self.place = place
            self.trouble = trouble
            self.faultEnded = faultEnded
        }

        func save(_ new: ShowProgramme) {
            for (index, piece) in new.pieces.enumerated() {
                let old = course.pieces.first { $0.folder == piece.folder }
                guard old?.cues != piece.cues else { continue }
                if write(CueSheet.text(of: new, piece: index), to: place.cueFile(piece.folder)) {
                    faultEnded(ShowProgrammeBuilder.cueListFaultID(piece.folder))
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
        _ course: ShowProgramme, _ place: ShowProgrammeBuilder,
        trouble: @escaping @Sendable (TechnicalFault) -> Void = { _ in },
        faultEnded: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        files = Files(course, place, trouble, faultEnded)
        newest = Mutex(course)
    }

    func carryOut(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func update(_ snapshot: ShowEngineSnapshot) {
        let isNews = newest.withLock { newest in
            defer { newest = snapshot.course }
            return newest != snapshot.course
        }
        guard isNews else { return }
        Task { await saveNewest() }
    }

    /// Waits until the last edits are on disk.
    func close() async { await saveNewest() }

    /// Always saves the newest programme, in whatever order the tasks run.
    private func saveNewest() async { await files.save(newest.withLock { $0 }) }
}
