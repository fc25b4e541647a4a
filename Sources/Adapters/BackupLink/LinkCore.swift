import Foundation
import NIOCore
import NIOPosix
import Podium
import Synchronization

/// The state that both ends of a link share: heartbeats, the newest log lines, the connections.
final class LinkCore: @unchecked Sendable {
    // @unchecked: mutable state is touched on `loop` only, except `shared`, which has a lock.

    let key: LinkKey
    var identity: LinkIdentity { shared.withLock { $0.identity } }
    let handlers: LinkHandlers
    let limits: LinkLimits
    /// The link's own thread, so that heartbeats are sent and received whatever else the server does.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop: any EventLoop

    private(set) var recentLines: RecentLogLines
    private(set) var isFollowing = false
    var counters = LinkCounters() { didSet { publish { $0.counters = self.counters } } }
    private(set) var isClosed = false
    private var authenticator: DatagramAuthenticator
    private var newestHeartbeatPayload: [UInt8] = []
    private var datagramChannel: (any Channel)?
    private(set) var connections: [ObjectIdentifier: LinkConnection] = [:]
    private var peers: [UInt64: (address: SocketAddress, heard: NIODeadline)] = [:]
    /// The address to which greetings are sent while no peer is known; only the connecting end has one.
    var greetingAddress: SocketAddress?
    /// The number and the time of lines passed to `addLogLine`, from which the lag is computed. At most one line each
    /// 10 ms is listed.
    private var unconfirmedLines: [(sequence: UInt64, at: NIODeadline)] = []
    /// Reads of log files that run on other threads and deliver their result on the event loop.
    private var runningFileReads: [Int: EventLoopFuture<Void>] = [:]
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
        var oldestLineWaitsSince: NIODeadline?
        var isEnded = false
    }
    let shared: Mutex<Shared>

    init(key: LinkKey, identity: LinkIdentity, handlers: LinkHandlers, limits: LinkLimits) {
        self.key = key
        shared = Mutex(Shared(identity: identity.shortened))
        self.handlers = handlers
        self.limits = limits
        loop = group.next()
        recentLines = RecentLogLines(mostBytes: limits.ringBytes)
        authenticator = DatagramAuthenticator(key: key, session: UInt64.random(in: 1 ... .max))
    }

    // MARK: Called from any thread

    func sendHeartbeat(_ heartbeat: Heartbeat) {
        let said = HeartbeatMessage(
            heartbeat: heartbeat, identity: identity, answers: handlers.answer == nil ? nil : true)
        let payload = (try? said.bytes) ?? []
        onLoop { self.sendHeartbeatNow(payload) }
    }

    func identify(as identity: LinkIdentity) {
        shared.withLock { shared in
            shared.identity = identity.shortened
            shared.status.warnings =
                shared.status.otherServer.map { shared.identity.warnings(about: $0) } ?? []
        }
    }

    func addLogLine(_ line: LinkLine) {
        let now = NIODeadline.now()
        onLoop {
            self.recentLines.append(line)
            if let last = self.unconfirmedLines.last, line.sequence <= last.sequence {
                self.unconfirmedLines = []
            }
            if self.unconfirmedLines.last.map({ now - $0.at > .milliseconds(10) }) ?? true,
                self.unconfirmedLines.count < 4_096
            {
                self.unconfirmedLines.append((line.sequence, now))
            }
            for connection in self.connections.values { connection.sendNewLines() }
            self.lagChanged()
        }
    }

    func setFollowing(_ isFollowing: Bool) {
        onLoop {
            guard self.isFollowing != isFollowing else { return }
            self.isFollowing = isFollowing
            for connection in self.connections.values { connection.requestLog() }
        }
    }

    private func onLoop(_ work: @escaping @Sendable () -> Void) {
        guard !shared.withLock({ $0.isEnded }) else { return }
        loop.execute(work)
    }

    /// Closes all connections and ends the thread. Later calls have no effect.
    func end() async {
        shared.withLock { $0.isEnded = true }
        let readings = try? await loop.submit {
            self.closeAll()
            return Array(self.runningFileReads.values)
        }.get()
        for reading in readings ?? [] { try? await reading.get() }
        try? await group.shutdownGracefully()
    }

    /// The link's present state. Age and lag are computed at the time of the call.
    var status: LinkStatus {
        let now = NIODeadline.now()
        return shared.withLock { shared in
            var status = shared.status
            if let heardAt = shared.heardAt {
                status.heardMillisecondsAgo = (now - heardAt).nanoseconds / 1_000_000
                status.isHeard = now - heardAt <= limits.heardWithin
            }
            status.lagMilliseconds =
                shared.oldestLineWaitsSince.map { (now - $0).nanoseconds / 1_000_000 } ?? 0
            return status
        }
    }

    // MARK: Called on the event loop

    func useDatagramChannel(_ datagramChannel: any Channel) { self.datagramChannel = datagramChannel }

    /// Starts to close all connections. The caller must then wait for the event loop group.
    func closeAll() {
        isClosed = true
        datagramChannel?.close(promise: nil)
        questions.failAll(on: nil, .notConnected)
        for connection in connections.values { connection.close() }
    }

    /// Keeps the link's thread alive until this read of log files has ended.
    func trackFileRead(_ reading: EventLoopFuture<Void>) {
        readingCount += 1
        let number = readingCount
        runningFileReads[number] = reading
        reading.whenComplete { _ in self.runningFileReads[number] = nil }
    }

    func joined(_ connection: LinkConnection) {
        let strangers = connections.values.filter { !$0.isAuthenticated }.count
        guard !isClosed, strangers < limits.mostStrangers, connections.count < limits.mostConnections else {
            return connection.close()
        }
        connections[ObjectIdentifier(connection)] = connection
    }

    func left(_ connection: LinkConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if newestConnection == ObjectIdentifier(connection) { newestConnection = nil }
        questions.failAll(on: ObjectIdentifier(connection), .notConnected)
        connectionsChanged()
    }

    func connectionAuthenticated(_ connection: LinkConnection) {
        counters.connections += 1
        newestConnection = ObjectIdentifier(connection)
        connectionsChanged()
    }

    func countRefusal(_ refusal: LinkSession.Refusal) {
        switch refusal {
        case .malformed: counters.malformed += 1
        case .otherVersion: counters.otherVersion += 1
        case .forged: counters.forged += 1
        case .oversized: counters.oversized += 1
        }
    }

    func lagChanged() {
        let followers = connections.values.filter(\.hasFollower)
        let has = followers.map(\.confirmedSequence).max()
        let last = recentLines.lastSequence
        if let has { unconfirmedLines.removeAll { $0.sequence <= has } }
        let waiting = unconfirmedLines.first?.at
        publish { shared in
            shared.isFollowed = has != nil
            shared.lagLines = has.map { last > $0 ? Int(last - $0) : 0 } ?? 0
        }
        shared.withLock { $0.oldestLineWaitsSince = has == nil ? nil : waiting }
    }

    /// Handles a datagram that arrived.
    func handleDatagram(_ datagram: [UInt8], from address: SocketAddress) {
        switch authenticator.verify(datagram) {
        case .accepted(let kind, let payload, let peer):
            rememberPeer(peer, at: address)
            guard kind == .heartbeat, let said = try? HeartbeatMessage(bytes: payload) else {
                if kind == .heartbeat { counters.malformed += 1 }
                return
            }
            handleHeartbeat(said, from: address)
        case .greeting(let peer): answerGreeting(peer, at: address)
        case .refused(.oversized): counters.oversized += 1
        case .refused(.malformed), .refused(.own): counters.malformed += 1
        case .refused(.otherVersion): counters.otherVersion += 1
        case .refused(.forged): counters.forged += 1
        case .refused(.replayed): counters.replayed += 1
        }
    }

    private func handleHeartbeat(_ said: HeartbeatMessage, from address: SocketAddress) {
        counters.heartbeatsHeard += 1
        otherAnswersQuestions = said.answers ?? false
        shared.withLock { shared in
            shared.heardAt = .now()
            shared.status.otherServer = said.identity
            shared.status.otherAddress = address.ipAddress
            shared.status.otherAnswersQuestions = said.answers ?? false
            shared.status.warnings = shared.identity.warnings(about: said.identity)
        }
        handlers.heartbeat(said.heartbeat)
    }

    private func sendHeartbeatNow(_ payload: [UInt8]) {
        guard payload.count <= DatagramAuthenticator.mostPayloadBytes, !payload.isEmpty else {
            return counters.heartbeatsFailed += 1
        }
        newestHeartbeatPayload = payload
        let now = NIODeadline.now()
        peers = peers.filter { now - $0.value.heard < limits.forgetPeerAfter }
        for (session, peer) in peers { write(.heartbeat, payload, to: session, at: peer.address) }
        let isHeard = peers.values.contains { now - $0.heard < limits.heardWithin }
        if !isHeard, let greetingAddress { write(.hello, [], to: 0, at: greetingAddress) }
    }

    private func rememberPeer(_ session: UInt64, at address: SocketAddress) {
        let isNew = peers[session] == nil
        if isNew, peers.count >= limits.mostPeers,
            let oldest = peers.min(by: { $0.value.heard < $1.value.heard })?.key
        {
            peers[oldest] = nil
        }
        if isNew { peers = peers.filter { $0.value.address != address } }
        peers[session] = (address, .now())
        // The other server may not know our session yet, and waits for our datagram as we did for its.
        if isNew {
            write(
                newestHeartbeatPayload.isEmpty ? .hello : .heartbeat, newestHeartbeatPayload, to: session,
                at: address)
        }
    }

    /// Answers a greeting at once, but limits the answers per second: the greeting may be an echo of our own.
    private func answerGreeting(_ session: UInt64, at address: SocketAddress) {
        let second = Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
        if second != replySecond { (replySecond, repliesThisSecond) = (second, 0) }
        repliesThisSecond += 1
        guard repliesThisSecond <= 40 else { return }
        write(
            newestHeartbeatPayload.isEmpty ? .hello : .heartbeat, newestHeartbeatPayload, to: session,
            at: address)
    }

    private func write(
        _ kind: DatagramAuthenticator.Kind, _ payload: [UInt8], to session: UInt64, at address: SocketAddress
    ) {
        guard let datagramChannel, datagramChannel.isActive, datagramChannel.isWritable,
            let sealed = authenticator.sign(kind, payload, to: session)
        else { return counters.heartbeatsFailed += 1 }
        if kind == .heartbeat { counters.heartbeatsSent += 1 }
        let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: sealed))
        datagramChannel.writeAndFlush(envelope).whenFailure { _ in
            self.counters.heartbeatsFailed += 1
        }
    }

    private func connectionsChanged() {
        let isConnected = connections.values.contains(where: \.isAuthenticated)
        publish { $0.isConnected = isConnected }
        lagChanged()
    }

    private func publish(_ change: (inout LinkStatus) -> Void) {
        shared.withLock { change(&$0.status) }
    }
}
