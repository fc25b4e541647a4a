import Catalogue
import Foundation
import Hosting
import Platform
import Score
import ServiceLifecycle
import WebServer

/// The service with which students practise: their pages get what they need to follow a piece, and may send takes for
/// reports.
package struct StudentsService: HostedService {
    let pieces: PracticePieces
    let recordings: String
    let takes: TakeStore
    let reporter: TakeReporter
    let erasures: TakeErasures
    /// Whom students let see their reports.
    let catalogue: CatalogueStore
    /// The show whose follower can hear a tablet; nil if the server has no show.
    let hearing: ShowHearing?
    /// The name in the concert of a piece that listeners may follow by their own microphones; nil if they may none.
    let pieceInConcert: (@Sendable (PieceName) -> String?)?
    let microphones: ShowMicrophones
    let partnerSound: PartnerSound
    let scoreHolds: ScoreHolds
    let scoreNotes = ScoreNotes()
    let partnerQuota = SharedResourceQuota(Self.partnerLimits)
    let sendingQuota = SharedResourceQuota(Self.sendingLimits)
    /// The time at which the service was made, in milliseconds since 1970. Takes from before it are not being
    /// written any more.
    private let startedAt: Int64

    /// Creates the service.
    /// - Parameters:
    ///   - data: the data folder, in which takes are kept.
    ///   - models: the folder of prepared models.
    ///   - recordings: the folder of recordings, which names the sections of pieces.
    ///   - catalogue: notes which takes and which accounts were deleted, and who may see which reports.
    ///   - hearing: the show whose follower can hear a tablet; nil if there is none.
    ///   - pieceInConcert: gives the name that a piece has in the concert, which listeners may then follow by their own
    ///     microphones; nil if they may follow none.
    package init(
        data: String, models: String, recordings: String, catalogue: CatalogueStore,
        hearing: ShowHearing? = nil, pieceInConcert: (@Sendable (PieceName) -> String?)? = nil
    ) throws(RealTimeError) {
        (self.hearing, self.pieceInConcert) = (hearing, pieceInConcert)
        microphones = ShowMicrophones(input: hearing?.input)
        startedAt = Int64(Date().timeIntervalSince1970 * 1_000)
        pieces = PracticePieces(modelsFolder: models, recordings: recordings, data: data)
        partnerSound = try PartnerSound()
        scoreHolds = ScoreHolds(thread: try PracticeThread(name: "score-holds"))
        self.recordings = recordings
        self.catalogue = catalogue
        takes = TakeStore(data: data)
        // What was arriving when the server ended comes again.
        try? FileManager.default.removeItem(atPath: takes.arrivingFolder)
        try? FileManager.default.createDirectory(
            atPath: takes.arrivingFolder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        erasures = TakeErasures(catalogue: catalogue, takes: takes)
        reporter = TakeReporter(
            modelsFolder: models, recordings: recordings, thread: try PracticeThread(name: "take-report"))
    }

    /// The takes that are complete. What arrives of an account that is gone is deleted at once.
    package var replicatedFolders: [ReplicatedFolder] {
        [takes.replicatedFolder(onArrival: erasures.carryOut)]
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue) { [erasures] tables in
                if !tables.isDisjoint(with: ["erasure", "all"]) { await erasures.carryOut() }
            }
        ]
    }

    package func run() async throws {
        let (takes, startedAt) = (takes, startedAt)
        await Task.detached(priority: .utility) { takes.completeInterrupted(before: startedAt) }.value
        await erasures.carryOut()
        await cancelWhenGracefulShutdown { [self, erasures] in
            async let watching: Void = watchMicrophones()
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(5))
                // `baton user remove` deletes accounts while the server runs.
                await erasures.carryOut()
            }
            await watching
        }
    }
}
