import NIOCore
import Synchronization

/// Counts the open connections and decides which of them may stay.
///
/// The visitor is unknown until a request was read, so a new connection counts for its address. A part of all places is
/// reserved. For the first seconds only this machine, trusted proxies, and addresses from which a technician or
/// administrator signed in recently may use the reserve. When a request carries the session of a technician or
/// administrator, its connection counts for that account. While most places are taken, connections without a request
/// are closed early.
final class ConnectionLimiter: Sendable {
    /// The time after which a connection loses its reserved place, unless a technician or administrator has signed in
    /// on it.
    static let presumedStaffLifetime: Duration = .seconds(3)
    /// The longest time that a connection without a request may stay while most places are taken.
    static let idleLimitWhenNearlyFull: Duration = .seconds(2)
    /// The number of connections that are closed at once to make room, and the pause before the next ones. Closing
    /// costs time on an event loop, which could delay an operator's command.
    static let closingBatchSize = 50
    static let closingPauseMilliseconds: Int64 = 50
    /// The number of new connections accepted per second, once the initial burst is used up: from all addresses
    /// together, and from one address.
    static let newPerSecond = 1_000
    static let newPerSecondOfAddress = 200
    /// The time for which the server remembers an address where a technician or administrator signed in: the length of
    /// a show day.
    private static let staffAddressLifetime: Duration = .seconds(12 * 3_600)
    private static let mostStaffAddresses = 256

    fileprivate struct OpenConnection {
        var holder: ResourceQuota.Holder
        let channel: (any Channel)?
        /// True if a trusted proxy opened the connection, on behalf of its visitors.
        let isProxied: Bool
        var since: ContinuousClock.Instant
        var requests = 0
    }

    fileprivate struct State {
        var quota: ResourceQuota
        var entries: [ObjectIdentifier: OpenConnection] = [:]
        var staffAddresses: [String: ContinuousClock.Instant] = [:]
        var rate: ArrivalRateLimit
        var ratesOfAddresses: ArrivalRateLimit

        /// Counts a new connection that may not use the reserve.
        /// - Parameter network: the visitor's address or network.
        /// - Returns: false if there are too many new connections per second.
        mutating func countArrival(_ network: String, at now: ContinuousClock.Instant) -> Bool {
            ratesOfAddresses.admit(network, at: now) && rate.admit("", at: now)
        }
    }

    private let state: Mutex<State>
    private let settings: WebSettings

    init(_ shares: ResourceQuota.Shares, settings: WebSettings) {
        state = Mutex(
            State(
                quota: ResourceQuota(shares),
                rate: ArrivalRateLimit(perSecond: Self.newPerSecond, burst: shares.total),
                ratesOfAddresses: ArrivalRateLimit(
                    perSecond: Self.newPerSecondOfAddress, burst: shares.perAddress)))
        self.settings = settings
    }

    var connections: Int { state.withLock { $0.quota.count } }

    // MARK: Opening and closing

    /// Counts a connection until it closes. A connection that is already counted is not counted twice.
    /// - Returns: false if the caller must close the connection at once.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        if state.withLock({ $0.entries[id] != nil }) { return true }
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
                guard (try? state.quota.take(holder)) != nil else { continue }
                state.entries[id] = OpenConnection(
                    holder: holder, channel: channel, isProxied: isProxy, since: now)
                return true
            }
            return false
        }
    }

    func removeConnection(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: id) else { return }
            state.quota.giveBack(entry.holder)
        }
    }

    /// Changes the number of a connection's unanswered requests.
    /// - Parameter change: 1 when a request has arrived, -1 when its response was sent.
    func changeRequestCount(
        _ change: Int, of id: ObjectIdentifier, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            state.entries[id]?.requests += change
            state.entries[id]?.since = now
        }
    }

    // MARK: The visitor of a connection

    /// Counts a trusted proxy's connection for the visitor whose request it carries now.
    /// - Returns: false if the visitor's share is used up.
    func assignForwarded(_ id: ObjectIdentifier, for visitor: ResourceQuota.Holder) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[id], entry.isProxied, entry.holder != visitor else { return true }
            guard (try? state.quota.transfer(entry.holder, to: visitor)) != nil else { return false }
            state.entries[id]?.holder = visitor
            return true
        }
    }

    /// Counts a connection for the technician or administrator whose session one of its requests carried.
    /// - Parameter holder: the person and the address; other people are ignored.
    func assignToStaff(
        _ id: ObjectIdentifier, as holder: ResourceQuota.Holder, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            guard let entry = state.entries[id], holder.trustLevel == .staff else { return }
            if !entry.isProxied { state.note(holder.network, now, most: Self.mostStaffAddresses) }
            guard entry.holder != holder else { return }
            // If the account's share is used up, the connection stays counted as before.
            guard (try? state.quota.transfer(entry.holder, to: holder)) != nil else { return }
            state.entries[id]?.holder = holder
        }
    }

    // MARK: Making room

    /// Closes connections whose places are needed, a few at a time within one second. It must be called each second. It
    /// examines every connection if places are scarce.
    /// - Returns: the number of connections that will be closed; at most as many as may be opened in a second.
    @discardableResult
    func closeExcessConnections(at now: ContinuousClock.Instant = .now) -> Int {
        let closing = state.withLock { state -> [(key: ObjectIdentifier, value: OpenConnection)] in
            let shares = state.quota.shares
            let isTight =
                state.quota.unreservedTakenCount >= shares.unreservedTotal - shares.unreservedTotal / 4
            guard isTight || state.quota.presumedStaffTakenCount > 0 else { return [] }
            let silent = state.entries.filter {
                $0.value.holder.trustLevel == .presumedStaff
                    && now - $0.value.since > Self.presumedStaffLifetime
            }
            guard isTight else { return Array(silent) }
            let idle = state.entries.filter {
                !$0.value.holder.trustLevel.mayUseReserve && $0.value.requests <= 0
                    && now - $0.value.since > Self.idleLimitWhenNearlyFull
            }
            // Closes no more than necessary, those that were idle longest first, because each client that reconnects
            // costs work.
            let surplus =
                state.quota.unreservedTakenCount - (shares.unreservedTotal - shares.unreservedTotal / 4) + 1
            let longest = idle.sorted { $0.value.since < $1.value.since }
            return Array(silent) + longest.prefix(min(surplus, Self.newPerSecond))
        }
        for (place, (id, entry)) in closing.enumerated() {
            guard let channel = entry.channel else { continue }
            let pause = Int64(place / Self.closingBatchSize) * Self.closingPauseMilliseconds
            channel.eventLoop.scheduleTask(in: .milliseconds(pause)) {
                guard self.isUnchanged(entry, id) else { return }
                channel.close(mode: .all, promise: nil)
            }
        }
        return closing.count
    }

    /// True if this connection is still open and has had no request and no new holder since it was selected for
    /// closing.
    private func isUnchanged(_ entry: OpenConnection, _ id: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.entries[id].map { $0.since == entry.since && $0.holder == entry.holder } == true
        }
    }
}

extension ConnectionLimiter.State {
    fileprivate mutating func note(_ network: String, _ now: ContinuousClock.Instant, most: Int) {
        staffAddresses[network] = now
        guard staffAddresses.count > most else { return }
        if let oldest = staffAddresses.min(by: { $0.value < $1.value })?.key { staffAddresses[oldest] = nil }
    }
}
