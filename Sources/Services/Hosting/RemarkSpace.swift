import Catalogue
import Rehearsal
import Synchronization

/// The space for remarks on the server and in each account, over all services that write them.
package final class RemarkSpace: Sendable {
    /// All remarks and sets on the server. The catalogue is read whole at each start, a second for 256 MB.
    static let mostBytes = 256 << 20
    /// The part of it that only librarians and the people who run the evening may fill.
    static let reserveBytes = 32 << 20
    /// The remarks and sets of one account, so that no one fills the space of all.
    package static let mostBytesOfAccount = 24 << 20
    private static let measurementLifetime = Duration.seconds(10)
    private static let mostMeasuredAccounts = 1_000

    package enum Shortage: Equatable, Sendable { case ofAccount, ofServer }

    private typealias Measurement = (bytes: Int, at: ContinuousClock.Instant)
    private let catalogue: CatalogueStore
    private let accountLimit: Int
    private let storedBytes = Mutex<Measurement?>(nil)
    private let accountBytes = Mutex<[Rehearsal.User.ID: Measurement]>([:])

    package init(_ catalogue: CatalogueStore, accountLimit: Int = RemarkSpace.mostBytesOfAccount) {
        (self.catalogue, self.accountLimit) = (catalogue, accountLimit)
    }

    /// Takes space for more remarks of a user.
    /// - Returns: what there is too little of; nil if the space was taken.
    package func take(
        _ bytes: Int, for owner: Rehearsal.User.ID, mayUseReserve: Bool
    ) async throws(CatalogueError) -> Shortage? {
        let ofOwner = try await measuredBytes(of: owner)
        // Without sign-in everything belongs to one made-up user.
        guard owner == RehearsalRoomUser.idWithoutSignIn || ofOwner.bytes + bytes <= accountLimit else {
            return .ofAccount
        }
        var known = storedBytes.withLock { $0 }
        if known.map({ !Self.isFresh($0) }) ?? true {
            known = (try await catalogue.scoreRemarkByteCount(), .now)
        }
        guard var amount = known else { return nil }
        guard amount.bytes + bytes <= Self.mostBytes - (mayUseReserve ? 0 : Self.reserveBytes) else {
            return .ofServer
        }
        amount.bytes += bytes
        storedBytes.withLock { $0 = amount }
        accountBytes.withLock { known in
            if known.count >= Self.mostMeasuredAccounts { known = known.filter { Self.isFresh($0.value) } }
            known[owner] = (ofOwner.bytes + bytes, ofOwner.at)
        }
        return nil
    }

    private static func isFresh(_ one: Measurement) -> Bool { .now - one.at <= measurementLifetime }

    private func measuredBytes(of user: Rehearsal.User.ID) async throws(CatalogueError) -> Measurement {
        if let known = accountBytes.withLock({ $0[user] }), Self.isFresh(known) { return known }
        return (try await catalogue.scoreRemarkByteCount(of: user), .now)
    }
}
