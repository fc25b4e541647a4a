import NIOCore
import Synchronization

/// A connection whose next request waits until it may begin.
protocol GatedConnection: AnyObject {
    /// Passes on the request that waited. Called once for each request that had to wait.
    /// - Returns: false if the connection was closed meanwhile.
    func beginWaitingRequest() -> Bool
}

/// Lets the requests of one event loop's connections begin, a few at a time.
///
/// Each request that begins is a job in the thread pool that all requests share, and more work for the loop. A thousand
/// requests of strangers that arrive together would all be served before a command that arrives a moment later. So they
/// wait here instead, where addresses take turns. Those who run the evening do not wait.
///
/// Used only on the event loop.
final class RequestGate {
    /// The number of requests that have begun and are not being answered yet.
    static let mostBeginningRequests = 4
    /// The time after which a request counts as begun, even if its answer takes longer.
    private static let longestBeginning: TimeAmount = .milliseconds(20)
    /// The pause in which the loop serves all other connections before further waiting requests begin.
    private static let pause: TimeAmount = .milliseconds(1)

    private let loop: any EventLoop
    private var waitingConnections = TurnOrder<any GatedConnection>()
    private var beginnings: [ObjectIdentifier: NIODeadline] = [:]
    private var isTurnScheduled = false

    init(loop: any EventLoop) { self.loop = loop }

    var waitingCount: Int { waitingConnections.count }

    /// Counts a request that arrived.
    /// - Parameter holder: the visitor of the connection; nil if it is unknown.
    /// - Returns: true if it may begin now; otherwise the connection is told when it may.
    func admitRequest(of connection: any GatedConnection, for holder: ResourceQuota.Holder?) -> Bool {
        guard let holder, !holder.trustLevel.mayUseReserve else { return true }
        if beginnings.count < Self.mostBeginningRequests, waitingConnections.isEmpty {
            beginnings[ObjectIdentifier(connection)] = .now()
            return true
        }
        waitingConnections.append(connection, of: holder)
        scheduleTurn()
        return false
    }

    /// Counts a request that is being answered, or whose connection was closed.
    func endBeginning(of connection: any GatedConnection) { beginnings[ObjectIdentifier(connection)] = nil }

    private func scheduleTurn() {
        guard !isTurnScheduled, !waitingConnections.isEmpty else { return }
        isTurnScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isTurnScheduled = false
            self.beginWaitingRequests()
            self.scheduleTurn()
        }
    }

    func beginWaitingRequests() {
        let oldest = NIODeadline.now() - Self.longestBeginning
        beginnings = beginnings.filter { $0.value > oldest }
        while beginnings.count < Self.mostBeginningRequests, let next = waitingConnections.takeFirst() {
            beginnings[ObjectIdentifier(next)] = .now()
            if !next.beginWaitingRequest() { beginnings[ObjectIdentifier(next)] = nil }
        }
    }
}

/// The ``RequestGate`` of each event loop.
final class RequestGates: Sendable {
    private let gates = Mutex<[ObjectIdentifier: NIOLoopBound<RequestGate>]>([:])

    /// Must be called on the event loop.
    func gate(of loop: any EventLoop) -> RequestGate {
        gates.withLock { gates in
            if let known = gates[ObjectIdentifier(loop)] { return known }
            let new = NIOLoopBound(RequestGate(loop: loop), eventLoop: loop)
            gates[ObjectIdentifier(loop)] = new
            return new
        }.value
    }
}
