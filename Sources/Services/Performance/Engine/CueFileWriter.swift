import Foundation
import Hosting
import Platform
import Podium
import Synchronization
import Titles

/// Saves edited cue lists and lists of titles as files in the data folder, so that the next show begins with them.
final class CueFileWriter: ShowOutput {
    private let fileWriter: SerialFileWriter
    private let newestProgramme: Mutex<ShowProgramme>

    /// Writes the files one after another, on another thread than the show engine's.
    private actor SerialFileWriter {
        private var savedProgramme: ShowProgramme
        private let programmeBuilder: ShowProgrammeBuilder
        private let reportFault: @Sendable (TechnicalFault) -> Void
        private let reportFaultEnd: @Sendable (String) -> Void

        init(
            _ course: ShowProgramme, _ place: ShowProgrammeBuilder,
            _ trouble: @escaping @Sendable (TechnicalFault) -> Void,
            _ faultEnded: @escaping @Sendable (String) -> Void
        ) {
            self.savedProgramme = course
            self.programmeBuilder = place
            self.reportFault = trouble
            self.reportFaultEnd = faultEnded
        }

        func saveChangedLists(_ new: ShowProgramme) {
            for (index, piece) in new.pieces.enumerated() {
                // A piece that was added has the lists of its files.
                guard let old = savedProgramme.pieces.first(where: { $0.folder == piece.folder })
                else { continue }
                if old.cues != piece.cues,
                    writeFile(
                        CueSheet.csv(of: new, piece: index), to: programmeBuilder.cueFilePath(piece.folder),
                        of: "cue")
                {
                    reportFaultEnd(ShowProgrammeBuilder.cueListFaultID(piece.folder))
                }
                if old.titles != piece.titles,
                    writeFile(
                        TitleSheet.csv(of: piece.titles), to: programmeBuilder.titleFilePath(piece.folder),
                        of: "title")
                {
                    reportFaultEnd(ShowProgrammeBuilder.titleListFaultID(piece.folder))
                }
            }
            savedProgramme = new
        }

        private func writeFile(_ text: String, to path: String, of kind: String) -> Bool {
            do {
                try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
                try DurableFile.write(text.utf8, to: path)
                return true
            } catch {
                // This show continues with the edited list, and its log contains it; only the next show would begin
                // without it.
                reportFault(
                    TechnicalFault(
                        id: "\(kind)-file",
                        sentence:
                            "The \(kind) list could not be saved in \(path) for the next show; free disk space, "
                            + "and save the list once more. Tonight's show uses it as edited."))
                return false
            }
        }
    }

    /// Creates a writer that saves every later change of a list.
    /// - Parameters:
    ///   - course: the programme whose lists are already in the files.
    ///   - trouble: called with the fault if a file cannot be written.
    ///   - faultEnded: called each time a list is written, with the id of the fault “this list cannot be used”.
    init(
        _ course: ShowProgramme, _ place: ShowProgrammeBuilder,
        trouble: @escaping @Sendable (TechnicalFault) -> Void = { _ in },
        faultEnded: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        fileWriter = SerialFileWriter(course, place, trouble, faultEnded)
        newestProgramme = Mutex(course)
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let isNews = newestProgramme.withLock { newest in
            defer { newest = snapshot.programme }
            return newest != snapshot.programme
        }
        guard isNews else { return }
        Task { await saveNewestProgramme() }
    }

    /// Waits until the last edits are on disk.
    func close() async { await saveNewestProgramme() }

    /// Saves the newest programme, whichever edit the task was started for.
    private func saveNewestProgramme() async {
        await fileWriter.saveChangedLists(newestProgramme.withLock { $0 })
    }
}
