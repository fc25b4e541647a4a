import Synchronization

/// A speaker's program: registers with a server, carries requests to it, and comes back after a lost connection.
public final class PresentingClient: Sendable {
    public typealias Request = PresentingConversation.Request
    public typealias Outcome = PresentingConversation.Outcome

    /// The address of the server.
    public struct Endpoint: Hashable, Sendable {
        public var address: String
        public var port: Int

        public init(address: String, port: Int) { (self.address, self.port) = (address, port) }
    }

    /// An event that the speaker did not ask for.
    public enum Event: Hashable, Sendable {
        /// `isAgain` is true after a lost connection, if the server has kept the number.
        case registered(id: UInt8, at: Endpoint, isAgain: Bool)
        case floorGranted
        case floorWithdrawn
        /// So many bytes of the slides have left this program; said at every per cent.
        case sent(byteCount: Int, of: Int)
        /// The connection is lost; the client tries to come back.
        case disconnected
        /// The server has had no connection for so long that it has given number and floor to others.
        case numberLost
    }

    /// The reason why the client ends.
    public enum Fault: Error, Hashable, Sendable {
        /// No server answers; the text is the system's reason.
        case unreachable(reason: String)
        /// The server ended the connection without an answer to the registration.
        case closed
        /// The server refuses the name: a wrong code if it closed the connection, else it has no number left.
        case refused(isCodeWrong: Bool)
        /// It is no server for speakers.
        case wrongServer(PresentingFault)
        /// The moderator has removed the speaker, or another program on this machine has taken the name.
        case removed
        /// The server was away for longer than ``PresentingClient/patience``.
        case stayedAway
    }

    /// The servers: the main one, and perhaps its backup.
    public let endpoints: [Endpoint]
    /// The time without a server after which the client ends; nil if it tries for ever.
    public let patience: Duration?
    let name: String
    let limits: PresentingLimits
    let report: @Sendable (Event) -> Void
    let state = Mutex(State())

    struct State {
        var conversation: PresentingConversation?
        var outgoing: AsyncStream<Outgoing>.Continuation?
        var answers: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var lastTicket = 0
        var isLeaving = false
        /// The number that the server gave last.
        var id: UInt8?
        /// The server that gave it.
        var endpoint: Endpoint?
    }

    enum Outgoing: Sendable {
        case bytes([UInt8])
        case file(SlidesFile)
    }

    /// The time for which a server keeps number and floor.
    public static let keptTime = Duration.seconds(60)

    /// - Parameters:
    ///   - name: the name with the moderator's code, as `Anna #k7-summer`.
    ///   - report: called in the order of the events, from any thread; must not wait.
    public init(
        endpoints: [Endpoint], name: String, patience: Duration? = nil,
        limits: PresentingLimits = PresentingLimits(), report: @escaping @Sendable (Event) -> Void
    ) {
        precondition(!endpoints.isEmpty, "a client needs a server")
        (self.endpoints, self.name, self.patience) = (endpoints, name, patience)
        (self.limits, self.report) = (limits, report)
    }

    /// Asks the server for something, and waits for its answer.
    public func perform(_ request: Request) async -> Outcome {
        await withCheckedContinuation { answer in
            let refusal: Outcome? = state.withLock { state in
                guard state.conversation?.isRegistered == true, let outgoing = state.outgoing else {
                    return .notConnected
                }
                guard state.conversation?.hasRoom == true else { return .tooManyWaiting }
                state.lastTicket += 1
                state.answers[state.lastTicket] = answer
                if case .unregister = request { state.isLeaving = true }
                outgoing.yield(.bytes(state.conversation!.ask(request, ticket: state.lastTicket)))
                if case .slides(let file) = request { outgoing.yield(.file(file)) }
                return nil
            }
            if let refusal { answer.resume(returning: refusal) }
        }
    }

    /// Connects, and comes back after each lost connection, until the speaker has unregistered or the task is
    /// cancelled.
    /// - Throws: ``Fault``.
    public func run() async throws {
        var lostAt: ContinuousClock.Instant?
        var (attempt, pause) = (0, Duration.milliseconds(250))
        var hasReportedLoss = false
        while true {
            let (before, begin) = (state.withLock { $0.id }, ContinuousClock.now)
            let fault = await serve(endpoints[attempt % endpoints.count])
            if state.withLock({ $0.isLeaving }) || Task.isCancelled { return }
            if fault == .removed { throw fault }
            attempt += 1
            let wasRegistered = state.withLock { state in
                defer { state.conversation = nil }
                return state.conversation?.isRegistered == true
            }
            if wasRegistered {
                (lostAt, hasReportedLoss) = (.now, false)
                if begin.duration(to: .now) > .seconds(5) { pause = .milliseconds(250) }
                report(.disconnected)
                attempt -= 1
            } else if before == nil {
                // The first time every server is asked once.
                guard attempt < endpoints.count else { throw fault }
                continue
            }
            let away = lostAt.map { $0.duration(to: .now) } ?? .zero
            if let patience, away >= patience { throw Fault.stayedAway }
            if away >= Self.keptTime, !hasReportedLoss {
                hasReportedLoss = true
                report(.numberLost)
            }
            try? await Task.sleep(for: pause)
            if Task.isCancelled { return }
            pause = min(pause * 2, .seconds(2))
        }
    }
}
