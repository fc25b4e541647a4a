import Catalogue
import Hosting
import Rehearsal
import ServiceLifecycle
import Synchronization
import WebServer

/// Serves the remarks of scores: a reader's own, those of sections, those for everybody in a room, and sets that people
/// give each other.
package final class RemarkingService: HostedService {
    /// The numbers of readers that may be connected to learn of changes. Each stand may be one.
    static let connectionLimits = ResourceQuota.Limits(
        total: 2_000, reserve: 100, perAddress: 1_000, perAccount: 16)

    let desk: RemarkDesk
    private let streams: PersonalStreams
    private let printing: PartPrinting

    /// - Parameters:
    ///   - isActive: true if this server is the active one.
    ///   - space: shared with the rooms; one of its own if nil.
    ///   - rooms: the rooms, whose members write for everybody.
    ///   - printing: prints parts; shared with the stands, so that a user has one place.
    package init(
        catalogue: CatalogueStore, shelf: any ScoreLookup, isActive: @escaping @Sendable () -> Bool,
        space: RemarkSpace? = nil, rooms: RemarkRooms = RemarkRooms(), printing: PartPrinting
    ) {
        let desk = RemarkDesk(
            catalogue: catalogue, shelf: shelf, isActive: isActive, space: space, rooms: rooms)
        self.desk = desk
        self.printing = printing
        streams = PersonalStreams(Self.connectionLimits) { await RemarkRoutes(desk: desk).openStream($0) }
    }

    package var routes: [WebRoute] {
        RemarkRoutes(desk: desk).routes(streams) + LayerRoutes(desk: desk).routes
            + LeaderRoutes(desk: desk).routes + GiftRoutes(desk: desk).routes
            + RemarkSearchRoute(desk: desk).routes + ScorePrintRoute(desk: desk, printing: printing).routes
    }

    package var replicatedStores: [ReplicatedStore] {
        [ReplicatedStore(.catalogue) { [desk] _ in desk.readers.announceToAll() }]
    }

    /// Tells readers of what was written through rooms. Sends beats to connected readers every two seconds, and looks
    /// every ten seconds whether they still have their scores.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [desk] in
            await withTaskGroup { group in
                group.addTask { for await score in desk.rooms.changedScores { desk.readers.announce(score) } }
                group.addTask {
                    var round = 0
                    while !Task.isCancelled {
                        desk.readers.sendBeat()
                        if round % 5 == 4 { await desk.disconnectReadersWithoutRight() }
                        round += 1
                        try? await Task.sleep(for: .seconds(2))
                    }
                }
            }
        }
    }
}

/// The rehearsal rooms as the remarks see them: their layers, and a way to tell their stands.
package struct RemarkRooms: Sendable {
    /// The layers of the rooms that a user sees and that have had a score, or of all scores. Gives nil if the rooms
    /// cannot be read now.
    package var findLayers: @Sendable (RehearsalRoomUser, Rehearsal.Score.ID?) async -> [ScoreLayer]? = {
        _, _ in []
    }
    /// Tells the stands of rooms what a user has written for everybody in a score.
    package var tell:
        @Sendable ([(layer: ScoreLayer.ID, act: AcceptedAct)], Rehearsal.Score.ID, Rehearsal.User.ID) async ->
            Void = {
                _, _, _ in
            }
    /// Scores whose remarks have changed through a room.
    package var changedScores = AsyncStream<Rehearsal.Score.ID> { $0.finish() }

    package init() {}
}
