import Synchronization

/// The places of one limited resource, shared out by an ``ResourceQuota``.
public final class QuotaPlaces: Sendable {
    private let allotment: Mutex<ResourceQuota>

    public init(_ shares: ResourceQuota.Shares) { allotment = Mutex(ResourceQuota(shares)) }

    public var shares: ResourceQuota.Shares { allotment.withLock { $0.shares } }
    public var count: Int { allotment.withLock { $0.count } }

    public func take(_ holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> QuotaPlace {
        let refusal = allotment.withLock { allotment -> ResourceQuota.Refusal? in
            do throws(ResourceQuota.Refusal) {
                try allotment.take(holder)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        return QuotaPlace(holder, of: self)
    }

    fileprivate func giveBack(_ holder: ResourceQuota.Holder) { allotment.withLock { $0.giveBack(holder) } }
}

/// One taken place, returned at the latest when the object is released.
///
/// A browser may disconnect after it was admitted and before the first byte: the answer is then discarded unwritten.
public final class QuotaPlace: Sendable {
    public let holder: ResourceQuota.Holder
    private let places: QuotaPlaces
    private let isReturned = Mutex(false)

    fileprivate init(_ holder: ResourceQuota.Holder, of places: QuotaPlaces) {
        self.holder = holder
        self.places = places
    }

    public func giveBack() {
        let isFirst = isReturned.withLock { isReturned in
            defer { isReturned = true }
            return !isReturned
        }
        if isFirst { places.giveBack(holder) }
    }

    deinit { giveBack() }
}
