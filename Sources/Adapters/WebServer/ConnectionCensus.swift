import NIOCore
import Synchronization

/// Counts connections and says which may stay.
///
/// Before a request is read nobody is known. So a connection counts for its address, and only the machine that the
/// server runs on, our own proxies, and addresses where a technician or administrator was signed in lately may use the
/// reserve for a few seconds, until it is clear who it is. Once a request shows a technician's or administrator's
/// session, its connection counts for that account. While most places are taken, connections that wait for a request
/// are closed early.
final class ConnectionCensus: Sendable {
    /// A connection of the reserve that has not shown by then whose it is gives up its place.
    static let presumedFor: Duration = .seconds(3)
    /// How long a connection without a request stays while most places are taken.
    static let idleWhileTight: Duration = .seconds(2)
    /// Closed at a time where room is made, and how long until the next: a closing costs an event loop work, and
    /// somebody's command may wait behind all of them.
    static let closedAtATime = 50
    static let closingPauseMilliseconds: Int64 = 50
    /// New connections that everybody together, and one address, may make when they have used up what there is.
    static let newPerSecond = 1_000
    static let newPerSecondOfAddress = 200
    /// A show day.
    private static let staffAddressStays: Duration = .seconds(12 * 3_600)
    private static let mostStaffAddresses = 256

    fileprivate struct Entry {
        var holder: Allotment.Holder
        let channel: (any Channel)?
        /// Comes from a proxy of ours, on behalf of others.
        let isProxied: Bool
        var since: ContinuousClock.Instant
        var requests = 0
    }

    fileprivate struct State {
        var allotment: Allotment
        var entries: [ObjectIdentifier: Entry] = [:]
        var staffAddresses: [String: ContinuousClock.Instant] = [:]
        var rate: ArrivalRate
        var ratesOfAddresses: ArrivalRate

        /// Somebody comes for whom nothing is kept.
        mutating func mayCome(_ network: String, at now: ContinuousClock.Instant) -> Bool {
            ratesOfAddresses.take(network, at: now) && rate.take("", at: now)
        }
    }

    private let state: Mutex<State>
    private let settings: WebSettings

    init(_ shares: Allotment.Shares, settings: WebSettings) {
        state = Mutex(
            State(
                allotment: Allotment(shares),
                rate: ArrivalRate(perSecond: Self.newPerSecond, burst: shares.total),
                ratesOfAddresses: ArrivalRate(
                    perSecond: Self.newPerSecondOfAddress, burst: shares.perAddress)))
        self.settings = settings
    }

    var connections: Int { state.withLock { $0.allotment.count } }

    // MARK: Coming and going

