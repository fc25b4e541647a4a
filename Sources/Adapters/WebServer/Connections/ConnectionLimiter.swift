import NIOCore
import Synchronization

/// Counts connections and decides which may stay.
///
/// A visitor is unknown until a request is read, so a connection first counts for its address. The reserve is then
/// open, for a few seconds, only to this machine, trusted proxies, and addresses from which a technician or
/// administrator was signed in recently. Once a request carries the session of a technician or administrator, its
/// connection counts for that account. While most places are taken, connections without a request are closed early.
final class ConnectionLimiter: Sendable {
    /// A connection in the reserve that nobody has signed in on by then loses its place.
    static let presumptionLifetime: Duration = .seconds(3)
    /// The longest stay of a connection without a request while most places are taken.
    static let idleLimitWhenNearlyFull: Duration = .seconds(2)
    /// Connections closed at once to make room, and the pause until the next: closing costs an event loop work that
    /// may delay an operator's command.
    static let closingBatchSize = 50
    static let closingPauseMilliseconds: Int64 = 50
    /// New connections a second when the burst is used up: from all addresses together, and from one address.
    static let newPerSecond = 1_000
    static let newPerSecondOfAddress = 200
    /// The time for which an address stays known after a technician or administrator signed in there: a show day.
    private static let staffAddressLifetime: Duration = .seconds(12 * 3_600)
    private static let mostStaffAddresses = 256

    fileprivate struct OpenConnection {
        var holder: ResourceQuota.Holder
        let channel: (any Channel)?
        /// True if a trusted proxy opened the connection on behalf of others.
        let isProxied: Bool
        var since: ContinuousClock.Instant
        var requests = 0
    }

    fileprivate struct State {
        var allotment: ResourceQuota
        var entries: [ObjectIdentifier: OpenConnection] = [:]
        var staffAddresses: [String: ContinuousClock.Instant] = [:]
        var rate: ArrivalRateLimit
        var ratesOfAddresses: ArrivalRateLimit

        /// Counts a new connection of a visitor without reserved places; false if the rate is exceeded.
        mutating func mayCome(_ network: String, at now: ContinuousClock.Instant) -> Bool {
            ratesOfAddresses.take(network, at: now) && rate.take("", at: now)
        }
    }

    private let state: Mutex<State>
    private let settings: WebSettings

    init(_ shares: ResourceQuota.Shares, settings: WebSettings) {
        state = Mutex(
            State(
                allotment: ResourceQuota(shares),
                rate: ArrivalRateLimit(perSecond: Self.newPerSecond, burst: shares.total),
                ratesOfAddresses: ArrivalRateLimit(
                    perSecond: Self.newPerSecondOfAddress, burst: shares.perAddress)))
        self.settings = settings
    }

    var connections: Int { state.withLock { $0.allotment.count } }

    // MARK: Coming and going

