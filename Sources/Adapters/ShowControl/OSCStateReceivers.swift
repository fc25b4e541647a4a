import Basics
import Synchronization

/// All receivers of the show's state: subscribers, until their leases end, and fixed targets.
///
/// No call waits: an unreachable, slow or unknown target is counted and reported in its status.
public final class OSCStateReceivers: Sendable {
    public static let maximumTargets = 64

    /// Sends bytes to a peer of the server; returns false if the peer is gone or too slow.
    typealias PeerSender = @Sendable ([UInt8], OSCPeer) -> Bool

    private let state: Mutex<State>
    private let currentTime: @Sendable () -> Duration

    private struct State {
        var subscriptionLeases = OSCSubscriptionLeases()
        var targetConnections: [OSCTargetConnection]
        var sendToPeer: PeerSender?
    }

    /// - Parameter currentTime: returns the time since any fixed start, by which the leases end.
    public init(
        targets: [OSCTarget] = [], currentTime: (@Sendable () -> Duration)? = nil
    ) throws(ExplainedError) {
        guard targets.count <= Self.maximumTargets else {
            throw ShowControlError.tooManyTargets
        }
        let start = ContinuousClock.now
        self.currentTime = currentTime ?? { start.duration(to: .now) }
        let lines = targets.map(OSCTargetConnection.init)
        state = Mutex(State(targetConnections: lines))
        for line in lines { line.openSocket() }
    }

    /// Sets the server through which subscribers are reached.
    public func attachServer(_ server: OSCServer) {
        state.withLock { $0.sendToPeer = { server.sendPacket($0, to: $1) } }
        server.setDisconnectHandler { [weak self] in _ = self?.unsubscribe($0) }
    }

    public func detachServer() { state.withLock { $0.sendToPeer = nil } }

    /// Begins or renews a subscription; returns false if too many others have subscribed.
    public func subscribe(_ peer: OSCPeer, seconds: Double? = nil) -> Bool {
        let now = currentTime()
        return state.withLock { $0.subscriptionLeases.subscribe(peer, seconds: seconds, at: now) }
    }

    @discardableResult public func unsubscribe(_ peer: OSCPeer) -> Bool {
        state.withLock { $0.subscriptionLeases.unsubscribe(peer) }
    }

    public var activeSubscribers: [OSCPeer] {
        let now = currentTime()
        return state.withLock { $0.subscriptionLeases.activePeers(at: now) }
    }

    public var targets: [OSCTarget] { state.withLock { $0.targetConnections.map(\.target) } }

    /// Adds a target, which is reached from now on.
    /// - Throws: ``ExplainedError`` if there are as many as can be.
    public func addTarget(_ target: OSCTarget) throws(ExplainedError) {
        let line = OSCTargetConnection(target)
        let isTaken = state.withLock { state in
            guard state.targetConnections.count < Self.maximumTargets else { return false }
            state.targetConnections.append(line)
            return true
        }
        guard isTaken else { throw ShowControlError.tooManyTargets }
        line.openSocket()
    }

    /// Removes a target and closes its connection.
    public func removeTarget(named name: String) async {
        let line = state.withLock { state in
            state.targetConnections.firstIndex { $0.target.name == name }
                .map { state.targetConnections.remove(at: $0) }
        }
        await line?.close()
    }

    public var targetStatuses: [OSCTargetStatus] { state.withLock(\.targetConnections).map(\.status) }

    /// Sends to all receivers without waiting.
    /// - Throws: ``ExplainedError`` if the message cannot be encoded.
    public func sendToAllReceivers(_ message: OSCMessage) throws(ExplainedError) {
        let bytes = try message.encodedBytes()
        let now = currentTime()
        let (peers, lines, carrier) = state.withLock { state in
            (state.subscriptionLeases.activePeers(at: now), state.targetConnections, state.sendToPeer)
        }
        if let carrier {
            // A closed connection loses its lease.
            for peer in peers where !carrier(bytes, peer) && !peer.isUDP { unsubscribe(peer) }
        }
        for line in lines where line.target.receivesState { line.sendBytes(bytes) }
    }

    /// Sends to one target, given by its name or address. Only configured targets are sent to.
    /// - Throws: ``ExplainedError``; network failures are shown in ``targetStatuses``.
    public func sendToTarget(_ message: OSCMessage, to name: String) throws(ExplainedError) {
        let bytes = try message.encodedBytes()
        try targetConnection(named: name).sendBytes(bytes)
    }

    /// Checks whether a target answers.
    public func pingTarget(_ name: String, within limit: Duration = .milliseconds(500)) async
        -> OSCPingOutcome
    {
        do throws(ExplainedError) {
            return await (try targetConnection(named: name)).ping(within: limit)
        } catch {
            return .failed(error)
        }
    }

    private func targetConnection(named name: String) throws(ExplainedError) -> OSCTargetConnection {
        let known = state.withLock { state in
            state.targetConnections.first { $0.target.isIdentified(by: name) }
        }
        guard let known else {
            throw ShowControlError.unknownTarget(name)
        }
        return known
    }

    public func close() async {
        let lines = state.withLock { state in
            state.sendToPeer = nil
            return state.targetConnections
        }
        for line in lines { await line.close() }
    }
}
