import Floor
import Hosting
import Podium
import Synchronization
import WebServer

/// The sessions of all speakers with the page `/present`. Their streams are told what happens to the floor.
final class PagePresenters: ShowOutput {
    static let mostSessions = FloorState.mostPresenters + 32
    /// The most sessions that were begun from one address other than this machine's own.
    static let mostSessionsOfAddress = 40
    /// A session without a stream is kept for so long, as after a phone has slept.
    static let longestAbsence = Duration.seconds(12 * 3_600)
    /// The number of removed sessions that are remembered.
    static let mostRemoved = 1_000
    private static let clockInterval: Int64 = 1_000

    enum Slot {
        static let state = 0
        static let clock = 1
        static let count = 2
    }

    private struct Sessions {
        /// By the digest of their token.
        var byIdentity: [String: PagePresenter] = [:]
        /// The identities that the moderator has removed; the newest is last.
        var removed: [String] = []
        var lastFloor: FloorState?
        var lastClock: Int64 = 0
    }

    private let show: ShowInbox
    private let slides: SlideStore
    private let drawings: DrawingBoard
    private let sessions = Mutex(Sessions())

    init(show: ShowInbox, slides: SlideStore, drawings: DrawingBoard) {
        (self.show, self.slides, self.drawings) = (show, slides, drawings)
    }

    // MARK: Sessions

    /// Begins a session.
    /// - Returns: its token; nil if there are too many sessions.
    func begin(name: String, from address: String) -> String? {
        let token = PagePresenter.makeToken()
        let session = makeSession(name, PagePresenter.identity(of: token), address)
        let isOwn = address.hasPrefix("127.") || address == "::1"
        return sessions.withLock { sessions in
            let own = sessions.byIdentity.values.count { $0.network == session.network }
            if sessions.byIdentity.count >= Self.mostSessions || !isOwn && own >= Self.mostSessionsOfAddress {
                // Somebody who has left long ago makes room; of the own address first.
                let absent = sessions.byIdentity.values
                    .filter {
                        $0.absence > .seconds(60)
                            && (own < Self.mostSessionsOfAddress || $0.network == session.network)
                    }
                guard let longest = absent.max(by: { $0.absence < $1.absence }) else { return nil }
                sessions.byIdentity[longest.identity] = nil
            }
            sessions.byIdentity[session.identity] = session
            return token
        }
    }

    /// The session of a token, also after a restart as long as the floor keeps its presenter; nil if there is none.
    func session(of token: String, from address: String) -> PagePresenter? {
        guard (20...100).contains(token.utf8.count) else { return nil }
        let identity = PagePresenter.identity(of: token)
        if let known = sessions.withLock({ $0.byIdentity[identity] }) { return known }
        guard
            let kept = show.newestSnapshot.state.floor?.presenters.first(where: { $0.address == identity })
        else { return nil }
        let session = makeSession(kept.name, identity, address)
        return sessions.withLock { sessions in
            if let known = sessions.byIdentity[identity] { return known }
            sessions.byIdentity[identity] = session
            return session
        }
    }

    /// Ends the session of somebody whom the moderator has removed, for good.
    /// - Parameter identity: the place from which the floor took the presenter to come.
    func markRemoved(_ identity: String) {
        guard PagePresenter.isIdentity(identity) else { return }
        let session = sessions.withLock { sessions in
            sessions.removed = sessions.removed.suffix(Self.mostRemoved - 1) + [identity]
            return sessions.byIdentity.removeValue(forKey: identity)
        }
        if let session { end(session) }
    }

    /// True if the moderator has removed the session of a token.
    func isRemoved(_ token: String) -> Bool {
        let identity = PagePresenter.identity(of: token)
        return sessions.withLock { $0.removed.contains(identity) }
    }

    /// Tells the pages of a session that it is over.
    private func end(_ session: PagePresenter) {
        for stream in session.streams {
            stream.send(Self.message("over", You(id: nil, name: session.name)))
            stream.close()
        }
        Task { await session.upload.discard(onlyIfOld: false) }
    }

    private func makeSession(_ name: String, _ identity: String, _ address: String) -> PagePresenter {
        PagePresenter(
            name: name, identity: identity, network: ResourceQuota.Holder(address: address).network,
            entrance: PresenterEntrance(
                connection: "page-" + String(UInt64.random(in: 0 ... .max), radix: 36), show: show,
                slides: slides, drawings: drawings), slides: slides)
    }

    // MARK: Streams

    /// The first messages of a session's stream.
    func firstMessages(for session: PagePresenter) -> [EncodedStreamMessage] {
        let snapshot = show.newestSnapshot
        let floor = snapshot.state.floor
        let id = session.entrance.presenter
        return [
            Self.message("you", You(id: id?.rawValue, name: session.name)),
            Self.message("floor", PageStateJSON(floor, forHolder: id != nil && id == floor?.holder)),
            Self.message("clock", Clock(now: snapshot.now.milliseconds)),
        ]
    }

    private struct You: Encodable {
        @OrNull var id: UInt8?
        var name: String
    }

    private struct Clock: Encodable {
        /// Milliseconds of the show.
        var now: Int64
    }

    private static func message(_ event: String, _ value: some Encodable) -> EncodedStreamMessage {
        EncodedStreamMessage(JSONBody.encode(value), event: event)
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .floor(.left(_, let connection?)) = effect else { return }
        let session = sessions.withLock { sessions -> PagePresenter? in
            guard
                let session = sessions.byIdentity.values.first(where: { $0.entrance.connection == connection }
                )
            else { return nil }
            sessions.byIdentity[session.identity] = nil
            return session
        }
        if let session { end(session) }
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let floor = snapshot.state.floor
        let now = snapshot.now.milliseconds
        let (all, hasChanged, isTick) = sessions.withLock { sessions in
            let hasChanged = sessions.lastFloor != floor
            let isTick = now - sessions.lastClock >= Self.clockInterval || now < sessions.lastClock
            sessions.lastFloor = floor
            if isTick {
                sessions.lastClock = now
                sessions.byIdentity = sessions.byIdentity.filter { $0.value.absence < Self.longestAbsence }
            }
            return (Array(sessions.byIdentity.values), hasChanged, isTick)
        }
        guard !all.isEmpty else { return }
        guard snapshot.isActiveServer else {
            // On a server that is not active nobody speaks; the pages ask the other one.
            for stream in all.flatMap(\.streams) { stream.close() }
            return
        }
        if hasChanged { send(floor, to: all) }
        guard isTick else { return }
        let clock = Self.message("clock", Clock(now: now))
        PersonalStream.replaceSlotValue(Slot.clock, clock, of: all.flatMap(\.streams))
        for session in all where session.absence > .seconds(60) {
            Task { await session.upload.discard(onlyIfOld: true) }
        }
    }

    private func send(_ floor: FloorState?, to all: [PagePresenter]) {
        let holder = floor?.holder.flatMap { floor?.presenter($0) }?.connection
        let groups = Dictionary(grouping: all) { $0.entrance.connection == holder }
        for (isHolder, sessions) in groups {
            PersonalStream.replaceSlotValue(
                Slot.state, Self.message("floor", PageStateJSON(floor, forHolder: isHolder)),
                of: sessions.flatMap(\.streams))
        }
    }
}
