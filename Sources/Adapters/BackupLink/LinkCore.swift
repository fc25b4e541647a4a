import Foundation
import NIOCore
import NIOPosix
import Podium
import Synchronization

/// The state shared by both ends of a link: heartbeats, the newest lines, the connections.
final class LinkCore: @unchecked Sendable {
    // @unchecked: mutable state is touched on `loop` only, except `shared`, which has a lock.

    let key: LinkKey
    var identity: LinkIdentity { shared.withLock { $0.identity } }
    let handlers: LinkHandlers
    let limits: LinkLimits
    /// A thread of its own: heartbeats are sent and received whatever else the server does.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop: any EventLoop

    private(set) var ring: RecentLogLines
    private(set) var isFollowing = false
    var counters = LinkCounters() { didSet { publish { $0.counters = self.counters } } }
    private(set) var isClosed = false
    private var gate: DatagramAuthenticator
    private var newest: [UInt8] = []
    private var datagramChannel: (any Channel)?
    private(set) var connections: [ObjectIdentifier: LinkConnection] = [:]
    private var peers: [UInt64: (address: SocketAddress, heard: NIODeadline)] = [:]
    /// The address to send greetings to while no peer is known; only the connecting end has one.
    var greeting: SocketAddress?
    /// Number and instant of lines passed to `offer`, to compute the lag; at most one each 10 ms.
    private var offered: [(sequence: UInt64, at: NIODeadline)] = []
    /// Reads of files that run on other threads and return to the loop.
    private var readings: [Int: EventLoopFuture<Void>] = [:]
    private var readingCount = 0
    var questions = PendingLinkQuestions()
    /// True if the other server answers questions; nil before its first heartbeat.
    private(set) var otherAnswersQuestions: Bool?
    private(set) var newestConnection: ObjectIdentifier?
    private var repliesThisSecond = 0
    private var replySecond: Int64 = 0

    struct Shared {
        var identity: LinkIdentity
        var status = LinkStatus()
        var heardAt: NIODeadline?
        var waiting: NIODeadline?
        var isEnded = false
    }
    let shared: Mutex<Shared>

    init(key: LinkKey, identity: LinkIdentity, handlers: LinkHandlers, limits: LinkLimits) {
        self.key = key
        shared = Mutex(Shared(identity: identity.shortened))
        self.handlers = handlers
        self.limits = limits
        loop = group.next()
        ring = RecentLogLines(mostBytes: limits.ringBytes)
        gate = DatagramAuthenticator(key: key, session: UInt64.random(in: 1 ... .max))
    }

    // MARK: Called from any thread

    func send(_ heartbeat: Heartbeat) {
        let said = HeartbeatMessage(
            heartbeat: heartbeat, identity: identity, answers: handlers.answer == nil ? nil : true)
        let payload = (try? said.bytes) ?? []
        onLoop { self.sendNow(payload) }
    }

    func identify(as identity: LinkIdentity) {
        shared.withLock { shared in
            shared.identity = identity.shortened
            shared.status.warnings = shared.status.other.map { shared.identity.warnings(about: $0) } ?? []
        }
    }

    func offer(_ line: LinkLine) {
        let now = NIODeadline.now()
        onLoop {
            self.ring.append(line)
            if let last = self.offered.last, line.sequence <= last.sequence { self.offered = [] }
            if self.offered.last.map({ now - $0.at > .milliseconds(10) }) ?? true, self.offered.count < 4_096
            {
                self.offered.append((line.sequence, now))
            }
            for connection in self.connections.values { connection.wake() }
            self.lagChanged()
        }
    }

    func follow(_ isFollowing: Bool) {
        onLoop {
            guard self.isFollowing != isFollowing else { return }
            self.isFollowing = isFollowing
            for connection in self.connections.values { connection.follow() }
        }
    }

    private func onLoop(_ work: @escaping @Sendable () -> Void) {
        guard !shared.withLock({ $0.isEnded }) else { return }
        loop.execute(work)
    }

    /// Closes all connections and ends the thread; calls after this have no effect.
    func end() async {
        shared.withLock { $0.isEnded = true }
        let readings = try? await loop.submit {
            self.closeAll()
            return Array(self.readings.values)
        }.get()
        for reading in readings ?? [] { try? await reading.get() }
        try? await group.shutdownGracefully()
    }

    /// A snapshot; age and lag are computed at the time of the call.
    var status: LinkStatus {
        let now = NIODeadline.now()
        return shared.withLock { shared in
            var status = shared.status
            if let heardAt = shared.heardAt {
                status.heardMillisecondsAgo = (now - heardAt).nanoseconds / 1_000_000
                status.isHeard = now - heardAt <= limits.heard
            }
            status.lagMilliseconds = shared.waiting.map { (now - $0).nanoseconds / 1_000_000 } ?? 0
            return status
        }
    }

    // MARK: On the loop

    func use(_ datagramChannel: any Channel) { self.datagramChannel = datagramChannel }

    /// Starts to close all connections; the caller waits for the event loop group.
    func closeAll() {
        isClosed = true
        datagramChannel?.close(promise: nil)
        questions.endAll(on: nil, .notConnected)
        for connection in connections.values { connection.close() }
    }

    /// Keeps the thread alive until this read has ended.
    func waitFor(_ reading: EventLoopFuture<Void>) {
        readingCount += 1
        let number = readingCount
        readings[number] = reading
        reading.whenComplete { _ in self.readings[number] = nil }
    }