    /// Counts a connection until it closes; returns true at once if it is counted already.
    /// - Returns: false if the connection must be closed at once.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        if state.withLock({ $0.entries[id] != nil }) { return true }
        // Disconnected already: it closes by itself.
        guard let peer = channel.remoteAddress?.ipAddress else { return true }
        guard enter(id, peer: peer, local: channel.localAddress?.ipAddress, channel: channel) else {
            return false
        }
        channel.closeFuture.whenComplete { _ in self.leave(id) }
        return true
    }

    /// Counts a connection.
    /// - Parameters:
    ///   - id: identifies the connection.
    ///   - channel: closed when its place is needed; nil in tests.
    /// - Returns: false if the connection must be closed at once.
    func enter(
        _ id: ObjectIdentifier, peer: String, local: String?, channel: (any Channel)? = nil,
        at now: ContinuousClock.Instant = .now
    ) -> Bool {
        let isProxy = settings.isTrustedProxy(peer)
        let isOwn = settings.isOwnMachine(peer: peer, local: local)
        return state.withLock { state in
            let network = SignInGuard.network(of: peer)
            var standings = [isProxy || isOwn ? ResourceQuota.Standing.ownMachine : .anybody]
            if let seen = state.staffAddresses[network], now - seen < Self.staffAddressLifetime {
                standings.append(.presumed)
            }
            for standing in standings {
                if standing == .anybody, !state.mayCome(network, at: now) { continue }
                let holder = ResourceQuota.Holder(address: peer, standing: standing)
                guard (try? state.allotment.take(holder)) != nil else { continue }
                state.entries[id] = OpenConnection(
                    holder: holder, channel: channel, isProxied: isProxy, since: now)
                return true
            }
            return false
        }
    }

    func leave(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: id) else { return }
            state.allotment.giveBack(entry.holder)
        }
    }

    /// Counts a request that arrived, or whose answer was sent.
    /// - Parameter change: 1 or -1.
    func count(_ change: Int, requestsOf id: ObjectIdentifier, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.entries[id]?.requests += change
            state.entries[id]?.since = now
        }
    }

    // MARK: Who it is

    /// Counts a trusted proxy's connection for the visitor whose request it forwards.
    /// - Returns: false if the visitor's share is used up.
    func forward(_ id: ObjectIdentifier, for visitor: ResourceQuota.Holder) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[id], entry.isProxied, entry.holder != visitor else { return true }
            guard (try? state.allotment.pass(entry.holder, to: visitor)) != nil else { return false }
            state.entries[id]?.holder = visitor
            return true
        }
    }

    /// Counts a connection for a technician or administrator whose session a request carried.
    /// - Parameter holder: the person and the address.
    func recognise(
        _ id: ObjectIdentifier, as holder: ResourceQuota.Holder, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            guard let entry = state.entries[id], holder.standing == .staff else { return }
            if !entry.isProxied { state.note(holder.network, now, most: Self.mostStaffAddresses) }
            guard entry.holder != holder else { return }
            // Beyond the account's share, the connection stays counted as before.
            guard (try? state.allotment.pass(entry.holder, to: holder)) != nil else { return }
            state.entries[id]?.holder = holder
        }
    }

    // MARK: Making room

    /// Selects and closes connections whose places are needed, within a second, a few at a time. Called each second;
    /// examines each connection if places are scarce.
    /// - Returns: the number to be closed: no more than may be opened in the same time.
    @discardableResult
    func makeRoom(at now: ContinuousClock.Instant = .now) -> Int {
        let closing = state.withLock { state -> [(key: ObjectIdentifier, value: OpenConnection)] in
            let shares = state.allotment.shares
            let isTight = state.allotment.open >= shares.open - shares.open / 4
            guard isTight || state.allotment.presumed > 0 else { return [] }
            let silent = state.entries.filter {
                $0.value.holder.standing == .presumed && now - $0.value.since > Self.presumptionLifetime
            }
            guard isTight else { return Array(silent) }
            let idle = state.entries.filter {
                !$0.value.holder.standing.mayUseReserve && $0.value.requests <= 0
                    && now - $0.value.since > Self.idleLimitWhenNearlyFull
            }
            // No more than necessary, the longest idle first: each one that reconnects costs work.
            let surplus = state.allotment.open - (shares.open - shares.open / 4) + 1
            let longest = idle.sorted { $0.value.since < $1.value.since }
            return Array(silent) + longest.prefix(min(surplus, Self.newPerSecond))
        }
        for (place, (id, entry)) in closing.enumerated() {
            guard let channel = entry.channel else { continue }
            let pause = Int64(place / Self.closingBatchSize) * Self.closingPauseMilliseconds
            channel.eventLoop.scheduleTask(in: .milliseconds(pause)) {
                guard self.isStill(entry, id) else { return }
                channel.close(mode: .all, promise: nil)
            }
        }
        return closing.count
    }

    /// True if the connection is unchanged since it was selected, and the same connection.
    private func isStill(_ entry: OpenConnection, _ id: ObjectIdentifier) -> Bool {
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
