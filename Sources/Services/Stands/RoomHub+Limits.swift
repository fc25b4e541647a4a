import Hosting
import Platform
import Podium
import Rehearsal
import WebServer

/// Limits the guesses of passkeys and the messages of each stand.
extension RoomHub {
    private static let longestPasskeyBytes = 128

    /// Hashes a new passkey.
    /// - Parameter passkey: nil or empty if the room needs none.
    /// - Returns: nil if the room needs no passkey.
    func hashPasskey(_ passkey: String?, by person: RehearsalRoomUser) async throws(Refusal) -> String? {
        guard let passkey, !passkey.isEmpty else { return nil }
        guard passkey.utf8.count <= Self.longestPasskeyBytes else {
            throw .badPasskey(
                sentence: "The passkey has more than \(Self.longestPasskeyBytes) bytes; choose a shorter one."
            )
        }
        let place = try takeHashingLease(for: person)
        defer { place.giveBackPlace() }
        do throws(PasswordError) {
            return try await hasher.hash(Passphrase(tried: passkey))
        } catch {
            if case .tooManySignInsWaiting = error { throw .mustWaitForPasskeyCheck(milliseconds: 1_000) }
            if case .outOfMemory = error { throw .passkeyNotChecked(sentence: error.sentence) }
            throw .badPasskey(sentence: error.sentence)
        }
    }

    /// True if the passkey is the room's passkey. Each wrong guess lengthens the wait before the next one.
    func isPasskey(
        _ passkey: String?, of room: RoomActor, _ person: RehearsalRoomUser, from address: String
    ) async throws(Refusal) -> Bool {
        guard let passkey, !passkey.isEmpty, let hash = await room.passkeyHash else { return false }
        // Counts guesses for each room and user: a wrong passkey for one room does not block another. 64 hexadecimal
        // digits are the longest key that the guard distinguishes.
        let account = "\(room.id)\(person.id)".filter { $0 != "-" }
        let now = showClockMilliseconds
        if let wait = passkeyGuessGuard.withLock({ $0.beginTry(account: account, from: address, at: now) }) {
            throw .mustWaitForPasskeyCheck(milliseconds: wait)
        }
        let place: QuotaLease
        do throws(Refusal) { place = try self.takeHashingLease(for: person) } catch {
            passkeyGuessGuard.withLock { $0.withdrawTry(account: account, from: address) }
            throw error
        }
        defer { place.giveBackPlace() }
        do throws(PasswordError) {
            let isRight = try await hasher.verify(Passphrase(tried: passkey), against: hash) != .wrong
            if isRight { passkeyGuessGuard.withLock { $0.recordSuccess(account: account, from: address) } }
            return isRight
        } catch {
            passkeyGuessGuard.withLock { $0.withdrawTry(account: account, from: address) }
            if case .tooManySignInsWaiting = error { throw .mustWaitForPasskeyCheck(milliseconds: 1_000) }
            if case .outOfMemory = error { throw .passkeyNotChecked(sentence: error.sentence) }
            throw .badPasskey(sentence: error.sentence)
        }
    }

    private func takeHashingLease(for person: RehearsalRoomUser) throws(Refusal) -> QuotaLease {
        do throws(ResourceQuota.Refusal) {
            return try hashingQuota.takePlace(ResourceQuota.Holder(account: person.id.description))
        } catch {
            throw .mustWaitForPasskeyCheck(milliseconds: 1_000)
        }
    }

    private var showClockMilliseconds: Int64 { dependencies.showClock().milliseconds }

    /// Counts messages of a stand against its allowance.
    /// - Throws: if the stand sends more than it may.
    func chargeRateLimit(_ count: Int, by stand: StandKey) throws(Refusal) {
        let now = showClockMilliseconds
        if let wait = rateLimit.withLock({ $0.charge(count, by: stand, at: now) }) {
            throw .tooFast(milliseconds: wait)
        }
    }

    /// Counts requests that stands never send automatically, such as making a room or printing.
    /// - Throws: if a person sends too many.
    func chargeRateLimit(_ count: Int, by person: RehearsalRoomUser) throws(Refusal) {
        try chargeRateLimit(count, by: StandKey(user: person.id, stand: .init(high: 0, low: 0)))
    }
}
