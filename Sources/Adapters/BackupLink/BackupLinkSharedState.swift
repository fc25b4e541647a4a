import Basics
import Foundation
import NIOCore
import NIOPosix
import Podium
import Synchronization

/// The part of a link that ``BackupLinkServer`` and ``BackupLinkClient`` have in common: heartbeats, the newest log
/// lines, the connections.
final class BackupLinkSharedState: @unchecked Sendable {
    // @unchecked: mutable state is touched on `eventLoop` only, except `lockedState`, which has a lock.

    let key: BackupLinkKey
    var identity: LinkedServerIdentity { lockedState.withLock { $0.identity } }
    let handlers: BackupLinkHandlers
    let limits: BackupLinkLimits
    /// The link's own thread, so that heartbeats are sent and received whatever else the server does.
    let eventLoopGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop: any EventLoop

    private(set) var recentLines: RecentLogLines
    private(set) var isCopyingOtherLog = false
    var counters = BackupLinkCounters() { didSet { updateStatus { $0.counters = self.counters } } }
    private(set) var isClosed = false
    private var authenticator: BackupDatagramAuthenticator
    private var newestHeartbeatPayload: [UInt8] = []
    private var datagramChannel: (any Channel)?
    private(set) var connections: [ObjectIdentifier: BackupLinkConnection] = [:]
    private var peerSessions: [UInt64: (address: SocketAddress, heard: NIODeadline)] = [:]
    /// The address to which greetings are sent while no peer is known; only the connecting end has one.
    var greetingAddress: SocketAddress?
    /// The number and the time of the lines that were passed to `addLogLine` and are not confirmed yet. The lag is
    /// computed from these times. At most one line each 10 ms is listed.
    private var unconfirmedLineTimes: [(sequence: UInt64, at: NIODeadline)] = []
    /// Reads of log files that run on other threads and deliver their result on the event loop.
    private var runningFileReads: [Int: EventLoopFuture<Void>] = [:]
    private var startedFileReadCount = 0
    var pendingQuestions = PendingBackupQuestions()
    /// True if the other server answers questions; nil before its first heartbeat.
    private(set) var otherAnswersQuestions: Bool?
    private(set) var newestConnection: ObjectIdentifier?
    private var greetingRepliesThisSecond = 0
    private var greetingReplySecond: Int64 = 0

    struct LockedState {
        var identity: LinkedServerIdentity
        var status = BackupLinkStatus()
        var lastHeardAt: NIODeadline?
        var oldestLineWaitsSince: NIODeadline?
        var isEnded = false
    }
    let lockedState: Mutex<LockedState>

    init(
        key: BackupLinkKey, identity: LinkedServerIdentity, handlers: BackupLinkHandlers,
        limits: BackupLinkLimits
    ) {
        self.key = key
        lockedState = Mutex(LockedState(identity: identity.shortened))
        self.handlers = handlers
        self.limits = limits
        eventLoop = eventLoopGroup.next()
        recentLines = RecentLogLines(mostBytes: limits.recentLinesBytes)
        authenticator = BackupDatagramAuthenticator(key: key, ownSession: UInt64.random(in: 1 ... .max))
    }

    // MARK: Called from any thread

    func sendHeartbeat(_ heartbeat: Heartbeat) {
        let said = BackupHeartbeatMessage(
            heartbeat: heartbeat, identity: identity, answers: handlers.answerQuestion == nil ? nil : true)
        let payload = (try? said.bytes) ?? []
        runOnEventLoop { self.sendHeartbeatNow(payload) }
    }

    func identify(as identity: LinkedServerIdentity) {
        lockedState.withLock { shared in
            shared.identity = identity.shortened
            shared.status.warnings =
                shared.status.otherServer.map { shared.identity.warnings(about: $0) } ?? []
        }
    }

