import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The evening's own room: one that plays tonight's programme, and whose players are given its scores.
extension RoomHub {
    /// The state of the evening’s stands, for the console.
    struct EveningStands: Encodable {
        struct Person: Encodable {
            var name: String
            /// False if nobody has an account of this name, so that nothing can be given.
            var hasAccount: Bool
        }

        /// Nil before somebody has opened the room.
        @OrNull var room: RehearsalRoom.ID?
        @OrNull var players: EveningPlayers?
        /// The people of the evening.
        var people: [Person]
        /// The number of accounts that are given the scores.
        var accounts: Int
        /// The names of tonight's pieces of which the library has no score.
        var withoutScore: [String]
    }

    /// For each of tonight's pieces, in order, the scores of the library that have it; a piece without a score is left
    /// out.
    func eveningScores() async -> [[Rehearsal.Score.ID]] {
        await scoresOfPieces().filter { !$0.isEmpty }
    }

    private func scoresOfPieces() async -> [[Rehearsal.Score.ID]] {
        let folders = pieceMaps.folders
        guard !folders.isEmpty, let scores = try? await scoreLookup.listGrantedScores(of: nil) else {
            return []
        }
        return folders.map { folder in
            scores.filter { $0.movements.contains { $0.piece == folder } }.map(\.id)
        }
    }

    private func eveningRoom() async throws(Refusal) -> (room: RoomActor, players: EveningPlayers)? {
        var found: (room: RoomActor, players: EveningPlayers)?
        for room in try await allRooms() {
            guard found.map({ room.id < $0.room.id }) ?? true,
                let players = await room.state.content.programme.players
            else { continue }
            found = (room, players)
        }
        return found
    }

    /// Opens the evening's room, or makes it: with tonight's programme, published, without a passkey. Its players are
    /// given the scores at once, and what joins the programme later.
    func openEveningRoom(for players: EveningPlayers, by person: RehearsalRoomUser) async throws(Refusal) {
        let evening = await eveningScores()
        guard let first = evening.first?.first else { throw .noScoreTonight }
        var found = try await eveningRoom()?.room
        if found == nil {
            try await give([first], toAccountsWhere: { $0.id.rawValue == person.id.description })
            found = try await makeEveningRoom(of: first, by: person)
        }
        guard let room = found else { return }
        await room.takeEvening(evening, for: players)
        await room.actForOwner(.setRoomPublished(true))
        guard await room.waitUntilRoomEventsWritten() else { throw .roomUnavailable }
        try await giveEveningScores()
    }

    /// Two people who open it at the same moment get one room, unless a room of this id was closed before.
    private func makeEveningRoom(of score: Rehearsal.Score.ID, by person: RehearsalRoomUser)
        async throws(Refusal)
        -> RoomActor
    {
        func make(_ id: RehearsalRoom.ID) async throws(Refusal) -> RoomActor {
            try await createRoom(
                RoomCreationRequest(
                    id: id, membership: .new(), score: score, name: "Tonight", published: true), by: person)
        }
        do throws(Refusal) { return try await make(Self.firstEveningRoom) } catch {
            guard error.code == Refusal.idAlreadyUsed.code else { throw error }
        }
        if let made = rooms.withLock({ $0[Self.firstEveningRoom] }) { return made }
        return try await make(.new())
    }

    private static let firstEveningRoom = RehearsalRoom.ID(high: 0x4000, low: 0x8000_0000_0000_0001)

    /// Gives the scores of the evening's room to its players and its owner, as far as they do not have them. Editors and
    /// administrators may open every score.
    func giveEveningScores() async throws(Refusal) {
        guard let (room, players) = try await eveningRoom() else { return }
        let owner = await room.state.content.room.owner.description
        let isPlayer = playerTest(players)
        try await give(room.programmeScores.withLock { $0.all }) { isPlayer($0) || $0.id.rawValue == owner }
    }

    private func playerTest(_ players: EveningPlayers) -> (Account) -> Bool {
        let names = Set(pieceMaps.people.map(AccountName.makeComparisonKey))
        return { account in
            players == .everyMusician && account.role == .musician
                || names.contains(AccountName.makeComparisonKey(account.name))
        }
    }

    private func give(
        _ scores: Set<Rehearsal.Score.ID>, toAccountsWhere isGiven: (Account) -> Bool
    ) async throws(Refusal) {
        let catalogue = dependencies.catalogue
        do throws(CatalogueError) {
            let accounts = try await catalogue.accounts().filter {
                $0.disabledAt == nil && $0.role != .editor && $0.role != .administrator && isGiven($0)
            }
            let given = Dictionary(grouping: try await catalogue.scoreGrants(), by: \.accountID)
            for account in accounts {
                let own = Set(given[account.id]?.map(\.scoreID) ?? [])
                for score in scores where !own.contains(score.description) {
                    _ = try await catalogue.grantScore(
                        score.description, to: account.id,
                        bundle: Rehearsal.ScoreGrant.ID.new().description)
                }
            }
        } catch {
            throw .storeFailed(error)
        }
    }

    /// Tells how the evening's stands are.
    func describeEveningStands() async throws(Refusal) -> EveningStands {
        let maps = pieceMaps
        let found = try await eveningRoom()
        let accounts: [Account]
        do throws(CatalogueError) {
            accounts = try await dependencies.catalogue.accounts().filter { $0.disabledAt == nil }
        } catch {
            throw .storeFailed(error)
        }
        let names = Set(accounts.map { AccountName.makeComparisonKey($0.name) })
        return EveningStands(
            room: found?.room.id, players: found?.players,
            people: maps.people.map {
                .init(name: $0, hasAccount: names.contains(AccountName.makeComparisonKey($0)))
            },
            accounts: found.map { accounts.count(where: playerTest($0.players)) } ?? 0,
            withoutScore: zip(maps.names, await scoresOfPieces()).filter { $1.isEmpty }.map(\.0))
    }

    /// Ends the sessions that followed an evening that is over.
    func endEvening() async {
        for room in rooms.withLock({ Array($0.values) }) { await room.endEvening() }
    }
}

extension Refusal {
    fileprivate static let noScoreTonight = Refusal(
        422, "no-score",
        "The library has no score of tonight's pieces; add one on /library, and choose there which piece it is."
    )
}
