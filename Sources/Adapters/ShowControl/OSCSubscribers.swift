import Synchronization

/// Everyone the state goes to: those who subscribed, for as long as their lease runs, and fixed targets.
///
/// Nothing here waits: a target that is gone, slow or unknown costs a count and a sentence.
public final class OSCSubscribers: Sendable {
    public static let mostTargets = 64

    /// Carries bytes to a peer of the server; false where it is gone or too slow.
    typealias Carrier = @Sendable ([UInt8], OSCPeer) -> Bool

    private let state: Mutex<State>
    private let now: @Sendable () -> Duration

    private struct State {
        var leases = LeaseTable()
        var lines: [OSCTargetLine]
        var carrier: Carrier?
    }

    /// - Parameter now: the time since some start; leases run by it.
    public init(
        targets: [OSCTarget] = [], now: (@Sendable () -> Duration)? = nil
    ) throws(ShowControlError) {
        guard targets.count <= Self.mostTargets else { throw .tooManyTargets(most: Self.mostTargets) }
        let start = ContinuousClock.now
        self.now = now ?? { start.duration(to: .now) }
        let lines = targets.map(OSCTargetLine.init)
        state = Mutex(State(lines: lines))
        for line in lines { line.open() }
    }

    /// Subscribers are reached through this server from now on.
    public func attach(_ server: OSCServer) {
        state.withLock { $0.carrier = { server.send($0, to: $1) } }
        server.onDeparture { [weak self] in _ = self?.unsubscribe($0) }
    }

    public func detach() { state.withLock { $0.carrier = nil } }

    /// False where too many others have subscribed.
    public func subscribe(_ peer: OSCPeer, seconds: Double? = nil) -> Bool {
        let now = now()
        return state.withLock { $0.leases.subscribe(peer, seconds: seconds, at: now) }
    }

    @discardableResult public func unsubscribe(_ peer: OSCPeer) -> Bool {
        state.withLock { $0.leases.unsubscribe(peer) }
    }

    public var subscribers: [OSCPeer] {
        let now = now()
        return state.withLock { $0.leases.holders(at: now) }
    }

    public var targets: [OSCTargetStatus] { state.withLock(\.lines).map(\.status) }

    /// Sends to all, and returns at once.
    /// - Throws: ``OSCFault`` where the message cannot be written.
    public func publish(_ message: OSCMessage) throws(OSCFault) {
        let bytes = try message.bytes()
        let now = now()
        let (peers, lines, carrier) = state.withLock { state in
            (state.leases.holders(at: now), state.lines, state.carrier)
        }
        if let carrier {
            // A connection that is gone or was cut off has no lease any more.
            for peer in peers where !carrier(bytes, peer) && !peer.isUDP { unsubscribe(peer) }
        }
        for line in lines where line.target.takesState { line.send(bytes) }
    }

    /// Sends to one target, by its name or address. Nothing is sent to where no target was configured.
    /// - Throws: ``ShowControlError``; what happens on the network shows in ``targets``.
    public func send(_ message: OSCMessage, to name: String) throws(ShowControlError) {
        let bytes: [UInt8]
        do throws(OSCFault) { bytes = try message.bytes() } catch { throw .message(error) }
        try line(named: name).send(bytes)
    }

    /// Asks a target whether it is there.
    public func ping(_ name: String, within limit: Duration = .milliseconds(500)) async -> OSCPing {
        do throws(ShowControlError) { return await (try line(named: name)).ping(within: limit) } catch {
            return .failed(error)
        }
    }

    private func line(named name: String) throws(ShowControlError) -> OSCTargetLine {
        let known = state.withLock { state in
            state.lines.first { $0.target.isMeant(by: name) }
        }
        guard let known else { throw .unknownTarget(name) }
        return known
    }

    public func close() async {
        let lines = state.withLock { state in
            state.carrier = nil
            return state.lines
        }
        for line in lines { await line.close() }
    }
}