    func addLogLine(_ line: BackupLogLine) {
        let now = NIODeadline.now()
        runOnEventLoop {
            self.recentLines.append(line)
            if let last = self.unconfirmedLineTimes.last, line.sequence <= last.sequence {
                self.unconfirmedLineTimes = []
            }
            if self.unconfirmedLineTimes.last.map({ now - $0.at > .milliseconds(10) }) ?? true,
                self.unconfirmedLineTimes.count < 4_096
            {
                self.unconfirmedLineTimes.append((line.sequence, now))
            }
            for connection in self.connections.values { connection.sendNewLines() }
            self.updateReplicationLag()
        }
    }

    func setCopyingOtherLog(_ isFollowing: Bool) {
        runOnEventLoop {
            guard self.isCopyingOtherLog != isFollowing else { return }
            self.isCopyingOtherLog = isFollowing
            for connection in self.connections.values { connection.requestLog() }
        }
    }

    private func runOnEventLoop(_ work: @escaping @Sendable () -> Void) {
        guard !lockedState.withLock({ $0.isEnded }) else { return }
        eventLoop.execute(work)
    }

    /// Closes all connections and ends the thread. Later calls have no effect.
    func shutDown() async {
        lockedState.withLock { $0.isEnded = true }
        let readings = try? await eventLoop.submit {
            self.closeAll()
            return Array(self.runningFileReads.values)
        }.get()
        for reading in readings ?? [] { try? await reading.get() }
        try? await eventLoopGroup.shutdownGracefully()
    }

