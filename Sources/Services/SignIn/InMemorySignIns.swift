import Catalogue
import Synchronization

/// Holds sign-ins that could not be written to disk. They end when the server stops.
///
/// Half of the entries are reserved for technicians and administrators, who run the evening.
final class InMemorySignIns: Sendable {
    static let mostSignIns = 64
    static let reservedForOperators = 32
    static let mostPerAccount = 8
    static let noteForUser =
        "This sign-in could not be saved on the server's disk, so it ends when the server stops. "
        + "Free some space on its disk."

    struct SignIn: Equatable {
        let account: AccountID
        /// The account's password hash at the time of the sign-in. A change of the passphrase makes the sign-in
        /// invalid.
        let passwordHash: String
        fileprivate let orderNumber: UInt64
    }

    private struct State {
        var signIns: [[UInt8]: SignIn] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Stores a sign-in.
    /// - Returns: false if all entries are in use.
    func addSignIn(_ digest: [UInt8], of account: Account, _ passwordHash: String) -> Bool {
        state.withLock { state in
            let own = state.signIns.filter { $0.value.account == account.id }
            if own.count >= Self.mostPerAccount,
                let oldest = own.min(by: { $0.value.orderNumber < $1.value.orderNumber })
            {
                state.signIns[oldest.key] = nil
            }
            let runsTheEvening = [.titleOperator, .technician, .administrator].contains(account.role)
            guard state.signIns.count < Self.mostSignIns - (runsTheEvening ? 0 : Self.reservedForOperators)
            else {
                return false
            }
            state.lastNumber += 1
            state.signIns[digest] = SignIn(
                account: account.id, passwordHash: passwordHash, orderNumber: state.lastNumber)
            return true
        }
    }

    func findSignIn(_ digest: [UInt8]) -> SignIn? { state.withLock { $0.signIns[digest] } }

    func endSignIn(_ digest: [UInt8]) { state.withLock { _ = $0.signIns.removeValue(forKey: digest) } }
}
