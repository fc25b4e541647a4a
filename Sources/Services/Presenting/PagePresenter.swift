import Floor
import Hosting
import Platform
import Podium
import Synchronization
import WebServer

/// The session of one speaker with the page `/present`: one presenter of the floor, with one or a few open streams.
///
/// A secret token identifies it, so that the same browser comes back to the same number from any address. The floor
/// and its log know only the token's digest.
final class PagePresenter: Sendable {
    static let mostStreams = 4
    /// The most requests of one session that are answered at the same time.
    static let mostRequests = 8
    /// The most requests of one session within a second.
    static let mostRequestsEachSecond = 100

    let name: String
    let entrance: PresenterEntrance
    /// The place from which the floor takes this presenter to come: a digest of the token.
    let identity: String
    /// The address from which the session was begun; of an IPv6 address its network.
    let network: String
    let upload: SlidesUpload

    private struct State {
        var streams: [ObjectIdentifier: PersonalStream] = [:]
        var requestCount = 0
        var secondBegan = ContinuousClock.now
        var countInSecond = 0
        var lastStream = ContinuousClock.now

        /// Counts a request of this second; false if there were too many.
        mutating func countInPace() -> Bool {
            if .now - secondBegan >= .seconds(1) { (secondBegan, countInSecond) = (.now, 0) }
            guard countInSecond < PagePresenter.mostRequestsEachSecond else { return false }
            countInSecond += 1
            return true
        }
    }

    private let state = Mutex(State())

    init(name: String, identity: String, network: String, entrance: PresenterEntrance, slides: SlideStore) {
        (self.name, self.identity, self.network, self.entrance) = (name, identity, network, entrance)
        upload = SlidesUpload(entrance: entrance, slides: slides)
    }

    /// The identity that belongs to a token.
    static func identity(of token: String) -> String {
        identityPrefix + Digest(of: Array(token.utf8)).description
    }

    /// True for the identity of a session; false for the address of a program.
    static func isIdentity(_ address: String) -> Bool { address.hasPrefix(identityPrefix) }

    private static let identityPrefix = "page "

    static func makeToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined(separator: "-")
    }

    var streams: [PersonalStream] { state.withLock { Array($0.streams.values) } }

    /// The time since the last stream ended; zero while there is one.
    var absence: Duration { state.withLock { $0.streams.isEmpty ? .now - $0.lastStream : .zero } }

    /// Adds a stream and registers the presenter, or brings it back.
    /// - Returns: the refusal; nil if the stream may be sent.
    func add(_ stream: PersonalStream) async -> WebResponse? {
        let isAdded = state.withLock { state in
            guard state.streams.count < Self.mostStreams else { return false }
            state.streams[ObjectIdentifier(stream)] = stream
            return true
        }
        guard isAdded else {
            return .refused(
                429, "too-many",
                "You have this page open \(Self.mostStreams) times already; close one of them.")
        }
        let outcome = await entrance.register(name, address: identity)
        // A further stream of a presenter who is connected is refused by the floor, which changes nothing.
        return outcome.isDone || entrance.presenter != nil ? nil : outcome.refusalResponse
    }

    /// Removes a stream that has ended. After the last one the floor keeps the presenter's number for a minute.
    func remove(_ stream: PersonalStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
            state.lastStream = .now
            // Within the lock, so that the floor hears of losses and returns in their order.
            if state.streams.isEmpty { entrance.reportConnectionLost(of: name) }
        }
    }

    /// Counts a request that begins.
    /// - Returns: false if too many are being answered, or came within a second.
    func beginRequest() -> Bool {
        state.withLock { state in
            guard state.requestCount < Self.mostRequests, state.countInPace() else { return false }
            state.requestCount += 1
            return true
        }
    }

    func endRequest() { state.withLock { $0.requestCount -= 1 } }
}

extension CommandOutcome {
    /// The response that refuses what the show engine has refused.
    var refusalResponse: WebResponse {
        let sentence = sentence ?? ""
        return switch self {
        case .done: .succeeded
        case .doneButNotSaved: .refused(507, "not-written", sentence)
        case .refused(let refusal, _): .refused(409, refusal.code.rawValue, sentence)
        case .notActiveServer: .refused(409, "not-reigning", sentence)
        case .busy: .refused(503, "busy", sentence).withHeader("Retry-After", "1")
        }
    }
}
