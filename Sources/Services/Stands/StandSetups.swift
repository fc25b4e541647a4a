import Rehearsal

/// What stands said lies on them, for their next connection; of each user's the newest few.
struct StandSetups: Sendable {
    static let mostOfUser = 16
    /// Without a sign-in all stands are one person's.
    private static let mostOfAll = 8_000

    private var setups: [StandKey: StandSetup] = [:]
    /// The newest last.
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
            if key.user != RoomPerson.localID, own.count > Self.mostOfUser { forget(own[0]) }
            if order.count > Self.mostOfAll { forget(order[0]) }
        }
    }

    private mutating func forget(_ key: StandKey) {
        setups[key] = nil
        order.removeAll { $0 == key }
    }
}