    /// The link's present state. Age and lag are computed at the time of the call.
    var status: BackupLinkStatus {
        let now = NIODeadline.now()
        return lockedState.withLock { shared in
            var status = shared.status
            if let heardAt = shared.lastHeardAt {
                status.heardMillisecondsAgo = (now - heardAt).nanoseconds / 1_000_000
                status.isOtherServerHeard = now - heardAt <= limits.heartbeatTimeout
            }
            status.logLagMilliseconds =
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
        pendingQuestions.failAll(on: nil, BackupLinkAnswerError.notConnected)
        for connection in connections.values { connection.close() }
    }

    /// Keeps the link's thread alive until this read of log files has ended.
    func trackFileRead(_ reading: EventLoopFuture<Void>) {
        startedFileReadCount += 1
        let number = startedFileReadCount
        runningFileReads[number] = reading
        reading.whenComplete { _ in self.runningFileReads[number] = nil }
    }

    func admitConnection(_ connection: BackupLinkConnection) {
        let strangers = connections.values.filter { !$0.isAuthenticated }.count
        guard !isClosed, strangers < limits.mostUnauthenticatedConnections,
            connections.count < limits.mostConnections
        else {
            return connection.close()
        }
        connections[ObjectIdentifier(connection)] = connection
    }

    func removeConnection(_ connection: BackupLinkConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if newestConnection == ObjectIdentifier(connection) { newestConnection = nil }
        pendingQuestions.failAll(on: ObjectIdentifier(connection), BackupLinkAnswerError.notConnected)
        updateConnectionStatus()
    }

    func isNewest(_ connection: BackupLinkConnection) -> Bool {
        newestConnection == ObjectIdentifier(connection)
    }

    func connectionAuthenticated(_ connection: BackupLinkConnection) {
        counters.authenticatedConnections += 1
        newestConnection = ObjectIdentifier(connection)
        updateConnectionStatus()
    }

    func countRefusal(_ refusal: BackupLinkSession.Refusal) {
        switch refusal {
        case .malformed: counters.malformedMessages += 1
        case .otherVersion: counters.otherVersionMessages += 1
        case .forged: counters.forgedMessages += 1
        case .oversized: counters.oversizedMessages += 1
        }
    }

    func updateReplicationLag() {
        let followers = connections.values.filter(\.hasLogFollower)
        let has = followers.map(\.confirmedSequence).max()
        let last = recentLines.lastSequence
        if let has { unconfirmedLineTimes.removeAll { $0.sequence <= has } }
        let waiting = unconfirmedLineTimes.first?.at
        updateStatus { shared in
            shared.isLogCopiedByOtherServer = has != nil
            shared.logLagLines = has.map { last > $0 ? Int(last - $0) : 0 } ?? 0
        }
        lockedState.withLock { $0.oldestLineWaitsSince = has == nil ? nil : waiting }
    }

    /// Handles a datagram that arrived.
    func handleDatagram(_ datagram: [UInt8], from address: SocketAddress) {
        switch authenticator.verify(datagram) {
        case .accepted(let kind, let payload, let peer):
            rememberPeer(peer, at: address)
            guard kind == .heartbeat, let said = try? BackupHeartbeatMessage(bytes: payload) else {
                if kind == .heartbeat { counters.malformedMessages += 1 }
                return
            }
            handleHeartbeat(said, from: address)
        case .greeting(let peer): answerGreeting(peer, at: address)
        case .refused(.oversized): counters.oversizedMessages += 1
        case .refused(.malformed), .refused(.own): counters.malformedMessages += 1
        case .refused(.otherVersion): counters.otherVersionMessages += 1
        case .refused(.forged): counters.forgedMessages += 1
        case .refused(.replayed): counters.replayedDatagrams += 1
        }
    }

    private func handleHeartbeat(_ said: BackupHeartbeatMessage, from address: SocketAddress) {
        counters.heartbeatsHeard += 1
        otherAnswersQuestions = said.answers ?? false
        lockedState.withLock { shared in
            shared.lastHeardAt = .now()
            shared.status.otherServer = said.identity
            shared.status.otherAddress = address.ipAddress
            shared.status.otherAnswersQuestions = said.answers ?? false
            shared.status.warnings = shared.identity.warnings(about: said.identity)
        }
        handlers.handleHeartbeat(said.heartbeat)
    }

    private func sendHeartbeatNow(_ payload: [UInt8]) {
        guard payload.count <= BackupDatagramAuthenticator.mostPayloadBytes, !payload.isEmpty else {
            return counters.heartbeatsFailed += 1
        }
        newestHeartbeatPayload = payload
        let now = NIODeadline.now()
        peerSessions = peerSessions.filter { now - $0.value.heard < limits.forgetPeerAfter }
        for (session, peer) in peerSessions {
            sendDatagram(.heartbeat, payload, to: session, at: peer.address)
        }
        let isHeard = peerSessions.values.contains { now - $0.heard < limits.heartbeatTimeout }
        if !isHeard, let greetingAddress { sendDatagram(.hello, [], to: 0, at: greetingAddress) }
    }

    private func rememberPeer(_ session: UInt64, at address: SocketAddress) {
        let isNew = peerSessions[session] == nil
        if isNew, peerSessions.count >= limits.mostPeers,
            let oldest = peerSessions.min(by: { $0.value.heard < $1.value.heard })?.key
        {
            peerSessions[oldest] = nil
        }
        if isNew { peerSessions = peerSessions.filter { $0.value.address != address } }
        peerSessions[session] = (address, .now())
        // The other server may not know our session yet, and waits for our datagram as we did for its.
        if isNew {
            sendDatagram(
                newestHeartbeatPayload.isEmpty ? .hello : .heartbeat, newestHeartbeatPayload, to: session,
                at: address)
        }
    }

    /// Answers a greeting at once, but limits the answers per second: the greeting may be an echo of our own.
    private func answerGreeting(_ session: UInt64, at address: SocketAddress) {
        let second = Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
        if second != greetingReplySecond { (greetingReplySecond, greetingRepliesThisSecond) = (second, 0) }
        greetingRepliesThisSecond += 1
        guard greetingRepliesThisSecond <= 40 else { return }
        sendDatagram(
            newestHeartbeatPayload.isEmpty ? .hello : .heartbeat, newestHeartbeatPayload, to: session,
            at: address)
    }

    private func sendDatagram(
        _ kind: BackupDatagramAuthenticator.Kind, _ payload: [UInt8], to session: UInt64,
        at address: SocketAddress
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

    private func updateConnectionStatus() {
        let isConnected = connections.values.contains(where: \.isAuthenticated)
        updateStatus { $0.isConnected = isConnected }
        updateReplicationLag()
    }

    private func updateStatus(_ change: (inout BackupLinkStatus) -> Void) {
        lockedState.withLock { change(&$0.status) }
    }
}
