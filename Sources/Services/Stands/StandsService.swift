import Catalogue
import Foundation
import Hosting
import Passwords
import Podium
import Rehearsal
import ServiceLifecycle
import WebServer

/// The stands service: routes of the rehearsal rooms, the output that receives positions from the show, and periodic
/// upkeep.
package final class StandsService: HostedService {
    package let hub: RoomHub
    package let output = StandsOutput()
    private let streams: PersonalStreams
    private let scoreChanges: AsyncStream<Rehearsal.Score.ID>
    private let say: @Sendable (String) -> Void
    private let print: @Sendable (Rehearsal.Score.ID, Int, [Remark]) async -> WebResponse

    /// Limits of stands that are connected at once, over all rooms.
    static let stands = ResourceQuota.Shares(
        total: 2_000, reserve: 100, perAddress: 1_000, perAccount: StandSetups.mostOfUser)

    /// - Parameters:
    ///   - clock: the show's clock.
    ///   - accounts: tells which users work on the concert.
    ///   - show: receives the commands of pinpoints.
    ///   - scoreChanges: ids of scores that have a new edition.
    ///   - say: prints a sentence for the operator.
    ///   - print: see ``RoomPrintRoutes``.
    package init(
        data: String, shelf: any ScoreLookup, accounts: CatalogueStore, course: ShowProgramme,
        clock: @escaping @Sendable () -> ShowTime,
        show: ShowInbox, scoreChanges: AsyncStream<Rehearsal.Score.ID>,
        say: @escaping @Sendable (String) -> Void,
        print: @escaping @Sendable (Rehearsal.Score.ID, Int, [Remark]) async -> WebResponse
    ) throws(CatalogueError) {
        self.print = print
        self.scoreChanges = scoreChanges
        self.say = say
        let hub = RoomHub(
            shelf: shelf,
            dependencies: RoomActor.RoomDependencies(
                store: try RoomStore(path: data + "/rooms.sqlite"), pieces: ProgrammePieceMaps(course),
                clock: clock, wall: Self.wall,
                command: { command, folder, name in
                    Task { await Self.forwardPinpoint(command, folder, name, show) }
                }, worksOnConcert: { await Self.worksOnConcert($0, accounts) },
                isActiveServer: { show.newestSnapshot.isActiveServer },
                writeFaults: RoomWriteFaults { show.post($0) }),
            // Passkeys are hashed on threads of their own, so that guessing passkeys does not delay a technician's
            // sign-in.
            hasher: PasswordHasher(atOnce: 1, waitingLimit: 64))
        self.hub = hub
        streams = PersonalStreams(Self.stands) { request in
            await StandRoutes(hub: hub).open(request)
        }
    }

    package var routes: [WebRoute] {
        StandRoutes(hub: hub).routes(streams) + RoomRoutes(hub: hub).routes
            + RoomReportRoutes(hub: hub).routes + RoomPrintRoutes(hub: hub, print: print).routes
    }

    /// Number of stands that are connected.
    var stands: Int { streams.count }

    package var outputs: [any ShowOutput] { [output] }
    package var guardsItsChanges: Bool { true }

    package var stores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .rooms,
                // Loads the rooms before the first musician needs them; if that fails, the next request tries again.
                onBecomingActive: { [hub] in _ = try? await hub.waitUntilLoaded() }
            ) { [hub] _ in hub.dropAll() }
        ]
    }

    /// Turns pages and maintains the rehearsal rooms until shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                group.addTask { [hub, scoreChanges] in
                    for await score in scoreChanges { await hub.scoreChanged(score) }
                }
                group.addTask { [hub, say] in
                    for sentence in await Self.sentences(of: hub, say) { say(sentence + "\n") }
                    await hub.run()
                }
                group.addTask { [hub, output] in
                    for await _ in output.positionSignals {
                        if let place = output.takeNewest() { await hub.setPosition(place) }
                    }
                }
            }
        }
    }

    /// Waits until the rooms are loaded, trying every two seconds, and returns a sentence for each room that cannot
    /// be read.
    private static func sentences(
        of hub: RoomHub, _ say: @Sendable (String) -> Void
    ) async -> [String] {
        var said: String?
        while !Task.isCancelled {
            do throws(RoomError) { return try await hub.waitUntilLoaded() } catch {
                if error.sentence != said { say("No room can be opened: \(error.sentence)\n") }
                said = error.sentence
            }
            try? await Task.sleep(for: .seconds(2))
        }
        return []
    }

    private static let wall: @Sendable () -> RoomTime = {
        RoomTime(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1_000).rounded()))
    }

    private static func worksOnConcert(_ user: Rehearsal.User.ID, _ accounts: CatalogueStore) async -> Bool {
        if user == RoomPerson.idWithoutSignIn { return true }
        // If the accounts cannot be read, the user counts as no member of staff.
        let found = (try? await accounts.accounts())?.first { $0.id.rawValue == user.description }
        guard let account = found, account.disabled == nil else { return false }
        return account.role != .musician
    }

    /// Sends a pinpoint's command to the show. It is checked again here: the piece or rehearsal mode may have ended
    /// since the tap.
    private static func forwardPinpoint(
        _ command: PodiumCommand, _ folder: String, _ name: String, _ show: ShowInbox
    ) async {
        let picture = show.newestSnapshot
        guard picture.state.isRehearsal, picture.piece.folder == folder else { return }
        if let waiting = waitingCommand(for: command, picture.state) {
            let answer = await show.submit(
                .command(waiting, by: CommandSender(name: name, role: .automation), epoch: nil))
            if case .done = answer { return }
        }
        _ = await show.submit(.command(command, by: CommandSender(name: name, role: .conductor), epoch: nil))
    }

    /// Replaces "the music is at this bar now" by "begin at this bar", so that the follower waits there until the
    /// players begin.
    ///
    /// "The music is at this bar now" would let the follower run on by tempo, and turn pages, while the conductor is
    /// still speaking.
    /// - Returns: nil if a conductor's stand may not do that now.
    package static func waitingCommand(for command: PodiumCommand, _ state: PodiumState) -> PodiumCommand? {
        guard case .barIsNow(let place?) = command, !state.isLocked, !state.holder.isPerson else {
            return nil
        }
        return .piece(state.piece, .place(place))
    }
}
