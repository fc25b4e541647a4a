import NIOCore
import Platform
import Synchronization

/// Counts the open connections and decides which of them may stay.
///
/// The visitor is unknown until a request was read, so a new connection counts for its address. Some of the places
/// are reserved. In its first seconds, a connection may use the reserve if it comes from this machine, from a trusted
/// proxy, or from an address from which a technician or administrator signed in recently. When a request carries the
/// session of a technician or administrator, its connection counts for this account. While most places are taken,
/// connections without a request are closed early.
final class ConnectionLimiter: Sendable {
    /// The time after which a connection loses its reserved place, unless a technician or administrator has signed in
    /// on it.
    static let presumedStaffGracePeriod: Duration = .seconds(3)
    /// The longest time that a connection without a request may stay while most places are taken.
    static let idleLimitWhenNearlyFull: Duration = .seconds(2)
    /// The number of connections that are closed at once to make room. Closing costs time on an event loop, which
    /// could delay an operator's command.
    static let closingBatchSize = 50
    /// The pause before the next connections are closed.
    static let closingPauseMilliseconds: Int64 = 50
    /// The number of new connections accepted per second from all addresses together, once the initial burst is used
    /// up.
    static let newConnectionsPerSecond = 1_000
    /// The number of new connections accepted per second from one address, once its initial burst is used up.
    static let newConnectionsPerSecondPerAddress = 200
    /// The time for which the server remembers an address where a technician or administrator signed in: the length of
    /// a show day.
    private static let staffAddressLifetime: Duration = .seconds(12 * 3_600)
    private static let mostStaffAddresses = 256

    fileprivate struct OpenConnection {
        var quotaHolder: ResourceQuota.Holder
        let channel: (any Channel)?
        /// True if a trusted proxy opened the connection, on behalf of its visitors.
        let isProxied: Bool
        var lastActivity: ContinuousClock.Instant
        var unansweredRequestCount = 0
        var isSecure = false
    }

    fileprivate struct State {
        var quota: ResourceQuota
        var openConnectionsByID: [ObjectIdentifier: OpenConnection] = [:]
        var staffAddresses: [String: ContinuousClock.Instant] = [:]
        var arrivalRateLimit: RateLimit<String>
        var arrivalRateLimitByAddress: RateLimit<String>

        /// Counts a new connection that may not use the reserve.
        /// - Parameter network: the visitor's address or network.
        /// - Returns: false if there are too many new connections per second.
        mutating func countArrival(_ network: String, at now: ContinuousClock.Instant) -> Bool {
            arrivalRateLimitByAddress.admits(network, at: now) && arrivalRateLimit.admits("", at: now)
        }
    }

    private let state: Mutex<State>
    private let settings: WebSettings

    init(_ shares: ResourceQuota.Limits, settings: WebSettings) {
        state = Mutex(
            State(
                quota: ResourceQuota(shares),
                arrivalRateLimit: RateLimit(
                    unitsPerSecond: Self.newConnectionsPerSecond, burst: shares.total),
                arrivalRateLimitByAddress: RateLimit(
                    unitsPerSecond: Self.newConnectionsPerSecondPerAddress, burst: shares.perAddress)))
        self.settings = settings
    }

    var connectionCount: Int { state.withLock { $0.quota.takenCount } }

    // MARK: Opening and closing

    /// Counts a connection until it closes. A connection that is already counted is not counted twice.
    /// - Returns: false if the caller must close the connection at once.
    func admitConnection(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        if state.withLock({ $0.openConnectionsByID[id] != nil }) { return true }
        // A connection without a peer address is already disconnected and closes by itself.
        guard let peer = channel.remoteAddress?.ipAddress else { return true }
        guard addConnection(id, peer: peer, local: channel.localAddress?.ipAddress, channel: channel) else {
            return false
        }
        channel.closeFuture.whenComplete { _ in self.removeConnection(id) }
        return true
    }

    /// Counts a new connection.
    /// - Parameters:
    ///   - id: identifies the connection in later calls.
    ///   - peer: the address of the connection's other end.
    ///   - local: the address of this server's end.
    ///   - channel: closed when its place is needed; nil in tests.
    /// - Returns: false if the caller must close the connection at once.
    func addConnection(
        _ id: ObjectIdentifier, peer: String, local: String?, channel: (any Channel)? = nil,
        at now: ContinuousClock.Instant = .now
    ) -> Bool {
        let isProxy = settings.isTrustedProxy(peer)
        let isOwn = settings.isOwnMachine(peer: peer, local: local)
        return state.withLock { state in
            let network = SignInGuard.network(of: peer)
            var standings = [isProxy || isOwn ? ResourceQuota.TrustLevel.ownMachine : .anybody]
            if let seen = state.staffAddresses[network], now - seen < Self.staffAddressLifetime {
                standings.append(.presumedStaff)
            }
            for standing in standings {
                if standing == .anybody, !state.countArrival(network, at: now) { continue }
                let holder = ResourceQuota.Holder(address: peer, trustLevel: standing)
                guard (try? state.quota.takePlace(holder)) != nil else { continue }
                state.openConnectionsByID[id] = OpenConnection(
                    quotaHolder: holder, channel: channel, isProxied: isProxy, lastActivity: now)
                return true
            }
            return false
        }
    }

