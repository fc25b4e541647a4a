import Synchronization

/// A ``ResourceQuota`` that several threads may use. Each place that it gives out is an object, so none can be lost.
public final class QuotaPool: Sendable {
    private let quota: Mutex<ResourceQuota>

    public init(_ shares: ResourceQuota.Shares) { quota = Mutex(ResourceQuota(shares)) }

    public var shares: ResourceQuota.Shares { quota.withLock { $0.shares } }
    public var count: Int { quota.withLock { $0.count } }

    public func take(_ holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> QuotaLease {
        let refusal = quota.withLock { allotment -> ResourceQuota.Refusal? in
            do throws(ResourceQuota.Refusal) {
                try allotment.take(holder)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        return QuotaLease(holder, of: self)
    }

    fileprivate func giveBack(_ holder: ResourceQuota.Holder) { quota.withLock { $0.giveBack(holder) } }
}

/// One place of a limited resource, for example of a stream. It is returned when the object is released, unless that
/// happened before.
///
/// A browser may disconnect after it was admitted and before the first byte. The response is then discarded, and with
/// it the place.
public final class QuotaLease: Sendable {
    public let holder: ResourceQuota.Holder
    private let pool: QuotaPool
    private let isReturned = Mutex(false)

    fileprivate init(_ holder: ResourceQuota.Holder, of places: QuotaPool) {
        self.holder = holder
        self.pool = places
    }

    public func giveBack() {
        let isFirst = isReturned.withLock { isReturned in
            defer { isReturned = true }
            return !isReturned
        }
        if isFirst { pool.giveBack(holder) }
    }

    deinit { giveBack() }
}
