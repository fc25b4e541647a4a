/// Decides which of two servers reigns.
///
/// A value without a clock or a socket, one in each server; times are durations since an instant the owner
/// chooses, never falling. The rules:
/// - The main one tells ten times a second that it reigns. A backup that hears nothing of it for
///   ``SuccessionSettings/silence`` takes over with a higher term.
/// - Terms of the server set up as main are odd, of the one set up as backup even: two reigns never have the same.
///   Where two servers are set up alike by mistake and meet in one term, the lower ``ServerID`` stands.
/// - A main one that hears of a higher term steps down at once and follows.
/// - One that stepped down waits longer before it takes over again, until it has followed for a while without a
///   gap: a cable that flaps makes one change, not many.
/// - One that follows and knows that its copy of what people made is not current waits for
///   ``SuccessionSettings/copyingSilence``, since older work would reign; then it does, since no server is worse.
/// - A server set up as main asks when it starts and reigns only where nobody else does. One set up as backup never
///   begins a show: it must have known a reign.
/// - Where both were down, the one that knows the higher term reigns, if it is back while the other still asks: its
///   state is the newer one.
/// - A main one that was held up longer than the other's patience says nothing until it has listened again.
///
/// While the two cannot hear each other both reign, in different terms; who hears both believes the higher.
public struct Succession: Sendable {
    public let server: ServerID
    public let settings: SuccessionSettings
    public private(set) var role: ServerRole
    /// The highest term known; while this server reigns its own.
    public private(set) var term: UInt32
    /// The highest packet count known.
    public private(set) var packetCount: UInt64
    /// The newest word of the other server; nil before the first.
    public private(set) var other: Heartbeat?
    /// When it came.
    public private(set) var otherHeardAt: Duration?
    /// How far this server has what people made; to be told before each ``tick(at:)``.
    public var copy = CopyReach.noneMade

    private let isSetUpAsMain: Bool
    /// When a reign was heard of last.
    private var reignHeardAt: Duration?
    /// Since when this reign has been followed.
    private var followedSince: Duration = .zero
    private let startedAt: Duration
    /// Since when it has followed, after stepping down, without a silence that would have made it take over.
    private var steadySince: Duration?
    private var lookedAt: Duration
    /// A main one that was held up is silent until this.
    private var listensUntil: Duration?

