import Basics
import Foundation
import Hosting
import Podium

/// Takes pieces of the programme that were prepared anew, or have a new reference, into the running show.
extension ProgrammeChanger {
    /// Looks which models have changed, and has one of them followed: at once if its piece is not the current one, and
    /// otherwise as soon as the piece is awaited. Each is announced to the consoles. To be called every few seconds.
    package func takeModels() async {
        let snapshot = inbox.newestSnapshot
        let (programme, state) = (snapshot.programme, snapshot.state)
        guard snapshot.isActiveServer, !programme.isEmpty, exchange.follows(programme), !isChanging else {
            return
        }
        noteModelDates(of: exchange.newest.box)
        let changed = changedModels(of: programme)
        for folder in awaitedModels.keys where changed[folder] == nil {
            awaitedModels[folder] = nil
            announce("“\(name(of: folder, in: programme))” is followed as it was prepared anew.")
        }
        guard !state.isLocked, state.check == nil else { return }
        let current = programme.pieces[state.piece].folder
        for (folder, date) in changed.sorted(by: { $0.key < $1.key }) {
            if folder == current, !state.awaitsPiece {
                guard awaitedModels[folder] != true else { continue }
                awaitedModels[folder] = true
                announce(
                    "“\(name(of: folder, in: programme))” was prepared anew. The show takes it when this performance of "
                        + "it is over.")
            } else if preparedModelDates?.dates[folder] != date || !exchange.hasPrepared(for: programme) {
                awaitedModels[folder] = awaitedModels[folder] ?? false
                return await take(folder, into: snapshot)
            }
        }
    }

    /// The folders of the pieces whose models have changed since they were loaded, with the new dates.
    private func changedModels(of programme: ShowProgramme) -> [String: Date] {
        var changed: [String: Date] = [:]
        for folder in programme.folders {
            guard let date = Self.modelDate(of: folder, loader), date != loadedModelDates[folder],
                date != unusableModelDates[folder]
            else { continue }
            changed[folder] = date
        }
        return changed
    }

    private func take(_ folder: String, into snapshot: ShowEngineSnapshot) async {
        isChanging = true
        defer { isChanging = false }
        let programme = snapshot.programme
        let pieces = Set(programme.pieces.indices.filter { programme.pieces[$0].folder == folder })
        do {
            let made = try await makeFollowedProgramme(
                title: programme.title, folders: programme.folders, keeping: { !pieces.contains($0) })
            let renewed = try builder.buildProgramme(
                of: made.programme, at: programme.evening, folders: programme.folders,
                intermissions: programme.intermissions)
            if renewed.hasSameMusic(as: programme) {
                _ = keepPrepared(made, for: programme, renewed: pieces)
            } else if keepPrepared(made, for: renewed) {
                switch await inbox.submitProgramme(renewed, changing: programme.orderRevision) {
                case .done, .doneButNotSaved: break
                case .refused, .busy, .notActiveServer: exchange.dropPrepared()
                }
            }
        } catch {
            unusableModelDates[folder] = Self.modelDate(of: folder, loader)
            awaitedModels[folder] = nil
            announce(
                "“\(name(of: folder, in: programme))” was prepared anew and cannot be loaded, so the show goes on with "
                    + "it as it was: \(error.explanation)")
        }
    }

    private func name(of folder: String, in programme: ShowProgramme) -> String {
        programme.pieces.first { $0.folder == folder }?.name.text ?? folder
    }

    /// Tells the consoles, and the show log.
    private func announce(_ sentence: String) {
        notify(sentence)
        inbox.post(.command(.logNote(sentence), by: CommandSender(name: "the server", role: .automation)))
    }
}
