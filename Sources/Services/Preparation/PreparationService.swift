import Foundation
import Hosting
import ReferenceStore
import ServiceLifecycle
import WebServer

/// The service with which people prepare pieces in the browser: recordings, bars, references and the finished model.
package struct PreparationService: HostedService {
    let library: DraftLibrary
    let uploads: DraftUploads
    let queue: PreparationQueue
    let intake: UploadIntake
    let evenings: any RecordedEvenings
    let say: @Sendable (String) -> Void
    /// The absolute paths of the folders of all models and of all recordings.
    let models: String
    let recordings: String
    /// True for the folder of a piece that is on the programme of the show; its model is not removed.
    let isOnProgramme: @Sendable (String) -> Bool
    let tabCleanup: TabPieceCleanup
    let neighbours: PieceNeighbours?

    /// - Parameters:
    ///   - data: the data folder.
    ///   - models: the folder of prepared models.
    ///   - recordings: the folder of recordings, which gets those of prepared pieces.
    ///   - evenings: the recordings of the evenings, of which pieces can be begun.
    ///   - worker: does the work with sound.
    ///   - isOnProgramme: true for the folder of a piece that the show has on its programme.
    ///   - neighbours: what else the server has of a piece; nil for a server that prepares pieces only.
    ///   - removedAccounts: returns the ids of the accounts that were removed; their tabs go.
    ///   - diskReserve: space on the disk that is kept for the show; nil for that of the data folder.
    ///   - readMilliseconds: returns the time of day, in milliseconds since 1970.
    ///   - say: called with messages for people.
    package init(
        data: String, models: String, recordings: String, evenings: any RecordedEvenings,
        worker: any PreparationWorker, isOnProgramme: @escaping @Sendable (String) -> Bool = { _ in false },
        neighbours: PieceNeighbours? = nil,
        removedAccounts: @escaping @Sendable () async -> [String] = { [] },
        diskReserve: DiskReserve? = nil,
        readMilliseconds: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
        say: @escaping @Sendable (String) -> Void
    ) throws {
        let store = DraftStore(data: data)
        library = try DraftLibrary(store: store, readMilliseconds: readMilliseconds)
        let diskReserve = diskReserve ?? DiskReserve(folder: data)
        uploads = DraftUploads(
            store: store, diskReserve: diskReserve, readMilliseconds: readMilliseconds)
        queue = PreparationQueue(
            library: library, worker: worker,
            carrier: TaskCarrier(
                store: store, models: URL(fileURLWithPath: models).standardizedFileURL.path,
                recordings: URL(fileURLWithPath: recordings).standardizedFileURL.path,
                evenings: evenings, diskReserve: diskReserve, readMilliseconds: readMilliseconds,
                keepScore: neighbours?.keepScore))
        intake = UploadIntake(library: library, uploads: uploads, queue: queue, worker: worker)
        self.models = URL(fileURLWithPath: models).standardizedFileURL.path
        self.recordings = URL(fileURLWithPath: recordings).standardizedFileURL.path
        self.evenings = evenings
        self.isOnProgramme = isOnProgramme
        self.say = say
        self.neighbours = neighbours
        tabCleanup = TabPieceCleanup(
            library: library, queue: queue, models: self.models, recordings: self.recordings,
            isOnProgramme: isOnProgramme, removedAccounts: removedAccounts)
    }

    /// The models, each a folder. What arrives is loaded once, so that no damaged model takes the place of a sound one.
    /// People's tabs are not copied: the backup server lacks the file that makes them private, and learns them anew.
    package var replicatedFolders: [ReplicatedFolder] {
        let (models, tabs) = (models, TabPieceOwners(recordings: recordings))
        return [
            ReplicatedFolder(
                "models", path: models,
                listItems: {
                    ModelFolder(path: models).pieceNames().filter { !tabs.isTab($0) }.compactMap {
                        ReplicatedItem(folder: $0, of: models)
                    }
                },
                findDamage: { folder, piece in
                    do throws(ReferenceStoreError) {
                        _ = try ModelFolder(path: folder).loadModel(piece)
                        return nil
                    } catch { return error.sentence }
                })
        ]
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue) { [tabCleanup] tables in
                if !tables.isDisjoint(with: ["erasure", "all"]) { await tabCleanup.carryOut() }
            }
        ]
    }

    package func run() async throws {
        for case .damaged(_, let fault) in await library.list() { say(fault.sentence + "\n") }
        await tabCleanup.carryOut()
        await queue.resume()
        await cancelWhenGracefulShutdown { [tabCleanup] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(5))
                // `baton user remove` deletes accounts while the server runs.
                await tabCleanup.carryOut()
            }
        }
        await queue.stop()
    }
}
