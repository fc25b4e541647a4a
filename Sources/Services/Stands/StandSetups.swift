import Hosting
import Rehearsal

/// The last setup of each stand, kept for its next connection; only the newest few of each user.
struct StandSetups: Sendable {
    static let mostOfUser = 16
    /// Limit over all users. Without sign-in all stands belong to one user, who has no limit of their own.
    private static let mostOfAll = 8_000

    private var setups: [StandKey: StandSetup] = [:]
    /// Keys of stands in the order of their last change, oldest first.
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
            if key.user != RoomPerson.idWithoutSignIn, own.count > Self.mostOfUser { forget(own[0]) }
            if order.count > Self.mostOfAll { forget(order[0]) }
        }
    }

    private mutating func forget(_ key: StandKey) {
        setups[key] = nil
        order.removeAll { $0 == key }
    }
}
