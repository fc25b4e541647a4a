import Glibc
import NIOCore
import NIOPosix

/// One stream connection between the two servers. It authenticates the other server, sends it our log if that server
/// follows, and receives its log if that server leads.
///
/// All methods run on the link's event loop.
final class BackupLinkConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The progress of sending our log to the other server, which follows.
    private struct LogFollowerCursor {
        var lastSentSequence: UInt64
        /// True while another thread reads log files for the other server.
        var isReadingLogFiles = false
        /// The line number after which neither the files nor memory have a line; reset when a line is added.
        var sequenceWithoutSuccessor: UInt64?
    }

    private unowned let sharedLinkState: BackupLinkSharedState
    private var session: BackupLinkSession
    private var context: ChannelHandlerContext?
    private var followerCursor: LogFollowerCursor?
    /// The number of our requests for the other server's log that are not answered yet. Lines that arrive meanwhile
    /// belong to an older request.
    private var unansweredLogRequests = 0
    private var lastReceivedSequence: UInt64?
    private var lastAcknowledgedSequence: UInt64 = 0
    private var lastHeard = NIODeadline.now()
    private var lastSendProgress = NIODeadline.now()
    private let began = NIODeadline.now()
    /// True if this server closes the connection, or if it broke, so that its end says nothing about the other server.
    private var isClosedHere = false
    /// The number of the other server's questions that are being answered.
    private var questionsBeingAnswered = 0

    init(sharedLinkState: BackupLinkSharedState, side: BackupLinkSession.Side) {
        self.sharedLinkState = sharedLinkState
        session = BackupLinkSession(
            side: side, key: sharedLinkState.key,
            challenge: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    var isAuthenticated: Bool { session.isOpen }
    var hasLogFollower: Bool { followerCursor != nil }
    /// The number of the last line that the other server has confirmed.
    private(set) var confirmedSequence: UInt64 = 0

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        sharedLinkState.admitConnection(self)
        sendBytes(session.openingBytes())
        scheduleConnectionCheck(context.eventLoop)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        let wasInUse = isAuthenticated && sharedLinkState.isNewest(self)
        sharedLinkState.removeConnection(self)
        if wasInUse, !isClosedHere { sharedLinkState.handlers.handleClosedConnection() }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The system of the other server resets the connection of a program that has ended.
        if ![ECONNRESET, EPIPE].contains((error as? IOError)?.errnoCode) { isClosedHere = true }
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastHeard = .now()
        for event in session.receive(unwrapInboundIn(data).readableBytesView) {
            switch event {
            case .send(let bytes): sendBytes(bytes)
            case .authenticated: startAfterAuthentication()
            case .frame(let frame): handleFrame(frame)
            case .refused(let why):
                sharedLinkState.countRefusal(why)
                close()
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let lastReceivedSequence, lastReceivedSequence > lastAcknowledgedSequence {
            lastAcknowledgedSequence = lastReceivedSequence
            sendFrame(.confirmed(sequence: lastReceivedSequence))
        }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { lastSendProgress = .now() }
        sendPendingLines()
        context.fireChannelWritabilityChanged()
    }

    /// Asks the other server for its log, if this server follows.
    func requestLog() {
        guard isAuthenticated, sharedLinkState.isCopyingOtherLog else { return }
        let last = sharedLinkState.handlers.readLastLine()
        lastReceivedSequence = nil
        lastAcknowledgedSequence = 0
        unansweredLogRequests += 1
        sendFrame(.requestLog(sequence: last?.sequence ?? 0, digest: last?.digest ?? "-"))
    }

    /// Sends the log lines that the other server does not have yet, as many as the socket accepts.
    func sendPendingLines() {
        guard let context, var followerCursor, !followerCursor.isReadingLogFiles else { return }
        var wrote = false
        while context.channel.isWritable,
            let line = sharedLinkState.recentLines.line(after: followerCursor.lastSentSequence)
        {
            writeFrame(.line(line))
            sharedLinkState.counters.linesSent += 1
            followerCursor.lastSentSequence = line.sequence
            wrote = true
        }
        if wrote { context.flush() }
        self.followerCursor = followerCursor
        guard context.channel.isWritable,
            !sharedLinkState.recentLines.reachesBackTo(followerCursor.lastSentSequence),
            followerCursor.sequenceWithoutSuccessor != followerCursor.lastSentSequence
        else { return }
        readHistory(after: followerCursor.lastSentSequence)
    }

    /// Sends newly added log lines to the other server.
    func sendNewLines() {
        followerCursor?.sequenceWithoutSuccessor = nil
        sendPendingLines()
    }

    func sendQuestion(_ number: UInt64, _ question: [UInt8]) {
        sendFrame(.ask(number: number, question: question))
    }

    func close() {
        isClosedHere = true
        context?.close(promise: nil)
    }

    private func startAfterAuthentication() {
        sharedLinkState.connectionAuthenticated(self)
        requestLog()
    }

    private func handleFrame(_ frame: BackupLinkFrame) {
        switch frame {
        case .keepAlive: break
        case .requestLog(let sequence, let digest): startFeed(after: sequence, digest: digest)
        case .confirmed(let sequence):
            confirmedSequence = max(confirmedSequence, sequence)
            lastSendProgress = .now()
            sharedLinkState.updateReplicationLag()
        case .restartCopy:
            guard sharedLinkState.isCopyingOtherLog, unansweredLogRequests == 1 else { return }
            sharedLinkState.handlers.restartCopy()
        case .ask(let number, let question): answerQuestion(number, question)
        case .answer(let number, let answer): sharedLinkState.completeQuestion(number, on: self, answer)
        case .linesAfter: unansweredLogRequests = max(unansweredLogRequests - 1, 0)
        case .line(let line):
            guard sharedLinkState.isCopyingOtherLog, unansweredLogRequests == 0 else { return }
            lastReceivedSequence = line.sequence
            sharedLinkState.counters.linesReceived += 1
            sharedLinkState.handlers.handleLine(line)
        }
    }

    private func answerQuestion(_ number: UInt64, _ question: [UInt8]) {
        guard let context, let handler = sharedLinkState.handlers.answerQuestion else { return close() }
        // Questions over the limit are dropped, and the asker times out and asks again; the log on this connection
        // goes on.
        guard questionsBeingAnswered < sharedLinkState.limits.mostConcurrentQuestions else { return }
        questionsBeingAnswered += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let said = context.eventLoop.makeFutureWithTask { await handler(question) }
        sharedLinkState.trackFileRead(said.map { _ in })
        said.whenSuccess { answer in
            let connection = bound.value
            connection.questionsBeingAnswered -= 1
            let fits = answer.count <= BackupLinkLimits.mostAnswerBytes
            connection.sendFrame(.answer(number: number, answer: fits ? answer : []))
        }
    }

    /// Compares the other server's last line with our line of the same number, then sends the lines after it.
    private func startFeed(after sequence: UInt64, digest: String) {
        followerCursor = LogFollowerCursor(lastSentSequence: sequence, isReadingLogFiles: true)
        confirmedSequence = sequence
        guard sequence > 0 else { return feedLines(from: 0) }
        if let ours = sharedLinkState.recentLines.line(sequence) {
            return compareLastLine(ours, sequence, digest)
        }
        readLogFiles({ $0(sequence - 1) }) { connection, lines in
            connection.compareLastLine(lines.first, sequence, digest)
        }
    }

    private func compareLastLine(_ ours: BackupLogLine?, _ sequence: UInt64, _ digest: String) {
        if let ours, ours.sequence == sequence, ours.digest == digest { return feedLines(from: sequence) }
        confirmedSequence = 0
        sendFrame(.restartCopy)
        feedLines(from: 0)
    }

    private func feedLines(from sequence: UInt64) {
        lastSendProgress = .now()
        followerCursor = LogFollowerCursor(lastSentSequence: sequence)
        sendFrame(.linesAfter(sequence: sequence))
        sharedLinkState.updateReplicationLag()
        sendPendingLines()
    }

    private func readHistory(after sequence: UInt64) {
        followerCursor?.isReadingLogFiles = true
        readLogFiles({ $0(sequence) }) { connection, lines in
            connection.followerCursor?.isReadingLogFiles = false
            guard connection.followerCursor?.lastSentSequence == sequence else { return }
            for line in lines where line.sequence > connection.followerCursor!.lastSentSequence {
                connection.writeFrame(.line(line))
                connection.sharedLinkState.counters.linesSent += 1
                connection.followerCursor!.lastSentSequence = line.sequence
            }
            connection.context?.flush()
            if connection.followerCursor!.lastSentSequence == sequence {
                // The files have no further line: continue with the oldest line of the ring, even if lines are
                // missing in between.
                connection.followerCursor!.sequenceWithoutSuccessor = sequence
                if let first = connection.sharedLinkState.recentLines.oldestHeldLine {
                    connection.followerCursor!.lastSentSequence = first.sequence - 1
                }
            }
            connection.sendPendingLines()
        }
    }

    /// Reads log files on another thread, then calls `then` on the event loop with the lines found.
    private func readLogFiles(
        _ ask: @escaping @Sendable (@Sendable (UInt64) -> [BackupLogLine]) -> [BackupLogLine],
        then: @escaping (BackupLinkConnection, [BackupLogLine]) -> Void
    ) {
        guard let context else { return }
        let history = sharedLinkState.handlers.readLines
        let bound = NIOLoopBound((self, then), eventLoop: context.eventLoop)
        let read = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { ask(history) }
        sharedLinkState.trackFileRead(read.map { _ in })
        read.whenComplete { result in
            let (connection, then) = bound.value
            guard connection.context != nil, connection.followerCursor != nil else { return }
            then(connection, (try? result.get()) ?? [])
        }
    }

    private func scheduleConnectionCheck(_ loop: any EventLoop) {
        loop.assumeIsolated().scheduleTask(in: sharedLinkState.limits.keepAliveInterval) { [weak self] in
            guard let self, let context = self.context else { return }
            self.checkConnection()
            self.scheduleConnectionCheck(context.eventLoop)
        }
    }

    /// Sends a sign of life and closes dead connections. Called once a second.
    private func checkConnection() {
        guard let context else { return }
        let now = NIODeadline.now()
        if !isAuthenticated {
            if now - began > sharedLinkState.limits.authenticationTimeout { close() }
            return
        }
        if now - lastHeard > sharedLinkState.limits.longestSilence { return close() }
        if followerCursor != nil, !context.channel.isWritable,
            now - lastSendProgress > sharedLinkState.limits.longestLogFollowerStall
        {
            sharedLinkState.counters.disconnectedSlowLogFollowers += 1
            return close()
        }
        if context.channel.isWritable { sendFrame(.keepAlive) }
    }

    private func writeFrame(_ frame: BackupLinkFrame) {
        guard let context, session.isOpen else { return }
        context.write(NIOAny(ByteBuffer(bytes: session.sign(frame))), promise: nil)
    }

    private func sendFrame(_ frame: BackupLinkFrame) {
        writeFrame(frame)
        context?.flush()
    }

    private func sendBytes(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let context else { return }
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
