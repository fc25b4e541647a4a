import NIOCore
import NIOPosix

/// One connection of the stream: authenticates, sends the log to a follower, receives the leader's log.
///
/// Everything here runs on the link's event loop.
final class LinkConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The progress of sending our log to the other server.
    private struct FollowerCursor {
        var cursor: UInt64
        /// True while log files are read for the follower on another thread.
        var isReading = false
        /// Neither files nor ring have a line after this number; reset when another line is offered.
        var exhaustedAfter: UInt64?
    }

    private unowned let core: LinkCore
    private var session: LinkSession
    private var context: ChannelHandlerContext?
    private var feed: FollowerCursor?
    /// Number of our requests to follow that are not answered yet. Lines that arrive in the meantime belong to an
    /// older request.
    private var unanswered = 0
    private var received: UInt64?
    private var acknowledged: UInt64 = 0
    private var lastHeard = NIODeadline.now()
    private var lastProgress = NIODeadline.now()
    private let began = NIODeadline.now()
    /// Number of the other server's questions that are being answered.
    private var answering = 0

    init(core: LinkCore, side: LinkSession.Side) {
        self.core = core
        session = LinkSession(
            side: side, key: core.key, challenge: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    var isProven: Bool { session.isOpen }
    var isFollower: Bool { feed != nil }
    /// The number of the last line that the follower confirmed.
    private(set) var confirmedSequence: UInt64 = 0

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        core.joined(self)
        send(session.opening())
        lookLater(context.eventLoop)
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
        for event in session.take(unwrapInboundIn(data).readableBytesView) {
            switch event {
            case .send(let bytes): send(bytes)
            case .proven: begin()
            case .frame(let frame): take(frame)
            case .refused(let why):
                core.count(why)
                close()
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let received, received > acknowledged {
            acknowledged = received
            send(.have(sequence: received))
        }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { lastProgress = .now() }
        sendPendingLines()
        context.fireChannelWritabilityChanged()
    }

    /// Asks for the other server's log, if this server is the follower.
    func follow() {
        guard isProven, core.isFollowing else { return }
        let last = core.handlers.lastLine()
        received = nil
        acknowledged = 0
        unanswered += 1
        send(.follow(sequence: last?.sequence ?? 0, digest: last?.digest ?? "-"))
    }

    /// Sends the lines that the follower does not have yet, as many as the socket accepts.
    func sendPendingLines() {
        guard let context, var feed, !feed.isReading else { return }
        var wrote = false
        while context.channel.isWritable, let line = core.ring.line(after: feed.cursor) {
            write(.line(line))
            core.counters.linesSent += 1
            feed.cursor = line.sequence
            wrote = true
        }
        if wrote { context.flush() }
        self.feed = feed
        guard context.channel.isWritable, !core.ring.reaches(feed.cursor), feed.exhaustedAfter != feed.cursor
        else { return }
        readHistory(after: feed.cursor)
    }

    /// Sends a newly offered log line to the follower.
    func wake() {
        feed?.exhaustedAfter = nil
        sendPendingLines()
    }

    func ask(_ number: UInt64, _ question: [UInt8]) { send(.ask(number: number, question: question)) }

    func close() { context?.close(promise: nil) }

    private func begin() {
        core.proven(self)
        follow()
    }

    private func take(_ frame: LinkFrame) {
        switch frame {
        case .beat: break
        case .follow(let sequence, let digest): startFeed(after: sequence, digest: digest)
        case .have(let sequence):
            confirmedSequence = max(confirmedSequence, sequence)
            lastProgress = .now()
            core.lagChanged()
        case .again:
            guard core.isFollowing, unanswered == 1 else { return }
            core.handlers.restartCopy()
        case .ask(let number, let question): answer(number, question)
        case .answer(let number, let answer): core.answered(number, on: self, answer)
        case .from: unanswered = max(unanswered - 1, 0)
        case .line(let line):
            guard core.isFollowing, unanswered == 0 else { return }
            received = line.sequence
            core.counters.linesReceived += 1
            core.handlers.line(line)
        }
    }

    private func answer(_ number: UInt64, _ question: [UInt8]) {
        guard let context, let handler = core.handlers.answer else { return close() }
        // Questions over the limit are dropped, and the asker times out and asks again; the log on this connection
        // goes on.
        guard answering < core.limits.mostQuestions else { return }
        answering += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let said = context.eventLoop.makeFutureWithTask { await handler(question) }
        core.waitFor(said.map { _ in })
        said.whenSuccess { answer in
            let connection = bound.value
            connection.answering -= 1
            let fits = answer.count <= LinkLimits.mostAnswerBytes
            connection.send(.answer(number: number, answer: fits ? answer : []))
        }
    }

    /// Compares the follower's last line with our line of that number, then sends the lines after it.
    private func startFeed(after sequence: UInt64, digest: String) {
        feed = FollowerCursor(cursor: sequence, isReading: true)
        confirmedSequence = sequence
        guard sequence > 0 else { return run(from: 0) }
        if let ours = core.ring.line(sequence) { return compare(ours, sequence, digest) }
        reading({ $0(sequence - 1) }) { connection, lines in
            connection.compare(lines.first, sequence, digest)
        }
    }

    private func compare(_ ours: LinkLine?, _ sequence: UInt64, _ digest: String) {
        if let ours, ours.sequence == sequence, ours.digest == digest { return run(from: sequence) }
        confirmedSequence = 0
        send(.again)
        run(from: 0)
    }

    private func run(from sequence: UInt64) {
        lastProgress = .now()
        feed = FollowerCursor(cursor: sequence)
        send(.from(sequence: sequence))
        core.lagChanged()
        sendPendingLines()
    }

    private func readHistory(after sequence: UInt64) {
        feed?.isReading = true
        reading({ $0(sequence) }) { connection, lines in
            connection.feed?.isReading = false
            guard connection.feed?.cursor == sequence else { return }
            for line in lines where line.sequence > connection.feed!.cursor {
                connection.write(.line(line))
                connection.core.counters.linesSent += 1
                connection.feed!.cursor = line.sequence
            }
            connection.context?.flush()
            if connection.feed!.cursor == sequence {
                // The files have no further line: continue with the oldest line of the ring, even if lines are
                // missing in between.
                connection.feed!.exhaustedAfter = sequence
                if let first = connection.core.ring.first { connection.feed!.cursor = first.sequence - 1 }
            }
            connection.sendPendingLines()
        }
    }

    /// Reads files on another thread and calls `then` on the loop with the lines found.
    private func reading(
        _ ask: @escaping @Sendable (@Sendable (UInt64) -> [LinkLine]) -> [LinkLine],
        then: @escaping (LinkConnection, [LinkLine]) -> Void
    ) {
        guard let context else { return }
        let history = core.handlers.history
        let bound = NIOLoopBound((self, then), eventLoop: context.eventLoop)
        let read = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { ask(history) }
        core.waitFor(read.map { _ in })
        read.whenComplete { result in
            let (connection, then) = bound.value
            guard connection.context != nil, connection.feed != nil else { return }
            then(connection, (try? result.get()) ?? [])
        }
    }

    private func lookLater(_ loop: any EventLoop) {
        loop.assumeIsolated().scheduleTask(in: core.limits.beat) { [weak self] in
            guard let self, let context = self.context else { return }
            self.checkConnection()
            self.lookLater(context.eventLoop)
        }
    }

    /// Called once a second: sends a sign of life and closes dead connections.
    private func checkConnection() {
        guard let context else { return }
        let now = NIODeadline.now()
        if !isProven {
            if now - began > core.limits.proof { close() }
            return
        }
        if now - lastHeard > core.limits.silence { return close() }
        if feed != nil, !context.channel.isWritable, now - lastProgress > core.limits.stall {
            core.counters.slowFollowers += 1
            return close()
        }
        if context.channel.isWritable { send(.beat) }
    }

    private func write(_ frame: LinkFrame) {
        guard let context, session.isOpen else { return }
        context.write(NIOAny(ByteBuffer(bytes: session.seal(frame))), promise: nil)
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
