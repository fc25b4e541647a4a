import Catalogue
import Foundation
import Hosting
import Platform
import Rehearsal
import Synchronization
import WebServer

/// The checks that all routes of remarks share: the user, the score, and the units that the user may still use.
final class RemarkDesk: Sendable {
    let catalogue: CatalogueStore
    let shelf: any ScoreLookup
    let readers = RemarkReaders()
    let rooms: RemarkRooms
    private let isActive: @Sendable () -> Bool
    private let allowance = Mutex(
        RateLimit<Rehearsal.User.ID>(
            unitsPerSecond: RemarkAllowance.unitsPerSecond, burst: RemarkAllowance.burstUnits))
    private let space: RemarkSpace

    init(
        catalogue: CatalogueStore, shelf: any ScoreLookup, isActive: @escaping @Sendable () -> Bool,
        space: RemarkSpace? = nil, rooms: RemarkRooms = RemarkRooms()
    ) {
        self.space = space ?? RemarkSpace(catalogue)
        self.catalogue = catalogue
        self.shelf = shelf
        self.isActive = isActive
        self.rooms = rooms
    }

    /// Answers a request of a signed-in user.
    func answer(
        _ request: WebRequest, _ work: (RehearsalRoomUser) async throws(Refusal) -> WebResponse
    ) async -> WebResponse {
        do throws(Refusal) { return try await work(reader(of: request)) } catch { return error.response }
    }

    /// The user who asks. A request may name its user, so that what was made offline is not sent in another's name.
    func reader(of request: WebRequest) throws(Refusal) -> RehearsalRoomUser {
        guard let asking = request.person, let reader = RehearsalRoomUser(asking) else { throw .noUser }
        if let named = request.queryParameters["user"], Rehearsal.User.ID(named) != reader.id {
            throw .otherUserSignedIn
        }
        return reader
    }

    /// The score of a request, if the user has it.
    func score(of request: WebRequest, for reader: RehearsalRoomUser) async throws(Refusal)
        -> Rehearsal.Score
    {
        guard let id = Rehearsal.Score.ID(request.pathParameters["score"] ?? "") else { throw .noScore }
        return try await score(id, for: reader)
    }

    func score(_ id: Rehearsal.Score.ID, for reader: RehearsalRoomUser) async throws(Refusal)
        -> Rehearsal.Score
    {
        let holds = try await stored { () throws(CatalogueError) in
            try await reader.mayOpenScore(id, in: self.shelf)
        }
        guard holds, let score = await shelf.findScore(id) else { throw .noScore }
        return score
    }

    /// The user as a reader of a score, with the layers of the rooms that the user sees.
    /// - Parameter score: nil for the rooms of all scores.
    func scoreReader(
        _ reader: RehearsalRoomUser, of score: Rehearsal.Score.ID?
    ) async throws(Refusal) -> ScoreReader {
        guard let layers = await rooms.findLayers(reader, score) else { throw .roomsUnavailable }
        return ScoreReader(reader.id, roomLayers: layers)
    }

    func checkIsActive() throws(Refusal) { guard isActive() else { throw .notActive } }

    /// Counts what a user asks for; see ``RemarkAllowance``.
    func charge(_ cost: Int, _ reader: RehearsalRoomUser) throws(Refusal) {
        let now = Duration.nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
        if let wait = allowance.withLock({ $0.take(Double(cost), of: reader.id, at: now) }) {
            throw .tooFast(milliseconds: wait.wholeMilliseconds)
        }
    }

    /// Checks that there is space for more remarks, on the server and in an account.
    /// - Parameter owner: the user to whom they will belong; the one who asks if left out.
    func checkSpace(
        adding bytes: Int, for reader: RehearsalRoomUser, role: WebRole?, owner: Rehearsal.User.ID? = nil
    ) async throws(Refusal) {
        let owner = owner ?? reader.id
        let mayUseReserve = reader.isLibrarian || role.map(WebRole.operators.contains) == true
        let shortage = try await stored { () throws(CatalogueError) in
            try await self.space.take(bytes, for: owner, mayUseReserve: mayUseReserve)
        }
        switch shortage {
        case .ofAccount: throw owner == reader.id ? .accountFull : .askerFull
        case .ofServer: throw .storageFull
        case nil: return
        }
    }

    /// Runs a call of the catalogue.
    func stored<Value>(_ work: () async throws(CatalogueError) -> Value) async throws(Refusal) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .storeFailed(error) }
    }

    /// Runs a call of the catalogue that may refuse.
    func decided<Value>(
        _ work: () async throws(CatalogueError) -> Result<Value, RoomRefusal>
    ) async throws(Refusal) -> Value {
        switch try await stored(work) {
        case .success(let value): return value
        case .failure(let refusal): throw .refused(refusal)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ request: WebRequest) throws(Refusal) -> Value {
        do throws(JSONFault) { return try JSONBody.decode(type, from: request.body) } catch {
            throw .malformed(error.sentence)
        }
    }

    /// Ends the streams of users who have lost the right to their score.
    func disconnectReadersWithoutRight() async {
        for (score, readers) in readers.all {
            for reader in readers {
                guard let holds = try? await reader.mayOpenScore(score, in: shelf), !holds else { continue }
                self.readers.disconnect(reader.id, from: score)
            }
        }
    }
}

/// The limit of one user's requests: 50 units a second, 1,000 after a pause. An event is one unit.
enum RemarkAllowance {
    static let unitsPerSecond = 50
    static let burstUnits = 1_000
    /// The cost, in units, of giving, importing, exporting, copying or searching.
    static let costOfSet = 25
}
