/// Decides which of two servers leads the show.
///
/// A value without a clock or a socket; each server has one. Times are durations since an instant that the owner
/// chooses, and never decrease. The rules:
/// - The main server sends a heartbeat ten times per second. A backup that hears none for
///   ``FailoverSettings/silence`` takes over with a higher term.
/// - Terms of the server configured as main are odd, terms of the backup even, so that two servers never lead in the
///   same term. If both servers are configured alike by mistake and meet in one term, the lower ``ServerID`` keeps
///   the lead.
/// - A main server that hears a higher term steps down at once and follows.
/// - A server that has stepped down waits longer before it takes over again, until it has followed for a while
///   without a gap: an unreliable cable causes one change, not many.
/// - If the leading server closes its connection while its heartbeats still come, its program has ended: no cable is
///   to blame, and a server that has stepped down waits no longer than any other.
/// - If this server's own network interfaces have kept their carrier for ``FailoverSettings/damping``, or since the
///   start, its own cable is not to blame either: it waits no longer than any other, once. After a second change of the lead within that time
///   it waits, because something between the servers may be unreliable.
/// - A follower that knows its copy of the stored data to be old waits for ``FailoverSettings/copyingSilence``,
///   because older data would come into effect; then it takes over, because having no server is worse.
/// - A server configured as main listens when it starts, and leads only if the other one does not lead. A server
///   configured as backup never begins a show: it must have known a leading server.
/// - If both servers were down, the one that knows the higher term leads, because its state is the newer one. It must
///   be back while the other one still listens.
/// - A main server that was stalled for longer than ``FailoverSettings/silence`` sends nothing until it has listened
///   again.
///
/// While the two servers cannot hear each other, both lead in different terms; clients that hear both follow the
/// higher term.
public struct Failover: Sendable {
    public let ownServerID: ServerID
    public let settings: FailoverSettings
    public private(set) var role: ServerRole
    /// The highest known term; while this server leads, its own term.
    public private(set) var term: UInt32
    /// The highest known count of packets sent by either server.
    public private(set) var packetCount: UInt64
    /// The newest heartbeat of the other server; nil before the first.
    public private(set) var otherHeartbeat: Heartbeat?
    /// The time at which the newest heartbeat of the other server arrived.
    public private(set) var otherHeardAt: Duration?
    /// The freshness of this server's copy of the stored data; the owner sets it before each ``tick(at:)``.
    public var replicaFreshness = ReplicaFreshness.notReplicated

    /// True if the carrier of this server's own network interfaces has been steady for ``FailoverSettings/damping``, or
    /// since the start; the owner sets it before each ``tick(at:)``.
    public var hasSteadyCarrier = false

    private let isSetUpAsMain: Bool
    /// The times of the newest change of the lead from one running server to the other, and of the one before.
    private var (leadChangedAt, leadChangedBefore): (Duration?, Duration?) = (nil, nil)
    /// The time at which a leading server was last heard; nil if never.
    private var leaderHeardAt: Duration?
    /// The time since which this server has followed the current term.
    private var followingTermSince: Duration = .zero
    /// True from the end of the leading server's program until a leading server is heard again.
    private var hasLeaderEnded = false
    private let serverStartedAt: Duration
    /// The time since which this server, after yielding to the other one, has followed without a silence long enough
    /// for a takeover; nil if it has not yielded.
    private var followedSteadilySince: Duration?
    private var lastTickAt: Duration
    /// The time until which a main server that was stalled sends nothing; nil while it may send.
    private var listensBeforeSendingUntil: Duration?

    /// Creates the state of one server.
    /// - Parameters:
    ///   - start: how the server is configured.
    ///   - term: the highest term known from its data directory; 0 for a new one.
    ///   - packetCount: the count of the last packet that the server knows about.
    public init(
        ownServerID: ServerID, start: ConfiguredRole, settings: FailoverSettings = FailoverSettings(),
        term: UInt32 = 0,
        packetCount: UInt64 = 0, at now: Duration
    ) {
        self.ownServerID = ownServerID
        self.settings = settings
        self.packetCount = packetCount
        isSetUpAsMain = start != .backup
        serverStartedAt = now
        lastTickAt = now
        switch start {
        case .alone:
            role = .alone
            self.term = max(term, 1)
        case .main:
            role = .asking
            self.term = term
        case .backup:
            role = .backup
            self.term = term
        }
    }

