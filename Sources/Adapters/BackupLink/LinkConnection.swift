import NIOCore
import NIOPosix

/// One stream connection between the two servers: authenticates the peer, sends the log to a follower, and receives the
/// leader's log.
///
/// All methods run on the link's event loop.
final class LinkConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// How far our log has been sent to the other server.
    private struct FollowerCursor {
        var cursor: UInt64
        /// True while log files are read for the follower on another thread.
        var isReading = false
        /// The line number after which neither the files nor memory have a line; reset when a line is added.
        var noLinesAfter: UInt64?
    }

    private unowned let core: LinkCore
    private var session: LinkSession
    private var context: ChannelHandlerContext?
    private var followerCursor: FollowerCursor?
    /// The number of our requests to follow that are not answered yet. Lines that arrive meanwhile belong to an older
    /// request.
    private var unansweredFollowRequests = 0
    private var received: UInt64?
    private var acknowledged: UInt64 = 0
    private var lastHeard = NIODeadline.now()
    private var lastProgress = NIODeadline.now()
    private let began = NIODeadline.now()
    /// The number of the other server's questions that are being answered.
    private var questionsBeingAnswered = 0

    init(core: LinkCore, side: LinkSession.Side) {
        self.core = core
        session = LinkSession(
            side: side, key: core.key, challenge: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    var isAuthenticated: Bool { session.isOpen }
    var hasFollower: Bool { followerCursor != nil }
    /// The number of the last line that the follower confirmed.
    private(set) var confirmedSequence: UInt64 = 0

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        core.joined(self)
        send(session.openingBytes())
        scheduleConnectionCheck(context.eventLoop)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        core.left(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastHeard = .now()
        for event in session.receive(unwrapInboundIn(data).readableBytesView) {
            switch event {
            case .send(let bytes): send(bytes)
            case .authenticated: startAfterAuthentication()
            case .frame(let frame): handle(frame)
            case .refused(let why):
                core.countRefusal(why)
                close()
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let received, received > acknowledged {
            acknowledged = received
            send(.confirmed(sequence: received))
        }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { lastProgress = .now() }
        sendPendingLines()
        context.fireChannelWritabilityChanged()
    }

    /// Asks the other server for its log, if this server is the follower.
    func requestLog() {
        guard isAuthenticated, core.isFollowing else { return }
        let last = core.handlers.lastLine()
        received = nil
        acknowledged = 0
        unansweredFollowRequests += 1
        send(.follow(sequence: last?.sequence ?? 0, digest: last?.digest ?? "-"))
    }

    /// Sends the log lines that the follower does not have yet, as many as the socket accepts.
    func sendPendingLines() {
        guard let context, var followerCursor, !followerCursor.isReading else { return }
        var wrote = false
        while context.channel.isWritable, let line = core.recentLines.line(after: followerCursor.cursor) {
            write(.line(line))
            core.counters.linesSent += 1
            followerCursor.cursor = line.sequence
            wrote = true
        }
        if wrote { context.flush() }
        self.followerCursor = followerCursor
        guard context.channel.isWritable, !core.recentLines.reachesBackTo(followerCursor.cursor),
            followerCursor.noLinesAfter != followerCursor.cursor
        else { return }
        readHistory(after: followerCursor.cursor)
    }

    /// Sends newly added log lines to the follower.
    func sendNewLines() {
        followerCursor?.noLinesAfter = nil
        sendPendingLines()
    }

    func ask(_ number: UInt64, _ question: [UInt8]) { send(.ask(number: number, question: question)) }

    func close() { context?.close(promise: nil) }

    private func startAfterAuthentication() {
        core.connectionAuthenticated(self)
        requestLog()
    }

    private func handle(_ frame: LinkFrame) {
        switch frame {
        case .keepAlive: break
        case .follow(let sequence, let digest): startFeed(after: sequence, digest: digest)
        case .confirmed(let sequence):
            confirmedSequence = max(confirmedSequence, sequence)
            lastProgress = .now()
            core.lagChanged()
        case .restartCopy:
            guard core.isFollowing, unansweredFollowRequests == 1 else { return }
            core.handlers.restartCopy()
        case .ask(let number, let question): answer(number, question)
        case .answer(let number, let answer): core.answered(number, on: self, answer)
        case .linesAfter: unansweredFollowRequests = max(unansweredFollowRequests - 1, 0)
        case .line(let line):
            guard core.isFollowing, unansweredFollowRequests == 0 else { return }
            received = line.sequence
            core.counters.linesReceived += 1
            core.handlers.line(line)
        }
    }

    private func answer(_ number: UInt64, _ question: [UInt8]) {
        guard let context, let handler = core.handlers.answer else { return close() }
        // Questions over the limit are dropped, and the asker times out and asks again; the log on this connection
        // goes on.
        guard questionsBeingAnswered < core.limits.mostQuestions else { return }
        questionsBeingAnswered += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let said = context.eventLoop.makeFutureWithTask { await handler(question) }
        core.trackFileRead(said.map { _ in })
        said.whenSuccess { answer in
            let connection = bound.value
            connection.questionsBeingAnswered -= 1
            let fits = answer.count <= LinkLimits.mostAnswerBytes
            connection.send(.answer(number: number, answer: fits ? answer : []))
        }
    }

    /// Compares the follower's last line with our line of the same number, then sends the lines after it.
    private func startFeed(after sequence: UInt64, digest: String) {
        followerCursor = FollowerCursor(cursor: sequence, isReading: true)
        confirmedSequence = sequence
        guard sequence > 0 else { return feedLines(from: 0) }
        if let ours = core.recentLines.line(sequence) { return compareLastLine(ours, sequence, digest) }
        readLogFiles({ $0(sequence - 1) }) { connection, lines in
            connection.compareLastLine(lines.first, sequence, digest)
        }
    }

    private func compareLastLine(_ ours: LinkLine?, _ sequence: UInt64, _ digest: String) {
        if let ours, ours.sequence == sequence, ours.digest == digest { return feedLines(from: sequence) }
        confirmedSequence = 0
        send(.restartCopy)
        feedLines(from: 0)
    }

    private func feedLines(from sequence: UInt64) {
        lastProgress = .now()
        followerCursor = FollowerCursor(cursor: sequence)
        send(.linesAfter(sequence: sequence))
        core.lagChanged()
        sendPendingLines()
    }

    private func readHistory(after sequence: UInt64) {
        followerCursor?.isReading = true
        readLogFiles({ $0(sequence) }) { connection, lines in
            connection.followerCursor?.isReading = false
            guard connection.followerCursor?.cursor == sequence else { return }
            for line in lines where line.sequence > connection.followerCursor!.cursor {
                connection.write(.line(line))
                connection.core.counters.linesSent += 1
                connection.followerCursor!.cursor = line.sequence
            }
            connection.context?.flush()
            if connection.followerCursor!.cursor == sequence {
                // The files have no further line: continue with the oldest line of the ring, even if lines are
                // missing in between.
                connection.followerCursor!.noLinesAfter = sequence
                if let first = connection.core.recentLines.first {
                    connection.followerCursor!.cursor = first.sequence - 1
                }
            }
            connection.sendPendingLines()
        }
    }

    /// Reads log files on another thread, then calls `then` on the event loop with the lines found.
    private func readLogFiles(
        _ ask: @escaping @Sendable (@Sendable (UInt64) -> [LinkLine]) -> [LinkLine],
        then: @escaping (LinkConnection, [LinkLine]) -> Void
    ) {
        guard let context else { return }
        let history = core.handlers.history
        let bound = NIOLoopBound((self, then), eventLoop: context.eventLoop)
        let read = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { ask(history) }
        core.trackFileRead(read.map { _ in })
        read.whenComplete { result in
            let (connection, then) = bound.value
            guard connection.context != nil, connection.followerCursor != nil else { return }
            then(connection, (try? result.get()) ?? [])
        }
    }

    private func scheduleConnectionCheck(_ loop: any EventLoop) {
        loop.assumeIsolated().scheduleTask(in: core.limits.keepAliveInterval) { [weak self] in
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
            if now - began > core.limits.authenticationTime { close() }
            return
        }
        if now - lastHeard > core.limits.longestSilence { return close() }
        if followerCursor != nil, !context.channel.isWritable, now - lastProgress > core.limits.longestStall {
            core.counters.slowFollowers += 1
            return close()
        }
        if context.channel.isWritable { send(.keepAlive) }
    }

    private func write(_ frame: LinkFrame) {
        guard let context, session.isOpen else { return }
        context.write(NIOAny(ByteBuffer(bytes: session.sign(frame))), promise: nil)
    }

    private func send(_ frame: LinkFrame) {
        write(frame)
        context?.flush()
    }

    private func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let context else { return }
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