    func removeConnection(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard let entry = state.openConnectionsByID.removeValue(forKey: id) else { return }
            state.quota.giveBackPlace(entry.quotaHolder)
        }
    }

    /// Changes the number of a connection's unanswered requests.
    /// - Parameter change: 1 when a request has arrived, -1 when its response was sent.
    /// - Returns: the visitor for whom the connection counts; nil if it is not counted.
    @discardableResult
    func changeRequestCount(
        _ change: Int, of id: ObjectIdentifier, at now: ContinuousClock.Instant = .now
    ) -> ResourceQuota.Holder? {
        state.withLock { state in
            state.openConnectionsByID[id]?.unansweredRequestCount += change
            state.openConnectionsByID[id]?.lastActivity = now
            return state.openConnectionsByID[id]?.quotaHolder
        }
    }

    /// Notes that a connection is encrypted.
    func markSecure(_ id: ObjectIdentifier) {
        state.withLock { $0.openConnectionsByID[id]?.isSecure = true }
    }

    func isSecure(_ id: ObjectIdentifier) -> Bool {
        state.withLock { $0.openConnectionsByID[id]?.isSecure ?? false }
    }

    // MARK: The visitor of a connection

    /// Counts a trusted proxy's connection for the visitor whose request it carries now.
    /// - Returns: false if the visitor's share is used up.
    func assignToForwardedVisitor(_ id: ObjectIdentifier, for visitor: ResourceQuota.Holder) -> Bool {
        state.withLock { state in
            guard let entry = state.openConnectionsByID[id], entry.isProxied, entry.quotaHolder != visitor
            else {
                return true
            }
            guard (try? state.quota.transferPlace(entry.quotaHolder, to: visitor)) != nil else {
                return false
            }
            state.openConnectionsByID[id]?.quotaHolder = visitor
            return true
        }
    }

    /// Counts a connection for the technician or administrator whose session one of its requests carried.
    /// - Parameter holder: the person and the address; other people are ignored.
    func assignToStaff(
        _ id: ObjectIdentifier, as holder: ResourceQuota.Holder, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            guard let entry = state.openConnectionsByID[id], holder.trustLevel == .staff else { return }
            if !entry.isProxied {
                state.rememberStaffAddress(holder.network, now, most: Self.mostStaffAddresses)
            }
            guard entry.quotaHolder != holder else { return }
            // If the account's share is used up, the connection stays counted as before.
            guard (try? state.quota.transferPlace(entry.quotaHolder, to: holder)) != nil else { return }
            state.openConnectionsByID[id]?.quotaHolder = holder
        }
    }

    // MARK: Making room

    /// Closes connections whose places are needed, a few at a time within one second. It must be called each second. It
    /// examines every connection if places are scarce.
    /// - Returns: the number of connections that will be closed; at most as many as may be opened in a second.
    @discardableResult
    func closeExcessConnections(at now: ContinuousClock.Instant = .now) -> Int {
        let closing = state.withLock { state -> [(key: ObjectIdentifier, value: OpenConnection)] in
            let shares = state.quota.limits
            let isTight =
                state.quota.unreservedTakenCount >= shares.unreservedTotal - shares.unreservedTotal / 4
            guard isTight || state.quota.presumedStaffTakenCount > 0 else { return [] }
            let silent = state.openConnectionsByID.filter {
                $0.value.quotaHolder.trustLevel == .presumedStaff
                    && now - $0.value.lastActivity > Self.presumedStaffGracePeriod
            }
            guard isTight else { return Array(silent) }
            let idle = state.openConnectionsByID.filter {
                !$0.value.quotaHolder.trustLevel.mayUseReserve && $0.value.unansweredRequestCount <= 0
                    && now - $0.value.lastActivity > Self.idleLimitWhenNearlyFull
            }
            // Closes no more than necessary, those that were idle longest first, because each client that reconnects
            // costs work.
            let surplus =
                state.quota.unreservedTakenCount - (shares.unreservedTotal - shares.unreservedTotal / 4) + 1
            let longest = idle.sorted { $0.value.lastActivity < $1.value.lastActivity }
            return Array(silent) + longest.prefix(min(surplus, Self.newConnectionsPerSecond))
        }
        for (place, (id, entry)) in closing.enumerated() {
            guard let channel = entry.channel else { continue }
            let pause = Int64(place / Self.closingBatchSize) * Self.closingPauseMilliseconds
            channel.eventLoop.scheduleTask(in: .milliseconds(pause)) {
                guard self.isUnchangedSinceSelection(entry, id) else { return }
                channel.close(mode: .all, promise: nil)
            }
        }
        return closing.count
    }

    /// True if this connection is still open and had neither a request nor a new holder since it was selected for
    /// closing.
    private func isUnchangedSinceSelection(_ entry: OpenConnection, _ id: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.openConnectionsByID[id].map {
                $0.lastActivity == entry.lastActivity && $0.quotaHolder == entry.quotaHolder
            } == true
        }
    }
}

extension ConnectionLimiter.State {
    fileprivate mutating func rememberStaffAddress(
        _ network: String, _ now: ContinuousClock.Instant, most: Int
    ) {
        staffAddresses[network] = now
        guard staffAddresses.count > most else { return }
        if let oldest = staffAddresses.min(by: { $0.value < $1.value })?.key { staffAddresses[oldest] = nil }
    }
}