    /// The role for which a server is configured.
    public enum ConfiguredRole: Hashable, Sendable {
        case alone
        case main
        case backup
    }

    /// True if packets, cues and console state may be sent now. Ask before each of them, because a server that was
    /// stalled finds out here.
    public func maySend(at now: Duration) -> Bool {
        switch role {
        case .alone: true
        case .main:
            listensBeforeSendingUntil == nil
                && (otherHeartbeat == nil || now - lastTickAt <= settings.silence)
        case .asking, .backup: false
        }
    }

    /// Returns the heartbeat to send to the other server now.
    public func makeHeartbeat(logSequence: UInt64 = 0, digest: UInt64 = 0, packetCount: UInt64 = 0)
        -> Heartbeat
    {
        Heartbeat(
            server: ownServerID, role: role, term: term, logSequence: logSequence, digest: digest,
            packetCount: max(packetCount, self.packetCount))
    }

    /// Processes a heartbeat of the other server.
    public mutating func processHeartbeat(_ beat: Heartbeat, at now: Duration) -> [FailoverAction] {
        guard role != .alone, beat.server != ownServerID else { return [] }
        otherHeartbeat = beat
        otherHeardAt = now
        packetCount = max(packetCount, beat.packetCount)
        let leads = beat.role == .main || beat.role == .alone
        switch role {
        case .main:
            let yields = beat.term > term || (beat.term == term && leads && beat.server < ownServerID)
            guard yields else { return [] }
            return stepDown(for: beat, leads: leads, at: now)
        case .asking where leads && beat.term >= term:
            role = .backup
            term = beat.term
            leaderHeardAt = now
            followingTermSince = now
            return [.follow(beat.server, term: beat.term)]
        case .asking where beat.term > term:
            // The other server led after this one and was down as well. Its knowledge is newer, so it may take the
            // lead first.
            role = .backup
            term = beat.term
            leaderHeardAt = now + settings.asking
            followingTermSince = now
            followedSteadilySince = now
            return [.follow(beat.server, term: beat.term)]
        case .backup where leads && beat.term >= term:
            let isNew = beat.term > term || leaderHeardAt == nil
            if let last = leaderHeardAt, followedSteadilySince != nil, now - last > settings.silence {
                followedSteadilySince = now
            }
            if beat.term > term, leaderHeardAt != nil { noteLeadChange(at: now) }
            term = beat.term
            leaderHeardAt = now
            hasLeaderEnded = false
            if isNew { followingTermSince = now }
            return isNew ? [.follow(beat.server, term: beat.term)] : []
        default:
            // The other server does not lead, or its lead is over and it does not know that yet.
            term = max(term, beat.term)
            return []
        }
    }

    /// Notes that the other server has closed its connection. A connection that is closed after a broken cable ends while
    /// no heartbeats come, or the next one follows.
    public mutating func noteClosedConnection(at now: Duration) {
        guard role == .backup, let leaderHeardAt, now - leaderHeardAt <= settings.silence / 2 else { return }
        hasLeaderEnded = true
    }

    /// Handles the passing of time; the owner calls this at ``nextTickDue`` in every role.
    public mutating func tick(at now: Duration) -> [FailoverAction] {
        defer { lastTickAt = max(lastTickAt, now) }
        switch role {
        case .alone: return []
        case .main:
            if let until = listensBeforeSendingUntil {
                if until <= now { listensBeforeSendingUntil = nil }
            } else if otherHeartbeat != nil, now - lastTickAt > settings.silence {
                listensBeforeSendingUntil = now + settings.listening
            }
            return []
        case .asking:
            return now - serverStartedAt >= settings.asking ? [takeLead(afterOutage: term > 0)] : []
        case .backup:
            guard let due = takeoverDue, due <= now else { return [] }
            // This server was stalled itself, so it does not know whether the main one was silent.
            if now - lastTickAt > settings.silence {
                leaderHeardAt = now - settings.silence + settings.listening
                return []
            }
            if leaderHeardAt != nil { noteLeadChange(at: now) }
            return [takeLead(afterOutage: leaderHeardAt == nil)]
        }
    }

