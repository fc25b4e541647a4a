import Podium

/// Turns the pages of one stand: with the music, by its player's hand, and by the room's leader.
///
/// A value without a clock. The rules, in order of priority:
/// - A page turned by hand is not turned back by a late or doubtful report. The stand follows the music again in
///   these cases: the follower wants the page that is shown; or the music has reached that page and passed it; or,
///   some time after the turn by hand, the follower without doubt plays into a third page, jumps back (a retake), or
///   the music begins.
/// - While the follower is lost or silent, or has coasted for too long, no page turns.
/// - A page turns ahead of its predicted end, by the player's lead time plus the measured latency. If the music slows
///   down, the page stays turned; it turns back only if the music really goes back.
/// - A position that stands still while the tempo goes on is extrapolated for at most two seconds.
/// - If the music goes elsewhere, forward or back, the stand goes there at once.
/// - With half turns, the upper half is turned while the player is in the lower one, unless the upper half is needed
///   again (a repeat) or the music continues in a lower half; the lower half is turned once the player has left it.
public struct PageTurner: Hashable, Sendable {
    public let plan: PageTurnPlan
    public var settings: StandSettings
    /// The state from which another page turner can continue after a crash.
    public internal(set) var state: PageTurnerState
    /// Milliseconds for which a coasting follower is trusted.
    let longestCoastMilliseconds: Int64
    /// Milliseconds without a report after which the follower is no longer trusted.
    let longestReportGapMilliseconds: Int64

    /// Milliseconds after an automatic turn during which a press of the pedal counts as that same turn.
    static let pedalIgnoredAfterTurnMilliseconds: Int64 = 400
    /// Milliseconds after a turn by hand during which the page stays unless the follower wants the same page.
    static let manualTurnGuardMilliseconds: Int64 = 2_000
    /// A step back by more than this many expected seconds counts as going back; a smaller one is a correction.
    static let backwardJumpSeconds = 1.0
    /// A page shown ahead may stay, although the music has gone back, if the music will need it within the lead time
    /// plus this many seconds.
    static let aheadToleranceSeconds = 2.0
    /// A position counts as standing still if it moves by less than this share of the expected movement.
    static let standstillShare = 0.2
    /// A position is extrapolated by at most this many expected seconds while the follower reports
    /// no progress.
    static let longestExtrapolationSeconds = 2.0

    public init(
        plan: PageTurnPlan, settings: StandSettings, page: Int = 0, podium: PodiumSettings = PodiumSettings()
    ) {
        self.init(
            plan: plan, settings: settings, continuing: PageTurnerState(view: PageView(page: page)),
            podium: podium)
    }

    /// Continues from the state of this or another stand. A page that the part does not have is corrected.
    public init(
        plan: PageTurnPlan, settings: StandSettings, continuing state: PageTurnerState,
        podium: PodiumSettings = PodiumSettings()
    ) {
        self.plan = plan
        self.settings = settings
        self.state = state
        longestCoastMilliseconds = podium.longestCoast
        longestReportGapMilliseconds = podium.longestSilence
        self.state.view = PageView(page: clampedSheet(state.view.page))
        adaptPositionToPlan()
    }

    /// Moves a continued position into its step, because the plan for which it was made may have expected other
    /// durations.
    private mutating func adaptPositionToPlan() {
        guard let live = state.live, let movement = plan.movement(live.movement),
            movement.steps.indices.contains(live.step)
        else { return }
        let step = movement.steps[live.step]
        let seconds = min(max(live.seconds, step.startSeconds), step.startSeconds + step.expectedSeconds)
        guard seconds != live.seconds else { return }
        state.live?.seconds = seconds
        state.turn?.seconds += seconds - live.seconds
        state.speed = nil
    }

    /// Processes an event and returns its effects.
    /// - Parameter now: the time of the show; never earlier than at the previous event.
    /// - Complexity: O(1), unless a measure is played very often.
    public mutating func process(_ event: PageTurnerEvent, at now: ShowTime) -> [PageTurnerEffect] {
        var effects: [PageTurnerEffect] = []
        switch event {
        case .liveUpdate(let word):
            processLiveUpdate(word, at: now)
            updatePage(at: now, &effects)
        case .tick: updatePage(at: now, &effects)
        case .pedalPressed(let direction): processPedal(direction, at: now, &effects)
        case .turnedByPlayer(let page): showByHand(clampedSheet(page), by: .player, at: now, &effects)
        case .turnedByLeader(let page): showByHand(clampedSheet(page), by: .leader, at: now, &effects)
        case .turnedByPinpoint(let page): showByHand(clampedSheet(page), by: .pinpoint, at: now, &effects)
        case .followAgain:
            state.hand = nil
            updatePage(at: now, &effects)
        }
        return effects
    }

