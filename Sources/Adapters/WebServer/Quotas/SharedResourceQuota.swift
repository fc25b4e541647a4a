import Synchronization

/// A ``ResourceQuota`` that several threads may use. Each place that it gives out is an object, so that no place can
/// be lost.
public final class SharedResourceQuota: Sendable {
    private let quota: Mutex<ResourceQuota>
    /// The places of known devices.
    private let knownLeases = Mutex<[ObjectIdentifier: WeakLease]>([:])

    public init(_ shares: ResourceQuota.Limits) { quota = Mutex(ResourceQuota(shares)) }

    public var limits: ResourceQuota.Limits { quota.withLock { $0.limits } }
    public var takenCount: Int { quota.withLock { $0.takenCount } }

    /// Takes a place. A known device takes that of one that is known for less long, if there is no other.
    public func takePlace(_ holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> QuotaLease {
        if let refusal = tryToTakePlace(holder) {
            guard refusal == .full, let device = holder.device, let newer = newestLease(after: device) else {
                throw refusal
            }
            newer.revoke()
            if let refusal = tryToTakePlace(holder) { throw refusal }
        }
        let lease = QuotaLease(holder, of: self)
        if holder.device != nil {
            knownLeases.withLock { $0[ObjectIdentifier(lease)] = WeakLease(lease: lease) }
        }
        return lease
    }

    private func tryToTakePlace(_ holder: ResourceQuota.Holder) -> ResourceQuota.Refusal? {
        quota.withLock { allotment in
            do throws(ResourceQuota.Refusal) {
                try allotment.takePlace(holder)
                return nil
            } catch {
                return error
            }
        }
    }

    private func newestLease(after device: KnownDevice) -> QuotaLease? {
        let leases = knownLeases.withLock { $0.values.compactMap(\.lease) }
        func since(_ lease: QuotaLease) -> Int64 { lease.holder.device?.since ?? .min }
        return leases.max { since($0) < since($1) }.flatMap { since($0) > device.since ? $0 : nil }
    }

    fileprivate func giveBackPlace(_ lease: QuotaLease) {
        quota.withLock { $0.giveBackPlace(lease.holder) }
        guard lease.holder.device != nil else { return }
        _ = knownLeases.withLock { $0.removeValue(forKey: ObjectIdentifier(lease)) }
    }
}

private struct WeakLease: Sendable {
    weak let lease: QuotaLease?
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
    private let revocation = Mutex<(@Sendable () -> Void)?>(nil)

    fileprivate init(_ holder: ResourceQuota.Holder, of places: SharedResourceQuota) {
        self.holder = holder
        self.pool = places
    }

    public func giveBackPlace() {
        let isFirst = isReturned.withLock { isReturned in
            defer { isReturned = true }
            return !isReturned
        }
        if isFirst { pool.giveBackPlace(self) }
    }

    /// Sets what ends the use of the place when somebody else gets it.
    func onRevocation(_ action: @escaping @Sendable () -> Void) { revocation.withLock { $0 = action } }

    fileprivate func revoke() {
        giveBackPlace()
        revocation.withLock { $0 }?()
    }

    deinit { giveBackPlace() }
}
