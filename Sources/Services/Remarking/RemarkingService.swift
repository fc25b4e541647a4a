import Catalogue
import Hosting
import Rehearsal
import ServiceLifecycle
import Synchronization
import WebServer

/// Serves the remarks that belong to scores: a reader's own, those of sections, and sets that people give each other.
///
/// Rooms show them too; the remarks of a room's sessions belong to the service of the stands.
package final class RemarkingService: HostedService {
    /// The numbers of readers that may be connected to learn of changes. Each stand may be one.
    static let connectionLimits = ResourceQuota.Limits(
        total: 2_000, reserve: 100, perAddress: 1_000, perAccount: 16)

    let desk: RemarkDesk
    private let streams: PersonalStreams
    private let printing: PartPrinting

    /// - Parameters:
    ///   - isActive: true if this server is the active one.
    ///   - findRoomRemarks: finds texts on the public layers of the rooms that a user may see.
    ///   - printing: prints parts; shared with the stands, so that a user has one place.
    package init(
        catalogue: CatalogueStore, shelf: any ScoreLookup, isActive: @escaping @Sendable () -> Bool,
        findRoomRemarks: @escaping FindRoomRemarks, printing: PartPrinting
    ) {
        let desk = RemarkDesk(
            catalogue: catalogue, shelf: shelf, isActive: isActive, findRoomRemarks: findRoomRemarks)
        self.desk = desk
        self.printing = printing
        streams = PersonalStreams(Self.connectionLimits) { await RemarkRoutes(desk: desk).openStream($0) }
    }

    /// Finds texts of a room's remarks that have all words of a query.
    package typealias FindRoomRemarks =
        @Sendable (_ query: String, RehearsalRoomUser) async -> [FoundRoomRemark]

    package var routes: [WebRoute] {
        RemarkRoutes(desk: desk).routes(streams) + LayerRoutes(desk: desk).routes
            + LeaderRoutes(desk: desk).routes + GiftRoutes(desk: desk).routes
            + RemarkSearchRoute(desk: desk).routes + ScorePrintRoute(desk: desk, printing: printing).routes
    }

    package var replicatedStores: [ReplicatedStore] {
        [ReplicatedStore(.catalogue) { [desk] _ in desk.readers.announceToAll() }]
    }

    /// Sends beats to connected readers every two seconds, and looks every ten seconds whether they still have their
    /// scores.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [desk] in
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

/// A text on a public layer of a room.
package struct FoundRoomRemark: Sendable {
    package var room: RehearsalRoom.ID
    package var roomName: String
    package var score: Rehearsal.Score.ID
    package var remark: Remark

    package init(room: RehearsalRoom.ID, roomName: String, score: Rehearsal.Score.ID, remark: Remark) {
        self.room = room
        self.roomName = roomName
        self.score = score
        self.remark = remark
    }
}
