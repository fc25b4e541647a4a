import Basics
import Following
import Platform
import Synchronization
import WebServer

/// The sessions that run, with their secrets and the people whose they are.
final class PracticeRegister: Sendable {
    /// At most 24 students at once: each takes about 1 % of a processor, and some 5 MB beside the model. Four places
    /// are for technicians and administrators. An account has three devices at most. One address, such as a school's
    /// router, may have all places that are not reserved.
    static let limits = ResourceQuota.Limits(total: 24, reserve: 4, perAddress: 20, perAccount: 3)
    /// A session ends when no sound has come for this time.
    static let idleLimit = Duration.seconds(120)
    /// A session ends after this time of sound.
    static let longestSeconds = 3.0 * 3_600
    static let threadCount = 2

    /// A session of a signed-in person.
    struct Entry: Sendable {
        var id: String
        var secret: SignInToken
        /// The id of the account.
        var owner: String
        var piece: String
        var rate: SampleRate
        var session: PracticeSession
        var shared: PracticePieces.SharedProgramme
        var lease: QuotaLease
        var newestRequest: ContinuousClock.Instant
    }

    private let quota: SharedResourceQuota
    private let threads: [PracticeThread]
    private let entries = Mutex<[String: Entry]>([:])

    init(limits: ResourceQuota.Limits = PracticeRegister.limits) throws(RealTimeError) {
        quota = SharedResourceQuota(limits)
        var threads: [PracticeThread] = []
        for number in 1...Self.threadCount { threads.append(try PracticeThread(name: "practice-\(number)")) }
        self.threads = threads
    }

    var count: Int { entries.withLock(\.count) }
    var limits: ResourceQuota.Limits { quota.limits }

    /// Takes a place before anything is loaded for a session.
    func takePlace(_ holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> QuotaLease {
        try quota.takePlace(holder)
    }

    /// The holder of a place for whoever sent a request.
    static func holder(_ request: WebRequest) -> ResourceQuota.Holder {
        // Without sign-in only this machine reaches the server, and everybody is one person.
        guard let person = request.person, !person.isLocalVisitor else {
            return ResourceQuota.Holder(address: request.visitorAddress, trustLevel: .ownMachine)
        }
        return ResourceQuota.Holder(
            address: request.visitorAddress, account: person.id,
            trustLevel: WebRole.operators.contains(person.role) ? .staff : .anybody)
    }

    func add(
        piece: String, shared: PracticePieces.SharedProgramme, rate: SampleRate, owner: String,
        lease: QuotaLease, keeping order: PracticeSession.TakeOrder? = nil,
        now: ContinuousClock.Instant = .now
    ) -> Entry {
        entries.withLock { entries in
            let thread = threads[entries.count % threads.count]
            let entry = Entry(
                id: String(SignInToken.random().text.prefix(22)), secret: .random(), owner: owner,
                piece: piece,
                rate: rate,
                session: PracticeSession(
                    programme: shared.programme, rate: rate, thread: thread, keeping: order),
                shared: shared, lease: lease, newestRequest: now)
            entries[entry.id] = entry
            return entry
        }
    }

    /// Finds a session, if the account and the secret are its own.
    func entry(
        _ id: String, secret: String, owner: String, now: ContinuousClock.Instant = .now
    ) -> Entry? {
        entries.withLock { entries in
            guard let entry = entries[id], entry.owner == owner, let shown = SignInToken(shown: secret),
                shown == entry.secret
            else { return nil }
            entries[id]?.newestRequest = now
            return entry
        }
    }

    /// Takes a session off the list. Its place is free at once.
    func remove(_ id: String) {
        let entry = entries.withLock { $0.removeValue(forKey: id) }
        entry?.lease.giveBackPlace()
    }

    /// Takes off all sessions to which no sound has come for a while, or all sessions.
    /// - Returns: those that were taken off.
    func removeIdle(orAll isEnd: Bool = false, now: ContinuousClock.Instant = .now) -> [Entry] {
        let idle = entries.withLock { entries in
            entries.values.filter { isEnd || now - $0.newestRequest > Self.idleLimit }
        }
        for entry in idle { remove(entry.id) }
        return idle
    }
}
