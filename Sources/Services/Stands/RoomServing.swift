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
package final class RoomServing: HostedService {
    package let hub: RoomHub
    package let output = RoomsOutput()
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
        data: String, shelf: any ScoreShelf, accounts: CatalogueStore, course: ShowProgramme,
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
            around: LiveRoom.Surroundings(
                store: try RoomStore(path: data + "/rooms.sqlite"), pieces: PlayedPieces(course),
                clock: clock, wall: Self.wall,
                command: { command, folder, name in
                    Task { await Self.obey(command, folder, name, show) }
                }, isStaff: { await Self.isStaff($0, accounts) },
                reigns: { show.newestPicture.isOurs },
                trouble: RoomTrouble { show.tell($0) }),
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
                takeOver: { [hub] in _ = try? await hub.loaded() }
            ) { [hub] _ in hub.forget() }
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
                    for await _ in output.rings {
                        if let place = output.fetch() { await hub.hear(place) }
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
            do throws(RoomFault) { return try await hub.loaded() } catch {
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

    private static func isStaff(_ user: Rehearsal.User.ID, _ accounts: CatalogueStore) async -> Bool {
        if user == RoomPerson.localID { return true }
        // If the accounts cannot be read, the user counts as no member of staff.
        let found = (try? await accounts.accounts())?.first { $0.id.rawValue == user.description }
        guard let account = found, account.disabled == nil else { return false }
        return account.role != .musician
    }

    /// Sends a pinpoint's command to the show. It is checked again here: the piece or rehearsal mode may have ended
    /// since the tap.
    private static func obey(
        _ command: PodiumCommand, _ folder: String, _ name: String, _ show: ShowInbox
    ) async {
        let picture = show.newestPicture
        guard picture.state.isRehearsal, picture.piece.folder == folder else { return }
        if let waiting = waiting(for: command, picture.state) {
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
    package static func waiting(for command: PodiumCommand, _ state: PodiumState) -> PodiumCommand? {
        guard case .barIsNow(let place?) = command, !state.isLocked, !state.holder.isPerson else {
            return nil
        }
        return .piece(state.piece, .place(place))
    }
}
