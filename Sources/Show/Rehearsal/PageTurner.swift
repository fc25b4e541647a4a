import Podium

/// Turns the pages of one stand: by the music, by its player's own hand, and by the room's leader.
///
/// A value without a clock. The rules, the earlier before the later:
/// - A page by hand is never taken away: not by a late word, not by a doubtful one. The stand *falls in*
///   again when the follower wishes the page that lies there; when, from a page before it, it has passed it;
///   and, a while after the hand, when it turns to a third page by play that cannot be doubted, jumps back (a
///   retake), or the music begins.
/// - While the follower is lost or silent, or has coasted too long, no page turns.
/// - The page turns when the predicted end of it is as far away as the player's lead and the measured latency
///   say. Slower than predicted, it stays turned; it turns back only where the music really went back.
/// - A position that stands still while the tempo goes on is carried on by it for two seconds at most.
/// - Where the music is elsewhere, forward or back, the stand is there at once.
/// - With half turns the upper half is turned while the player is in the lower one, unless the upper one is
///   needed again (a repeat) or the music goes on in a lower half; the lower half follows when the player is
///   over.
public struct PageTurner: Hashable, Sendable {
    public let plan: TurnPlan
    public var settings: StandSettings
    /// Everything needed to go on after a crash.
    public internal(set) var state: TurnerState
    /// Milliseconds a coasting follower is believed, and one that says nothing.
    let longestCoast: Int64
    let longestSilence: Int64

    /// Milliseconds after a turn in which the pedal for the same turn is no second one.
    static let samePress: Int64 = 400
    /// Milliseconds after a page by hand in which nothing but agreement takes it back.
    static let handGuard: Int64 = 2_000
    /// Seconds of reference the music goes back before it is more than a correction.
    static let back = 1.0
    /// Seconds before the lead at which a page that lies ahead is good enough after going back.
    static let nearEnough = 2.0
    /// Share of the foreseen way below which a position stands still.
    static let standing = 0.2
    /// Seconds of reference a position that stands still is carried on by its tempo, at most.
    static let longestCarry = 2.0

    public init(
        plan: TurnPlan, settings: StandSettings, page: Int = 0, podium: PodiumSettings = PodiumSettings()
    ) {
        self.init(
            plan: plan, settings: settings, continuing: TurnerState(view: PageView(page: page)),
            podium: podium)
    }

    /// Goes on where this or another stand was. A page the part has not got is mended.
    public init(
        plan: TurnPlan, settings: StandSettings, continuing state: TurnerState,
        podium: PodiumSettings = PodiumSettings()
    ) {
        self.plan = plan
        self.settings = settings
        self.state = state
        longestCoast = podium.longestCoast
        longestSilence = podium.longestSilence
        self.state.view = PageView(page: kept(state.view.page))
    }

    /// Takes what happened and says what follows from it.
    /// - Parameter now: not before the times given earlier.
    /// - Complexity: O(1) but where a measure is played very often.
    public mutating func take(_ event: TurnerEvent, at now: ShowTime) -> [TurnerEffect] {
        var effects: [TurnerEffect] = []
        switch event {
        case .word(let word):
            hear(word, at: now)
            settle(at: now, &effects)
        case .tick: settle(at: now, &effects)
        case .pedal(let direction): press(direction, at: now, &effects)
        case .own(let page): lay(kept(page), by: .player, at: now, &effects)
        case .ordered(let page): lay(kept(page), by: .leader, at: now, &effects)
        case .pinpointed(let page): lay(kept(page), by: .pinpoint, at: now, &effects)
        case .fallIn:
            state.hand = nil
            settle(at: now, &effects)
        }
        return effects
    }

    /// When `take(.tick)` has a page to turn; nil while there is none.
    public var nextDue: ShowTime? {
        guard settings.followsMusic, let live = state.live, let due = turnDue(live), due <= trustEnd(live)
        else {
            return nil
        }
        return state.wished == nextSheet(live) ? nil : due
    }

    /// The sheet a page is on, kept within the part.
    private func kept(_ page: Int) -> Int {
        plan.facing.sheet(of: min(max(page, 0), plan.pageCount - 1))
    }

    private mutating func press(
        _ direction: PedalDirection, at now: ShowTime, _ effects: inout [TurnerEffect]
    ) {
        let view = state.view
        if direction == .forward, state.hand == nil, let turned = state.turnedAt,
            now.milliseconds(since: turned) < Self.samePress
        {
            return
        }
        let step = direction == .forward ? plan.facing.span : -plan.facing.span
        let first = plan.facing.sheet(of: 0)
        let last = plan.facing.sheet(of: plan.pageCount - 1)
        // Forward is where the upper half is ahead already: after a repeat's end that may be an earlier page.
        let wanted = direction == .forward ? view.ahead ?? view.page + step : view.page + step
        lay(min(max(wanted, first), last), by: .player, at: now, &effects)
    }

    private mutating func lay(
        _ sheet: Int, by hand: TurnCause, at now: ShowTime, _ effects: inout [TurnerEffect]
    ) {
        state.hand = Hand(sheet: sheet, by: hand, at: now, wished: state.wished, isAhead: isAhead(sheet))
        state.turn = nil
        show(PageView(page: sheet), because: hand, at: now, &effects)
        // The follower may wish the same page already.
        settle(at: now, &effects)
    }

    /// The music comes to the sheet after where it is.
    private func isAhead(_ sheet: Int) -> Bool {
        guard let live = state.live, let movement = plan.movement(live.movement) else { return false }
        return movement.steps[live.step...].contains { $0.sheet == sheet }
    }

    mutating func show(
        _ view: PageView, because cause: TurnCause, at now: ShowTime, _ effects: inout [TurnerEffect]
    ) {
        guard view != state.view else { return }
        let isWhole = view.page != state.view.page
        state.view = view
        if isWhole { state.turnedAt = now }
        effects.append(.show(view, because: cause))
    }
}

/// What a stand's pages are turned by.
public enum TurnerEvent: Hashable, Sendable {
    /// Where the music is.
    case word(LiveWord)
    /// Time passed; worth telling at ``PageTurner/nextDue``.
    case tick
    /// The player's own pedal.
    case pedal(PedalDirection)
    /// The player's own swipe, or tap on a thumbnail.
    case own(page: Int)
    /// The room's leader turned for all, to this page of this part.
    case ordered(page: Int)
    /// A place was shown to all; it is on this page of this part.
    case pinpointed(page: Int)
    /// The player wants the follower's page again, now.
    case fallIn

    /// Somebody's hand has said which page lies there.
    public var isByHand: Bool {
        switch self {
        case .pedal, .own, .ordered, .pinpointed: true
        case .word, .tick, .fallIn: false
        }
    }
}

public enum PedalDirection: String, Hashable, Sendable, Codable {
    case forward
    case back
}

/// What follows.
public enum TurnerEffect: Hashable, Sendable {
    case show(PageView, because: TurnCause)
    /// The stand goes with the music again, after a page by hand.
    case fellIn
    /// The last movement is over.
    case ended
}

/// Why a page turned.
public enum TurnCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The music comes to the page's end.
    case played
    /// The upper half, or the left page, is turned ahead.
    case half
    /// The music went back: a retake, or a repeat the performance does not know.
    case retake
    /// The music is elsewhere, farther on: a cut, or the follower has found it again.
    case jump
    /// The next movement begins on another page.
    case nextMovement = "next-movement"
    case player
    case leader
    case pinpoint

    public var isByHand: Bool { self == .player || self == .leader || self == .pinpoint }
}
