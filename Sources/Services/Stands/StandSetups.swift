import Hosting
import Rehearsal

/// Keeps the last setup of each stand for its next connection, but only the newest few setups of each user.
struct StandSetups: Sendable {
    static let mostOfUser = 16
    /// Most setups of all users together. On a server without sign-in all stands belong to one user, to whom only this
    /// limit applies.
    private static let mostOfAll = 8_000

    private var setups: [StandKey: StandSetup] = [:]
    /// Keys of the stands in the order of their last change, oldest first.
    private var order: [StandKey] = []

    var count: Int { setups.count }

    subscript(key: StandKey) -> StandSetup? {
        get { setups[key] }
        set {
            order.removeAll { $0 == key }
            setups[key] = newValue
            guard newValue != nil else { return }
            order.append(key)
            let own = order.filter { $0.user == key.user }
            if key.user != RoomPerson.idWithoutSignIn, own.count > Self.mostOfUser { removeSetup(own[0]) }
            if order.count > Self.mostOfAll { removeSetup(order[0]) }
        }
    }

    private mutating func removeSetup(_ key: StandKey) {
        setups[key] = nil
        order.removeAll { $0 == key }
    }
}
