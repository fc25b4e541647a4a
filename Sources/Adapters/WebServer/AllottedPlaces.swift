import Synchronization

/// The places of one limited resource, shared out by an ``Allotment``.
public final class AllottedPlaces: Sendable {
    private let allotment: Mutex<Allotment>

    public init(_ shares: Allotment.Shares) { allotment = Mutex(Allotment(shares)) }

    public var shares: Allotment.Shares { allotment.withLock { $0.shares } }
    public var count: Int { allotment.withLock { $0.count } }

    public func take(_ holder: Allotment.Holder) throws(Allotment.Refusal) -> AllottedPlace {
        let refusal = allotment.withLock { allotment -> Allotment.Refusal? in
            do throws(Allotment.Refusal) {
                try allotment.take(holder)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        return AllottedPlace(holder, of: self)
    }

    fileprivate func giveBack(_ holder: Allotment.Holder) { allotment.withLock { $0.giveBack(holder) } }
}

/// One taken place, returned at the latest when the object is released.
///
/// A browser may disconnect after it was admitted and before the first byte: the answer is then discarded unwritten.
public final class AllottedPlace: Sendable {
    public let holder: Allotment.Holder
    private let places: AllottedPlaces
    private let isGivenBack = Mutex(false)

    fileprivate init(_ holder: Allotment.Holder, of places: AllottedPlaces) {
        self.holder = holder
        self.places = places
    }

    public func giveBack() {
        let isFirst = isGivenBack.withLock { isGivenBack in
            defer { isGivenBack = true }
            return !isGivenBack
        }
        if isFirst { places.giveBack(holder) }
    }

    deinit { giveBack() }
}