    /// Lets a connection in until it closes; asked again for one that is in, it says so.
    /// - Returns: false where it must be closed at once.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        if state.withLock({ $0.entries[id] != nil }) { return true }
        // Gone already: it closes by itself.
        guard let peer = channel.remoteAddress?.ipAddress else { return true }
        guard enter(id, peer: peer, local: channel.localAddress?.ipAddress, channel: channel) else {
            return false
        }
        channel.closeFuture.whenComplete { _ in self.leave(id) }
        return true
    }

    /// - Parameters:
    ///   - id: of the connection.
    ///   - channel: closed when its place is needed; nil in tests.
    /// - Returns: false where it must be closed at once.
    func enter(
        _ id: ObjectIdentifier, peer: String, local: String?, channel: (any Channel)? = nil,
        at now: ContinuousClock.Instant = .now
    ) -> Bool {
        let isProxy = settings.isTrustedProxy(peer)
        let isOwn = settings.isOwnMachine(peer: peer, local: local)
        return state.withLock { state in
            let network = SignInGuard.network(of: peer)
            var standings = [isProxy || isOwn ? Allotment.Standing.ownMachine : .anybody]
            if let seen = state.staffAddresses[network], now - seen < Self.staffAddressStays {
                standings.append(.presumed)
            }
            for standing in standings {
                if standing == .anybody, !state.mayCome(network, at: now) { continue }
                let holder = Allotment.Holder(address: peer, standing: standing)
                guard (try? state.allotment.take(holder)) != nil else { continue }
                state.entries[id] = Entry(holder: holder, channel: channel, isProxied: isProxy, since: now)
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

    /// A request has arrived, or its answer has left.
    /// - Parameter change: 1 or -1.
    func count(_ change: Int, requestsOf id: ObjectIdentifier, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.entries[id]?.requests += change
            state.entries[id]?.since = now
        }
    }

    // MARK: Who it is

    /// A proxy of ours sends a request for somebody: from now on the connection is theirs.
    /// - Returns: false where their share is used up.
    func forward(_ id: ObjectIdentifier, for visitor: Allotment.Holder) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[id], entry.isProxied, entry.holder != visitor else { return true }
            guard (try? state.allotment.pass(entry.holder, to: visitor)) != nil else { return false }
            state.entries[id]?.holder = visitor
            return true
        }
    }

    /// A request has shown the session of somebody who runs the evening.
    /// - Parameter holder: who it is, and from where.
    func recognise(
        _ id: ObjectIdentifier, as holder: Allotment.Holder, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            guard let entry = state.entries[id], holder.standing == .staff else { return }
            if !entry.isProxied { state.note(holder.network, now, most: Self.mostStaffAddresses) }
            guard entry.holder != holder else { return }
            // Beyond the account's share it stays counted as it was.
            guard (try? state.allotment.pass(entry.holder, to: holder)) != nil else { return }
            state.entries[id]?.holder = holder
        }
    }

    // MARK: Making room

    /// Closes connections whose places are needed, within a second, a few at a time. Asked each second; looks at each
    /// connection, when it is tight.
    /// - Returns: how many are to be closed: no more than may come in the same time.
    @discardableResult
    func makeRoom(at now: ContinuousClock.Instant = .now) -> Int {
        let closing = state.withLock { state -> [(key: ObjectIdentifier, value: Entry)] in
            let shares = state.allotment.shares
            let isTight = state.allotment.open >= shares.open - shares.open / 4
            guard isTight || state.allotment.presumed > 0 else { return [] }
            let silent = state.entries.filter {
                $0.value.holder.standing == .presumed && now - $0.value.since > Self.presumedFor
            }
            guard isTight else { return Array(silent) }
            let idle = state.entries.filter {
                !$0.value.holder.standing.mayUseReserve && $0.value.requests <= 0
                    && now - $0.value.since > Self.idleWhileTight
            }
            // No more than it takes, the longest idle first: each that comes back costs work.
            let surplus = state.allotment.open - (shares.open - shares.open / 4) + 1
            let longest = idle.sorted { $0.value.since < $1.value.since }
            return Array(silent) + longest.prefix(min(surplus, Self.newPerSecond))
        }
        for (place, (id, entry)) in closing.enumerated() {
            guard let channel = entry.channel else { continue }
            let pause = Int64(place / Self.closedAtATime) * Self.closingPauseMilliseconds
            channel.eventLoop.scheduleTask(in: .milliseconds(pause)) {
                guard self.isStill(entry, id) else { return }
                channel.close(mode: .all, promise: nil)
            }
        }
        return closing.count
    }

    /// Nothing has come or gone on a connection since, and it is nobody else's.
    private func isStill(_ entry: Entry, _ id: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.entries[id].map { $0.since == entry.since && $0.holder == entry.holder } == true
        }
    }
}

extension ConnectionCensus.State {
    fileprivate mutating func note(_ network: String, _ now: ContinuousClock.Instant, most: Int) {
        staffAddresses[network] = now
        guard staffAddresses.count > most else { return }
        if let oldest = staffAddresses.min(by: { $0.value < $1.value })?.key { staffAddresses[oldest] = nil }
    }
}
