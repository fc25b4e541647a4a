import Hosting
import Rehearsal

/// Keeps the last setup of each stand for its next connection, but only the newest few setups of each user.
struct StandSetups: Sendable {
    static let mostPerUser = 16
    /// Most setups of all users together. On a server without sign-in all stands belong to one user, and only this
    /// limit applies to them.
    private static let mostOfAllUsers = 8_000

    private var setups: [StandKey: StandSetup] = [:]
    /// Keys of the stands in the order of their last change, oldest first.
    private var changeOrder: [StandKey] = []

    var count: Int { setups.count }

    subscript(key: StandKey) -> StandSetup? {
        get { setups[key] }
        set {
            changeOrder.removeAll { $0 == key }
            setups[key] = newValue
            guard newValue != nil else { return }
            changeOrder.append(key)
            let own = changeOrder.filter { $0.user == key.user }
            if key.user != RehearsalRoomUser.idWithoutSignIn, own.count > Self.mostPerUser {
                removeSetup(own[0])
            }
            if changeOrder.count > Self.mostOfAllUsers { removeSetup(changeOrder[0]) }
        }
    }

    private mutating func removeSetup(_ key: StandKey) {
        setups[key] = nil
        changeOrder.removeAll { $0 == key }
    }
}
