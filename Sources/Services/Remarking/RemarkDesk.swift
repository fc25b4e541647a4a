import Catalogue
import Foundation
import Hosting
import Rehearsal
import Synchronization
import WebServer

/// The checks that all routes of remarks share: the user, the score, and the units that the user may still use.
final class RemarkDesk: Sendable {
    /// All remarks and sets on the server. The catalogue is read whole at each start, a second for 256 MB.
    static let mostBytes = 256 << 20
    /// The part of it that only librarians and the people who run the evening may fill.
    static let reserveBytes = 32 << 20
    /// The remarks and sets of one account, so that no one fills the space of all.
    static let mostBytesOfAccount = 24 << 20
    private static let measurementLifetime = Duration.seconds(10)
    private static let mostMeasuredAccounts = 1_000

    let catalogue: CatalogueStore
    let shelf: any ScoreLookup
    let readers = RemarkReaders()
    let rooms: RemarkRooms
    private let isActive: @Sendable () -> Bool
    private let allowance = Mutex(RemarkAllowance())
    private typealias Measurement = (bytes: Int, at: ContinuousClock.Instant)
    private let storedBytes = Mutex<Measurement?>(nil)
    private let accountBytes = Mutex<[Rehearsal.User.ID: Measurement]>([:])
    private let accountLimit: Int

    init(
        catalogue: CatalogueStore, shelf: any ScoreLookup, isActive: @escaping @Sendable () -> Bool,
        accountLimit: Int = RemarkDesk.mostBytesOfAccount, rooms: RemarkRooms = RemarkRooms()
    ) {
        self.accountLimit = accountLimit
        self.catalogue = catalogue
        self.shelf = shelf
        self.isActive = isActive
        self.rooms = rooms
    }

    /// Answers a request of a signed-in user.
    func answer(
        _ request: WebRequest, _ work: (RehearsalRoomUser) async throws(RemarkError) -> WebResponse
    ) async -> WebResponse {
        do throws(RemarkError) { return try await work(reader(of: request)) } catch { return error.response }
    }

    /// The user who asks. A request may name its user, so that what was made offline is not sent in another's name.
    func reader(of request: WebRequest) throws(RemarkError) -> RehearsalRoomUser {
        guard let asking = request.person, let reader = RehearsalRoomUser(asking) else { throw .noUser }
        if let named = request.queryParameters["user"], Rehearsal.User.ID(named) != reader.id {
            throw .otherUserSignedIn
        }
        return reader
    }

    /// The score of a request, if the user has it.
    func score(of request: WebRequest, for reader: RehearsalRoomUser) async throws(RemarkError)
        -> Rehearsal.Score
    {
        guard let id = Rehearsal.Score.ID(request.pathParameters["score"] ?? "") else { throw .noScore }
        return try await score(id, for: reader)
    }

    func score(_ id: Rehearsal.Score.ID, for reader: RehearsalRoomUser) async throws(RemarkError)
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
    ) async throws(RemarkError) -> ScoreReader {
        guard let layers = await rooms.findLayers(reader, score) else { throw .roomsUnavailable }
        return ScoreReader(reader.id, roomLayers: layers)
    }

    func checkIsActive() throws(RemarkError) { guard isActive() else { throw .notActive } }

    /// Counts what a user asks for; see ``RemarkAllowance``.
    func charge(_ cost: Int, _ reader: RehearsalRoomUser) throws(RemarkError) {
        let now = Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000)
        if let wait = allowance.withLock({ $0.charge(cost, by: reader.id, at: now) }) {
            throw .tooMany(milliseconds: wait)
        }
    }

    /// Checks that there is space for more remarks, on the server and in an account.
    /// - Parameter owner: the user to whom they will belong; the one who asks if left out.
    func checkSpace(
        adding bytes: Int, for reader: RehearsalRoomUser, role: WebRole?, owner: Rehearsal.User.ID? = nil
    ) async throws(RemarkError) {
        let owner = owner ?? reader.id
        let ofOwner = try await measuredBytes(of: owner)
        // Without sign-in everything belongs to one made-up user.
        guard owner == RehearsalRoomUser.idWithoutSignIn || ofOwner.bytes + bytes <= accountLimit else {
            throw owner == reader.id ? .accountFull : .askerFull
        }
        var known = storedBytes.withLock { $0 }
        if known.map({ !Self.isFresh($0) }) ?? true {
            let measured = try await stored { () throws(CatalogueError) in
                try await self.catalogue.scoreRemarkByteCount()
            }
            known = (measured, .now)
        }
        guard var amount = known else { return }
        let mayUseReserve = reader.isLibrarian || role.map(WebRole.operators.contains) == true
        guard amount.bytes + bytes <= Self.mostBytes - (mayUseReserve ? 0 : Self.reserveBytes) else {
            throw .storageFull
        }
        amount.bytes += bytes
        storedBytes.withLock { $0 = amount }
        accountBytes.withLock { known in
            if known.count >= Self.mostMeasuredAccounts { known = known.filter { Self.isFresh($0.value) } }
            known[owner] = (ofOwner.bytes + bytes, ofOwner.at)
        }
    }

    private static func isFresh(_ one: Measurement) -> Bool { .now - one.at <= measurementLifetime }

    private func measuredBytes(of user: Rehearsal.User.ID) async throws(RemarkError) -> Measurement {
        if let known = accountBytes.withLock({ $0[user] }), Self.isFresh(known) { return known }
        let bytes = try await stored { () throws(CatalogueError) in
            try await self.catalogue.scoreRemarkByteCount(of: user)
        }
        return (bytes, .now)
    }

    /// Runs a call of the catalogue.
    func stored<Value>(_ work: () async throws(CatalogueError) -> Value) async throws(RemarkError) -> Value {
        do throws(CatalogueError) { return try await work() } catch { throw .storeFailed(error) }
    }

    /// Runs a call of the catalogue that may refuse.
    func decided<Value>(
        _ work: () async throws(CatalogueError) -> Result<Value, RoomRefusal>
    ) async throws(RemarkError) -> Value {
        switch try await stored(work) {
        case .success(let value): return value
        case .failure(let refusal): throw .refused(refusal)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ request: WebRequest) throws(RemarkError) -> Value {
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

/// Limits how much one user may ask for: 50 units a second, 1,000 after a pause. An event is one unit.
struct RemarkAllowance: Sendable {
    static let unitsPerSecond: Int64 = 50
    static let burstUnits: Int64 = 1_000
    /// The cost, in units, of giving, importing, exporting, copying or searching.
    static let costOfSet = 25
    private static let mostEntries = 10_000

    private var used: [Rehearsal.User.ID: (thousandths: Int64, at: Int64)] = [:]

    /// Counts units of a user.
    /// - Parameter now: milliseconds of a monotonic clock.
    /// - Returns: nil if they were counted; otherwise the milliseconds to wait.
    mutating func charge(_ cost: Int, by user: Rehearsal.User.ID, at now: Int64) -> Int64? {
        if used.count > Self.mostEntries {
            used = used.filter { now - $0.value.at < Self.burstUnits * 1_000 / Self.unitsPerSecond }
        }
        let old = used[user].map { max(0, $0.thousandths - (now - $0.at) * Self.unitsPerSecond) } ?? 0
        let sum = old + Int64(cost) * 1_000
        let over = sum - Self.burstUnits * 1_000
        // Thousandths of a unit, divided by units a second, are milliseconds.
        if over > 0 { return (over + Self.unitsPerSecond - 1) / Self.unitsPerSecond }
        used[user] = (sum, now)
        return nil
    }
}