    func joined(_ connection: LinkConnection) {
        let strangers = connections.values.filter { !$0.isProven }.count
        guard !isClosed, strangers < limits.mostStrangers, connections.count < limits.mostConnections else {
            return connection.close()
        }
        connections[ObjectIdentifier(connection)] = connection
    }

    func left(_ connection: LinkConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if newestConnection == ObjectIdentifier(connection) { newestConnection = nil }
        questions.endAll(on: ObjectIdentifier(connection), .notConnected)
        connectionsChanged()
    }

    func proven(_ connection: LinkConnection) {
        counters.connections += 1
        newestConnection = ObjectIdentifier(connection)
        connectionsChanged()
    }

    func count(_ refusal: LinkSession.Refusal) {
        switch refusal {
        case .malformed: counters.malformed += 1
        case .otherVersion: counters.otherVersion += 1
        case .forged: counters.forged += 1
        case .oversized: counters.oversized += 1
        }
    }

    func lagChanged() {
        let followers = connections.values.filter(\.isFollower)
        let has = followers.map(\.confirmedSequence).max()
        let last = ring.last
        if let has { offered.removeAll { $0.sequence <= has } }
        let waiting = offered.first?.at
        publish { shared in
            shared.isFollowed = has != nil
            shared.lagLines = has.map { last > $0 ? Int(last - $0) : 0 } ?? 0
        }
        shared.withLock { $0.waiting = has == nil ? nil : waiting }
    }

    /// Handles a datagram that arrived.
    func take(_ datagram: [UInt8], from address: SocketAddress) {
        switch gate.open(datagram) {
        case .believed(let kind, let payload, let peer):
            know(peer, at: address)
            guard kind == .heartbeat, let said = try? HeartbeatMessage(bytes: payload) else {
                if kind == .heartbeat { counters.malformed += 1 }
                return
            }
            heard(said, from: address)
        case .greeting(let peer): answer(peer, at: address)
        case .refused(.oversized): counters.oversized += 1
        case .refused(.malformed), .refused(.own): counters.malformed += 1
        case .refused(.otherVersion): counters.otherVersion += 1
        case .refused(.forged): counters.forged += 1
        case .refused(.replayed): counters.replayed += 1
        }
    }

    private func heard(_ said: HeartbeatMessage, from address: SocketAddress) {
        counters.heartbeatsHeard += 1
        otherAnswersQuestions = said.answers ?? false
        shared.withLock { shared in
            shared.heardAt = .now()
            shared.status.other = said.identity
            shared.status.otherAddress = address.ipAddress
            shared.status.otherAnswersQuestions = said.answers ?? false
            shared.status.warnings = shared.identity.warnings(about: said.identity)
        }
        handlers.heartbeat(said.heartbeat)
    }

    private func sendNow(_ payload: [UInt8]) {
        guard payload.count <= DatagramAuthenticator.mostPayloadBytes, !payload.isEmpty else {
            return counters.heartbeatsFailed += 1
        }
        newest = payload
        let now = NIODeadline.now()
        peers = peers.filter { now - $0.value.heard < limits.forgotten }
        for (session, peer) in peers { write(.heartbeat, payload, to: session, at: peer.address) }
        let isHeard = peers.values.contains { now - $0.heard < limits.heard }
        if !isHeard, let greeting { write(.hello, [], to: 0, at: greeting) }
    }

    private func know(_ session: UInt64, at address: SocketAddress) {
        let isNew = peers[session] == nil
        if isNew, peers.count >= limits.mostPeers,
            let oldest = peers.min(by: { $0.value.heard < $1.value.heard })?.key
        {
            peers[oldest] = nil
        }
        if isNew { peers = peers.filter { $0.value.address != address } }
        peers[session] = (address, .now())
        // The other server may not know our session yet, and waits for our datagram as we did for its.
        if isNew { write(newest.isEmpty ? .hello : .heartbeat, newest, to: session, at: address) }
    }

    /// Answers a greeting at once, but no more often than a working pair ever needs: it may be an echo of our own.
    private func answer(_ session: UInt64, at address: SocketAddress) {
        let second = Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
        if second != replySecond { (replySecond, repliesThisSecond) = (second, 0) }
        repliesThisSecond += 1
        guard repliesThisSecond <= 40 else { return }
        write(newest.isEmpty ? .hello : .heartbeat, newest, to: session, at: address)
    }

    private func write(
        _ kind: DatagramAuthenticator.Kind, _ payload: [UInt8], to session: UInt64, at address: SocketAddress
    ) {
        guard let datagramChannel, datagramChannel.isActive, datagramChannel.isWritable,
            let sealed = gate.seal(kind, payload, to: session)
        else { return counters.heartbeatsFailed += 1 }
        if kind == .heartbeat { counters.heartbeatsSent += 1 }
        let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: sealed))
        datagramChannel.writeAndFlush(envelope).whenFailure { _ in
            self.counters.heartbeatsFailed += 1
        }
    }

    private func connectionsChanged() {
        let isConnected = connections.values.contains(where: \.isProven)
        publish { $0.isConnected = isConnected }
        lagChanged()
    }

    private func publish(_ change: (inout LinkStatus) -> Void) {
        shared.withLock { change(&$0.status) }
    }
}
