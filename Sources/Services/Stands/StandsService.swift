import Catalogue
import Foundation
import Hosting
import Platform
import Podium
import Rehearsal
import ServiceLifecycle
import WebServer

/// Serves the stands: the routes of the rehearsal rooms, the output that receives positions from the show, and periodic
/// upkeep.
package final class StandsService: HostedService {
    package let roomHub: RoomHub
    package let output = StandsOutput()
    private let streams: PersonalStreams
    private let scoreChanges: AsyncStream<Rehearsal.Score.ID>
    private let printSentence: @Sendable (String) -> Void
    private let tuningAnalyst: TuningAnalyst?
    private let histories = RoomHistories()
    private let printing: PartPrinting
    private let storeCrop: @Sendable (Rehearsal.Score.ID, [UInt8]) async -> WebResponse
    private let catalogue: CatalogueStore
    private let isEveningOver: @Sendable () -> Bool
    /// The scores whose remarks have changed through a room.
    package let scoresWithChangedRemarks: AsyncStream<Rehearsal.Score.ID>

    /// Limits how many stands may be connected at once, over all rooms.
    static let connectionLimits = ResourceQuota.Limits(
        total: 2_000, reserve: 100, perAddress: 1_000, perAccount: StandSetups.mostPerUser)

    /// - Parameters:
    ///   - clock: the show's clock.
    ///   - catalogue: has the remarks of scores, and tells which users work on the concert.
    ///   - show: receives commands when a conductor points at a bar on a stand.
    ///   - findOtherServer: returns the address of the pages of the other server of a pair; nil without one.
    ///   - scoreChanges: ids of scores that have a new edition.
    ///   - sound: the recordings of sessions and the models of pieces, for statistics; nil if there are none.
    ///   - say: prints a sentence for the operator.
    ///   - printing: prints parts, for ``RoomPrintRoutes``.
    ///   - isEveningOver: true if the server shuts down because the evening has ended.
    ///   - crop: stores the margins of a part; see ``RoomCropRoutes``.
    package init(
        data: String, shelf: any ScoreLookup, catalogue: CatalogueStore,
        clock: @escaping @Sendable () -> ShowTime,
        show: ShowInbox, findOtherServer: @escaping @Sendable () -> String? = { nil },
        scoreChanges: AsyncStream<Rehearsal.Score.ID>, sound: RehearsalSound? = nil,
        say: @escaping @Sendable (String) -> Void,
        isEveningOver: @escaping @Sendable () -> Bool = { false },
        printing: PartPrinting,
        crop: @escaping @Sendable (Rehearsal.Score.ID, [UInt8]) async -> WebResponse
    ) throws(CatalogueError) {
        self.printing = printing
        self.isEveningOver = isEveningOver
        tuningAnalyst = sound.map(TuningAnalyst.init)
        self.storeCrop = crop
        self.catalogue = catalogue
        let changedRemarks: AsyncStream<Rehearsal.Score.ID>.Continuation
        (scoresWithChangedRemarks, changedRemarks) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(1_000))
        self.scoreChanges = scoreChanges
        self.printSentence = say
        let hub = RoomHub(
            scoreLookup: shelf,
            dependencies: RoomActor.RoomDependencies(
                store: try RehearsalRoomStore(path: data + "/rooms.sqlite"), catalogue: catalogue,
                remarkSpace: RemarkSpace(catalogue), remarksChanged: { changedRemarks.yield($0) },
                readPieceMaps: { ProgrammePieceMaps(show.newestSnapshot.programme) },
                showClock: clock, wallClock: Self.wallClock,
                sendPinpointCommand: { command, folder, name in
                    Task { await Self.forwardPinpointCommand(command, folder, name, show) }
                }, worksOnConcert: { await Self.worksOnConcert($0, catalogue) },
                isActiveServer: { show.newestSnapshot.isActiveServer }, findOtherServer: findOtherServer,
                writeFaultReporter: RoomWriteFaultReporter { show.post($0) }),
            // Passkeys are hashed on threads of their own, so that guessing passkeys does not delay a technician's
            // sign-in.
            hasher: PasswordHasher(atOnce: 1, waitingLimit: 64))
        self.roomHub = hub
        streams = PersonalStreams(Self.connectionLimits) { request in
            await StandRoutes(roomHub: hub).openStream(request)
        }
    }

    package var routes: [WebRoute] {
        StandRoutes(roomHub: roomHub).routes(streams) + RoomRoutes(roomHub: roomHub).routes
            + RoomReportRoutes(roomHub: roomHub).routes
            + RoomStatisticsRoutes(roomHub: roomHub, analyst: tuningAnalyst, history: histories).routes
            + RoomProgrammeRoutes(roomHub: roomHub).routes
            + SetlistRoutes(roomHub: roomHub).routes
            + RoomPrintRoutes(
                roomHub: roomHub,
                ownRemarks: { [catalogue] in (try? await catalogue.ownRemarks(of: $0, in: $1)) ?? [] },
                printing: printing
            ).routes
            + RoomCropRoutes(roomHub: roomHub, storeCrop: storeCrop).routes
    }

    /// Number of stands that are connected.
    var connectedStandCount: Int { streams.openStreamCount }

    package var showOutputs: [any ShowOutput] { [output] }
    package var refusesChangesWhileInactive: Bool { true }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .rooms,
                // Loads the rooms before the first musician needs them; if that fails, the next request tries again.
                onBecomingActive: { [roomHub] in
                    _ = try? await roomHub.waitUntilRoomsLoaded()
                    try? await roomHub.carryRemarks()
                }
            ) { [roomHub] _ in roomHub.dropAllRooms() }
        ]
    }

    /// Turns pages and maintains the rehearsal rooms until shutdown.
    package func run() async throws {
        defer { tuningAnalyst?.interruptAll() }
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                group.addTask { [roomHub, scoreChanges] in
                    for await score in scoreChanges { await roomHub.adoptChangedScore(score) }
                }
                group.addTask { [roomHub, printSentence] in
                    for sentence in await Self.sentencesAboutUnreadableRooms(of: roomHub, printSentence) {
                        printSentence(sentence + "\n")
                    }
                    await roomHub.runPeriodicUpkeep()
                }
                group.addTask { [roomHub, output] in
                    for await _ in output.positionSignals {
                        if let place = output.takeNewestPosition() {
                            await roomHub.passPositionToRooms(place)
                        }
                    }
                }
            }
        }
        if isEveningOver() { await roomHub.endEvening() }
    }

    /// Waits until the rooms are loaded, and tries again every two seconds if loading fails.
    /// - Returns: a sentence for each room that cannot be read.
    private static func sentencesAboutUnreadableRooms(
        of hub: RoomHub, _ say: @Sendable (String) -> Void
    ) async -> [String] {
        var said: String?
        while !Task.isCancelled {
            do throws(Refusal) { return try await hub.waitUntilRoomsLoaded() } catch {
                if error.sentence != said { say("No room can be opened: \(error.sentence)\n") }
                said = error.sentence
            }
            try? await Task.sleep(for: .seconds(2))
        }
        return []
    }

    private static let wallClock: @Sendable () -> CalendarTime = {
        CalendarTime(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1_000).rounded()))
    }

    private static func worksOnConcert(_ user: Rehearsal.User.ID, _ accounts: CatalogueStore) async -> Bool {
        if user == RehearsalRoomUser.idWithoutSignIn { return true }
        // If the accounts cannot be read, the user counts as no member of staff.
        let found = (try? await accounts.accounts())?.first { $0.id.rawValue == user.description }
        guard let account = found, account.disabledAt == nil else { return false }
        return account.role != .musician
    }

    /// Sends the show the command of a conductor who points at a bar. The conditions are checked again here, because
    /// the piece or the rehearsal mode may have ended since the tap.
    private static func forwardPinpointCommand(
        _ command: PodiumCommand, _ folder: String, _ name: String, _ show: ShowInbox
    ) async {
        let picture = show.newestSnapshot
        guard picture.state.isRehearsal, picture.piece.folder == folder else { return }
        if let waiting = beginPieceCommand(for: command, picture.state) {
            let answer = await show.submitEvent(
                .command(waiting, by: CommandSender(name: name, role: .automation), epoch: nil))
            if case .done = answer { return }
        }
        _ = await show.submitEvent(
            .command(command, by: CommandSender(name: name, role: .conductor), epoch: nil))
    }

    /// Replaces "the music is at this bar now" by "begin at this bar", so that the follower waits there for the
    /// players.
    ///
    /// "The music is at this bar now" would let the follower run on by tempo, and turn pages, while the conductor is
    /// still speaking.
    /// - Returns: nil if a conductor's stand may not send that command now.
    package static func beginPieceCommand(for command: PodiumCommand, _ state: PodiumState) -> PodiumCommand?
    {
        guard case .beginMeasureNow(let place?) = command, !state.isLocked, !state.holder.isPerson else {
            return nil
        }
        return .beginPiece(state.piece, .place(place))
    }
}

extension StandsService {
    /// The space for remarks, which those outside rooms share.
    package var remarkSpace: RemarkSpace { roomHub.dependencies.remarkSpace }

    /// See ``RoomHub/remarkLayers(of:in:)``.
    package func remarkLayers(of person: RehearsalRoomUser, in score: Rehearsal.Score.ID?) async
        -> [ScoreLayer]?
    {
        await roomHub.remarkLayers(of: person, in: score)
    }

    /// See ``RoomHub/tell(_:in:by:)``.
    package func tell(
        _ acts: [(layer: ScoreLayer.ID, act: AcceptedAct)], in score: Rehearsal.Score.ID,
        by user: Rehearsal.User.ID
    ) async { await roomHub.tell(acts, in: score, by: user) }

    /// True if the person leads a room of the concert whose session runs.
    package func leadsRehearsal(_ person: WebPerson) async -> Bool {
        guard let user = RehearsalRoomUser(person), let rooms = try? await roomHub.allRooms() else {
            return false
        }
        for room in rooms { if await room.isLedInRehearsal(by: user.id) { return true } }
        return false
    }
}
