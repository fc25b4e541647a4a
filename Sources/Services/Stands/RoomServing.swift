import Catalogue
import Foundation
import Hosting
import Passwords
import Podium
import Rehearsal
import ServiceLifecycle
import WebServer

/// Everything of rehearsal rooms that a running server has: routes, the output of the desk, what goes on by itself.
package final class RoomServing: HostedService {
    package let hub: RoomHub
    package let output = RoomsOutput()
    private let streams: PersonalStreams
    private let scoreChanges: AsyncStream<Rehearsal.Score.ID>
    private let say: @Sendable (String) -> Void
    private let print: @Sendable (Rehearsal.Score.ID, Int, [Remark]) async -> WebResponse

    /// So many stands at once, of all rooms together.
    static let stands = ResourceQuota.Shares(
        total: 2_000, reserve: 100, perAddress: 1_000, perAccount: StandSetups.mostOfUser)

    /// Opens the rooms.
    /// - Parameters:
    ///   - clock: of the show.
    ///   - accounts: say who works on the concert.
    ///   - show: obeys what a conductor's stand pinpoints.
    ///   - scoreChanges: every score that has another edition.
    ///   - say: told sentences for people.
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
            // Threads of its own: nobody who guesses passkeys keeps the technician from signing in.
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

    /// How many stands are connected.
    var stands: Int { streams.count }

    package var outputs: [any ShowOutput] { [output] }
    package var guardsItsChanges: Bool { true }

    package var stores: [ReplicatedStore] {
        [
            ReplicatedStore(
                .rooms,
                // Before the first musician waits for it; if it fails now, whoever asks reads the rooms again.
                takeOver: { [hub] in _ = try? await hub.loaded() }
            ) { [hub] _ in hub.forget() }
        ]
    }

    /// Turns pages and keeps the rooms.
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

    /// About rooms that cannot be read; asked until there is an answer.
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
        // Who cannot be looked up tells the follower nothing.
        let found = (try? await accounts.accounts())?.first { $0.id.rawValue == user.description }
        guard let account = found, account.disabled == nil else { return false }
        return account.role != .musician
    }

    /// The desk decides again: between the tap and now the piece or the rehearsal may be over.
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

    /// What lets the follower wait at the place that was shown until the players begin there.
    ///
    /// To be told that the bar is now would let it run on by tempo, and turn pages, while the conductor still
    /// speaks.
    /// - Returns: nil where a conductor's stand may not say so.
    package static func waiting(for command: PodiumCommand, _ state: PodiumState) -> PodiumCommand? {
        guard case .barIsNow(let place?) = command, !state.isLocked, !state.holder.isPerson else {
            return nil
        }
        return .piece(state.piece, .place(place))
    }
}
