import Concert
import Foundation
import Hosting
import WebServer

/// Deletes the tabs of accounts that were removed: the pieces, and the models and recordings that were made of them.
/// A tab on the programme of the show goes when it has left the programme.
struct TabPieceCleanup: Sendable {
    let library: DraftLibrary
    let queue: PreparationQueue
    /// The absolute paths of the folders of all models and of all recordings.
    let models: String
    let recordings: String
    let isOnProgramme: @Sendable (String) -> Bool
    /// Returns the ids of the accounts that were removed.
    let removedAccounts: @Sendable () async -> [String]

    @Sendable func carryOut() async {
        let removed = Set(await removedAccounts())
        guard !removed.isEmpty else { return }
        for record in await library.tabPieces()
        where record.tabOwner.map(removed.contains) == true && !isOnProgramme(TabPieces.folder(of: record.id))
        {
            do throws(Refusal) { try await library.delete(record.id) } catch { continue }
            await queue.forget(record.id)
        }
        // Also folders whose piece was deleted while they were on the programme.
        let owners = TabPieceOwners(recordings: recordings)
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: recordings)) ?? []
        where folder.hasPrefix(TabPieces.folderPrefix) && !isOnProgramme(folder) {
            guard let owner = owners.owner(of: folder), removed.contains(owner) else { continue }
            Self.removeWhatWasMade(folder, models: models, recordings: recordings)
        }
    }

    /// Removes the model and the recordings of a tab.
    static func removeWhatWasMade(_ folder: String, models: String, recordings: String) {
        // The file that names the owner goes last, so that the model is private as long as it is there.
        for place in [models, recordings] {
            try? FileManager.default.removeItem(atPath: place + "/" + folder)
        }
    }
}