    /// Takes over by a person's command, even if the other server is heard.
    public mutating func takeOver(at now: Duration) -> [FailoverAction] {
        guard role == .backup || role == .asking else { return [] }
        lastTickAt = max(lastTickAt, now)
        return [takeLead()]
    }

    /// The time of the next ``tick(at:)``; nil if there is no other server. It is at most one heartbeat interval
    /// ahead, so that a stalled server notices that it was stalled.
    public var nextTickDue: Duration? {
        let regular = lastTickAt + settings.interval
        return switch role {
        case .alone: nil
        case .main: listensBeforeSendingUntil.map { min($0, regular) } ?? regular
        case .asking: min(serverStartedAt + settings.asking, regular)
        case .backup: takeoverDue.map { min(max($0, lastTickAt), regular) } ?? regular
        }
    }

    private var takeoverDue: Duration? {
        guard let leaderHeardAt else {
            // This server had followed a leading server before its restart.
            return term > 0 && !isSetUpAsMain ? serverStartedAt + settings.blindSilence : nil
        }
        return leaderHeardAt + takeoverDelay(heardAt: leaderHeardAt)
    }

    private func takeoverDelay(heardAt: Duration) -> Duration {
        let isSteady =
            hasLeaderEnded || (hasSteadyCarrier && !hasLeadChangedTwice)
            || followedSteadilySince.map { heardAt - $0 >= settings.damping } ?? true
        let patience = isSteady ? settings.silence : settings.dampedSilence
        return isReplicaCurrent(heardAt) ? patience : max(patience, settings.copyingSilence)
    }

    /// True if the newest two changes of the lead were close to each other.
    private var hasLeadChangedTwice: Bool {
        guard let leadChangedAt, let leadChangedBefore else { return false }
        return leadChangedAt - leadChangedBefore < settings.damping
    }

    private mutating func noteLeadChange(at now: Duration) {
        (leadChangedAt, leadChangedBefore) = (now, leadChangedAt)
    }

    private func isReplicaCurrent(_ heardAt: Duration) -> Bool {
        replicaFreshness.isCurrent(heardAt: heardAt, since: followingTermSince)
    }

    /// True while this backup waits longer before it takes over, because its copy of the main server's data is old.
    public var delaysTakeoverForStaleReplica: Bool {
        guard role == .backup, let leaderHeardAt else { return false }
        return !isReplicaCurrent(leaderHeardAt)
    }

    /// Takes the lead with a new term.
    /// - Parameter afterOutage: true if this server was down itself, so that the other one may have led meanwhile.
    private mutating func takeLead(afterOutage: Bool = false) -> FailoverAction {
        // The next number with this server's parity. No show lasts long enough to reach the largest number.
        let next = term == .max ? term : term + 1
        let isOwn = (next % 2 == 1) == isSetUpAsMain
        term = isOwn || next == .max ? next : next + 1
        role = .main
        hasLeaderEnded = false
        listensBeforeSendingUntil = nil
        followedSteadilySince = nil
        let margin = FailoverSettings.packetCountLeap * (afterOutage ? FailoverSettings.leapsAfterOutage : 1)
        let (count, overflow) = packetCount.addingReportingOverflow(margin)
        packetCount = overflow ? packetCount : count
        return .lead(term: term, packetCount: packetCount)
    }

    private mutating func stepDown(
        for beat: Heartbeat, leads: Bool, at now: Duration
    ) -> [FailoverAction] {
        role = .backup
        term = beat.term
        // If the other server does not lead yet, it is given the time to take the lead.
        leaderHeardAt = now
        followingTermSince = now
        followedSteadilySince = now
        noteLeadChange(at: now)
        hasLeaderEnded = false
        listensBeforeSendingUntil = nil
        return [.stepDown(beat.server, term: beat.term)]
    }
}

/// An action that ``Failover`` requires of its server.
public enum FailoverAction: Hashable, Sendable, Codable {
    /// Lead: give the Podium the new term, continue counting packets from `packetCount`, and send.
    case lead(term: UInt32, packetCount: UInt64)
    /// Stop sending at once; then follow the other server.
    case stepDown(ServerID, term: UInt32)
    /// Follow the other server, which leads in this term.
    case follow(ServerID, term: UInt32)
}