    /// - Parameters:
    ///   - start: how the server is set up.
    ///   - term: the highest term its data directory knows of; 0 for a new one.
    ///   - packetCount: of the last packet it knows of.
    public init(
        server: ServerID, start: Start, settings: SuccessionSettings = SuccessionSettings(), term: UInt32 = 0,
        packetCount: UInt64 = 0, at now: Duration
    ) {
        self.server = server
        self.settings = settings
        self.packetCount = packetCount
        isSetUpAsMain = start != .backup
        startedAt = now
        lookedAt = now
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

    /// How a server is set up.
    public enum Start: Hashable, Sendable {
        case alone
        case main
        case backup
    }

    /// True where packets, cues and console state may leave. Ask before each; a server that was stopped for a while
    /// learns here that it was.
    public func maySend(at now: Duration) -> Bool {
        switch role {
        case .alone: true
        case .main: listensUntil == nil && (other == nil || now - lookedAt <= settings.silence)
        case .asking, .backup: false
        }
    }

    /// What to tell the other server now.
    public func heartbeat(logSequence: UInt64 = 0, digest: UInt64 = 0, packetCount: UInt64 = 0) -> Heartbeat {
        Heartbeat(
            server: server, role: role, term: term, logSequence: logSequence, digest: digest,
            packetCount: max(packetCount, self.packetCount))
    }

    /// Takes a word of the other server.
    public mutating func hear(_ beat: Heartbeat, at now: Duration) -> [SuccessionMove] {
        guard role != .alone, beat.server != server else { return [] }
        other = beat
        otherHeardAt = now
        packetCount = max(packetCount, beat.packetCount)
        let reigns = beat.role == .main || beat.role == .alone
        switch role {
        case .main:
            let yields = beat.term > term || (beat.term == term && reigns && beat.server < server)
            guard yields else { return [] }
            return stepDown(for: beat, reigns: reigns, at: now)
        case .asking where reigns && beat.term >= term:
            role = .backup
            term = beat.term
            reignHeardAt = now
            followedSince = now
            return [.follow(beat.server, term: beat.term)]
        case .asking where beat.term > term:
            // It reigned after us and was down as well: what it knows is newer, so it is left the first word.
            role = .backup
            term = beat.term
            reignHeardAt = now + settings.asking
            followedSince = now
            steadySince = now
            return [.follow(beat.server, term: beat.term)]
        case .backup where reigns && beat.term >= term:
            let isNew = beat.term > term || reignHeardAt == nil
            if let last = reignHeardAt, steadySince != nil, now - last > settings.silence {
                steadySince = now
            }
            term = beat.term
            reignHeardAt = now
            if isNew { followedSince = now }
            return isNew ? [.follow(beat.server, term: beat.term)] : []
        default:
            // Not a reign, or one that is over and does not know it yet.
            term = max(term, beat.term)
            return []
        }
    }

    /// Time passed; told at ``nextDue``, whatever the role.
    public mutating func tick(at now: Duration) -> [SuccessionMove] {
        defer { lookedAt = max(lookedAt, now) }
        switch role {
        case .alone: return []
        case .main:
            if let until = listensUntil {
                if until <= now { listensUntil = nil }
            } else if other != nil, now - lookedAt > settings.silence {
                listensUntil = now + settings.listening
            }
            return []
        case .asking:
            return now - startedAt >= settings.asking ? [reign(isBlind: term > 0)] : []
        case .backup:
            guard let due = takeoverDue, due <= now else { return [] }
            // Held up itself, it does not know whether the main one was silent.
            if now - lookedAt > settings.silence {
                reignHeardAt = now - settings.silence + settings.listening
                return []
            }
            return [reign(isBlind: reignHeardAt == nil)]
        }
    }

    /// Takes over by a person's order, whatever is heard.
    public mutating func takeOver(at now: Duration) -> [SuccessionMove] {
        guard role == .backup || role == .asking else { return [] }
        lookedAt = max(lookedAt, now)
        return [reign()]
    }

    /// When to call ``tick(at:)`` next: at least once an interval, so that it notices being held up. Nil where there
    /// is no other server.
    public var nextDue: Duration? {
        let regular = lookedAt + settings.interval
        return switch role {
        case .alone: nil
        case .main: listensUntil.map { min($0, regular) } ?? regular
        case .asking: min(startedAt + settings.asking, regular)
        case .backup: takeoverDue.map { min(max($0, lookedAt), regular) } ?? regular
        }
    }

    private var takeoverDue: Duration? {
        guard let reignHeardAt else {
            // It knew a reign before it was restarted.
            return term > 0 && !isSetUpAsMain ? startedAt + settings.blindSilence : nil
        }
        return reignHeardAt + patience(heardAt: reignHeardAt)
    }

    private func patience(heardAt: Duration) -> Duration {
        let isSteady = steadySince.map { heardAt - $0 >= settings.damping } ?? true
        let patience = isSteady ? settings.silence : settings.dampedSilence
        return isCopyCurrent(heardAt) ? patience : max(patience, settings.copyingSilence)
    }

    private func isCopyCurrent(_ heardAt: Duration) -> Bool {
        copy.isCurrent(heardAt: heardAt, since: followedSince)
    }

    /// The other one is waited for longer, since it has what is not here.
    public var waitsForCopy: Bool {
        guard role == .backup, let reignHeardAt else { return false }
        return !isCopyCurrent(reignHeardAt)
    }

    /// - Parameter isBlind: it was down itself, and the other may have reigned meanwhile.
    private mutating func reign(isBlind: Bool = false) -> SuccessionMove {
        // The next number of this server's own kind; past the last there is none, and no show lasts so long.
        let next = term == .max ? term : term + 1
        let isOwn = (next % 2 == 1) == isSetUpAsMain
        term = isOwn || next == .max ? next : next + 1
        role = .main
        listensUntil = nil
        steadySince = nil
        let margin = SuccessionSettings.packetMargin * (isBlind ? SuccessionSettings.blindMargins : 1)
        let (count, overflow) = packetCount.addingReportingOverflow(margin)
        packetCount = overflow ? packetCount : count
        return .reign(term: term, packetCount: packetCount)
    }

    private mutating func stepDown(
        for beat: Heartbeat, reigns: Bool, at now: Duration
    ) -> [SuccessionMove] {
        role = .backup
        term = beat.term
        // One that does not reign itself is given the time to.
        reignHeardAt = now
        followedSince = now
        steadySince = now
        listensUntil = nil
        return [.stepDown(beat.server, term: beat.term)]
    }
}

/// What a server is to do.
public enum SuccessionMove: Hashable, Sendable, Codable {
    /// Reign: tell the Podium the term, count packets on from there, send.
    case reign(term: UInt32, packetCount: UInt64)
    /// Stop sending at once; then follow the other one.
    case stepDown(ServerID, term: UInt32)
    /// Follow the other one, in this term.
    case follow(ServerID, term: UInt32)
}