    /// The time at which a `tick` event will turn a page; nil if no page is due.
    public var nextTickDue: ShowTime? {
        guard settings.followsMusic, let live = state.live, let due = wholePageTurnDue(live),
            due <= reportTrustedUntil(live)
        else {
            return nil
        }
        return state.wished == nextSheet(live) ? nil : due
    }

    /// Returns the sheet that contains a page. A page that the part does not have counts as the nearest one.
    private func clampedSheet(_ page: Int) -> Int {
        plan.pageArrangement.leftPage(ofSheetWith: page, in: plan.sequence)
    }

    private mutating func processPedal(
        _ direction: PedalDirection, at now: ShowTime, _ effects: inout [PageTurnerEffect]
    ) {
        let view = state.view
        if direction == .forward, state.hand == nil, let turned = state.turnedAt,
            now.milliseconds(since: turned) < Self.pedalIgnoredAfterTurnMilliseconds
        {
            return
        }
        func sheet(_ steps: Int) -> Int {
            plan.pageArrangement.leftPage(ofSheet: steps, after: view.page, in: plan.sequence)
        }
        // Forward goes to the sheet whose upper half is already shown; after a repeat that may be an earlier page.
        let wanted = direction == .forward ? view.ahead ?? sheet(1) : sheet(-1)
        showByHand(wanted, by: .player, at: now, &effects)
    }

    private mutating func showByHand(
        _ sheet: Int, by hand: PageTurnReason, at now: ShowTime, _ effects: inout [PageTurnerEffect]
    ) {
        state.hand = ManualTurn(
            sheet: sheet, by: hand, at: now, wished: state.wished, isAhead: willReachSheet(sheet))
        state.turn = nil
        showPage(PageView(page: sheet), because: hand, at: now, &effects)
        // If the follower already wants the same page, the stand follows it again.
        updatePage(at: now, &effects)
    }

    /// True if the music will reach the sheet later.
    private func willReachSheet(_ sheet: Int) -> Bool {
        guard let live = state.live, let movement = plan.movement(live.movement) else { return false }
        return movement.steps[live.step...].contains { $0.sheet == sheet }
    }

    mutating func showPage(
        _ view: PageView, because cause: PageTurnReason, at now: ShowTime, _ effects: inout [PageTurnerEffect]
    ) {
        guard view != state.view else { return }
        let isWhole = view.page != state.view.page
        state.view = view
        if isWhole { state.turnedAt = now }
        effects.append(.showPage(view, because: cause))
    }
}

/// An input that can turn a stand's pages.
public enum PageTurnerEvent: Hashable, Sendable {
    /// A report of the music's position.
    case liveUpdate(LivePositionUpdate)
    /// Time has passed; the owner sends this at ``PageTurner/nextTickDue``.
    case tick
    /// The player pressed the pedal.
    case pedalPressed(PedalDirection)
    /// The player swiped, or tapped a thumbnail.
    case turnedByPlayer(page: Int)
    /// The room's leader turned the pages for everybody; in this part it is this page.
    case turnedByLeader(page: Int)
    /// A place was shown to everybody; in this part it is on this page.
    case turnedByPinpoint(page: Int)
    /// The player asks the stand to follow the music again at once.
    case followAgain

    /// True if a person chose the page.
    public var isByHand: Bool {
        switch self {
        case .pedalPressed, .turnedByPlayer, .turnedByLeader, .turnedByPinpoint: true
        case .liveUpdate, .tick, .followAgain: false
        }
    }
}

/// The direction of a pedal's press.
public enum PedalDirection: String, Hashable, Sendable, Codable {
    case forward
    case back
}

/// An output of the page turner.
public enum PageTurnerEffect: Hashable, Sendable {
    case showPage(PageView, because: PageTurnReason)
    /// The stand follows the music again, after a turn by hand.
    case followsAgain
    /// The last movement has ended.
    case lastMovementEnded
}

/// The reason for a page turn.
public enum PageTurnReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The music reached the end of the page.
    case played
    /// The upper half, or the left page, was turned ahead.
    case half
    /// The music went back: a retake, or a repeat that the performance does not contain.
    case retake
    /// The music went forward elsewhere: a cut, or the follower has found it again.
    case jump
    /// The next movement begins on another page.
    case nextMovement = "next-movement"
    case player
    case leader
    case pinpoint

    public var isByHand: Bool { self == .player || self == .leader || self == .pinpoint }
}
