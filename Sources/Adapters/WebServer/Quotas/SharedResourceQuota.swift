import Synchronization

/// A ``ResourceQuota`` that several threads may use. Each place that it gives out is an object, so that no place can
/// be lost.
public final class SharedResourceQuota: Sendable {
    private let quota: Mutex<ResourceQuota>

    public init(_ shares: ResourceQuota.Limits) { quota = Mutex(ResourceQuota(shares)) }

    public var limits: ResourceQuota.Limits { quota.withLock { $0.limits } }
    public var takenCount: Int { quota.withLock { $0.takenCount } }

    public func takePlace(_ holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> QuotaLease {
        let refusal = quota.withLock { allotment -> ResourceQuota.Refusal? in
            do throws(ResourceQuota.Refusal) {
                try allotment.takePlace(holder)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
        return QuotaLease(holder, of: self)
    }

    fileprivate func giveBackPlace(_ holder: ResourceQuota.Holder) {
        quota.withLock { $0.giveBackPlace(holder) }
    }
}

/// One place of a limited resource, for example of a stream. The place is returned when the object is released,
/// unless it was returned before.
///
/// A browser may disconnect after it was admitted and before the first byte. The response is then discarded, and the
/// place with it.
public final class QuotaLease: Sendable {
    public let holder: ResourceQuota.Holder
    private let pool: SharedResourceQuota
    private let isReturned = Mutex(false)

    fileprivate init(_ holder: ResourceQuota.Holder, of places: SharedResourceQuota) {
        self.holder = holder
        self.pool = places
    }

    public func giveBackPlace() {
        let isFirst = isReturned.withLock { isReturned in
            defer { isReturned = true }
            return !isReturned
        }
        if isFirst { pool.giveBackPlace(holder) }
    }

    deinit { giveBackPlace() }
}
