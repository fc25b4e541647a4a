import MusicalTime
import Score

/// Decides when a concert goes on with any other piece of its programme. A value that is called after each hop and
/// never waits.
///
/// While the current piece is followed with some certainty, no other is listened for. Once it is over, or its
/// follower has been unsure during some seconds of sound, or the room has been silent for some seconds, the other
/// pieces are listened for as well, each from its beginning or from where it was left. Another piece becomes the
/// current one when its follower has been sure for some seconds while the current one's was not. If the current
/// one's follower is sure again, the others are dropped.
///
/// At most ``mostSlots`` pieces are listened for at a time. If the programme has more they take turns of some
/// seconds of sound; the next piece always keeps its slot. So a hop costs nine followers at most, and at most one of
/// them begins per hop. After `init` no allocation.
struct AnyPieceDetector {
    enum Move: Equatable {
        case stay
        /// The piece of a slot is awaited at its beginning, from now on or anew.
        case listen(slot: Int, piece: Int)
        case stopListening
        /// The piece of a slot becomes the current one; no other is listened for.
        case goTo(slot: Int)
    }

    static let mostSlots = 8

    private struct Slot {
        var piece = 0
        var sureness = ConfidenceStreak()
        /// Live seconds since which it has been given sound.
        var since = 0.0
    }

    private enum Phase: Equatable {
        case alone
        case listening(isOver: Bool)
    }

    private let pieceCount: Int
    private var slots: [Slot]
    /// Number of slots in use.
    private var count = 0
    private var upcoming = 0
    private var phase = Phase.alone
    private var own = ConfidenceStreak()
    private var progress = FollowedStretch()
    private var quietSince: Double?
    private var unsureSince: Double?

    init(pieceCount: Int) {
        self.pieceCount = pieceCount
        slots = Array(repeating: Slot(), count: min(max(pieceCount - 1, 0), Self.mostSlots))
    }

    /// The largest number of pieces that are listened for at once.
    var slotCount: Int { slots.count }

    /// True while the current piece is over and no other has begun.
    var isBetweenPieces: Bool { phase == .listening(isOver: true) }

    /// Forgets everything heard: an operator has said which piece is played.
    mutating func reset() {
        phase = .alone
        count = 0
        own = ConfidenceStreak()
        progress = FollowedStretch()
        quietSince = nil
        unsureSince = nil
    }

    /// Decides after a hop.
    /// - Parameters:
    ///   - current: report of the current piece.
    ///   - piece: its index.
    ///   - beside: reports of the slots in use; nil for a slot that has not heard a hop yet.
    ///   - isQuiet: the room is silent.
    ///   - measures: of the current piece.
    mutating func step(
        current: PositionReport, piece: Int, beside: [PositionReport?], isQuiet: Bool, measures: MeasureMap
    ) -> Move {
        let now = current.live.seconds
        see(current, beside, at: now, isQuiet: isQuiet)
        let rested = max(quietSeconds(at: now), progress.secondsStandingStill(at: now))
        let isOver = NextPieceDetector.isOver(current, measures, restedSeconds: rested)
        switch phase {
        case .alone:
            let isUnsure = unsureSince.map { now - $0 >= Self.unsureSeconds } ?? false
            let isPausing = current.state != .waiting && quietSeconds(at: now) >= Self.longQuiet
            guard isOver || isUnsure || isPausing else { return .stay }
            listen(isOver: isOver, beside: piece)
        case .listening(let wasOver):
            if isOver && !wasOver { listen(isOver: true, beside: piece, keepingSlots: true) }
            let wanted = wasOver ? PieceEndHold.returning : Self.returning
            if own.seconds >= wanted, !isOver {
                reset()
                return .stopListening
            }
            if quietSince == nil, let found = found(isOver: wasOver, after: piece) {
                let sureness = slots[found].sureness
                reset()
                own = sureness
                return .goTo(slot: found)
            }
        }
        return fillOrRestartSlot(beside, current: piece, at: now)
    }

    private mutating func see(
        _ current: PositionReport, _ beside: [PositionReport?], at now: Double, isQuiet: Bool
    ) {
        quietSince = isQuiet ? quietSince ?? now : nil
        own.see(current, at: now)
        progress.see(current, at: now)
        let isLikely =
            (current.state == .following || current.state == .coasting)
            && current.confidence >= Self.likely
        let isSilent = quietSeconds(at: now) >= Self.breath
        unsureSince = isSilent || isLikely ? nil : unsureSince ?? now
        for slot in 0..<count {
            if isSilent { slots[slot].since = now }
            if let report = beside[slot] { slots[slot].sureness.see(report, at: now) }
        }
    }

    private mutating func listen(isOver: Bool, beside piece: Int, keepingSlots: Bool = false) {
        phase = .listening(isOver: isOver)
        own.startAnew()
        guard !keepingSlots else { return }
        count = 0
        upcoming = next(after: piece)
    }

    /// The slot whose piece is certainly being played; nil if there is none.
    private func found(isOver: Bool, after piece: Int) -> Int? {
        // The current piece stays as long as its own follower is sure.
        guard isOver || !own.isSure else { return nil }
        var best: Int?
        for slot in 0..<count {
            let isNext = isOver && slots[slot].piece == next(after: piece)
            let seconds = slots[slot].sureness.seconds
            guard seconds >= (isNext ? Self.clearBeginning : Self.otherBeginning) else { continue }
            if best.map({ seconds > slots[$0].sureness.seconds }) ?? true { best = slot }
        }
        return best
    }

    /// Uses one more slot, or restarts one.
    private mutating func fillOrRestartSlot(
        _ beside: [PositionReport?], current piece: Int, at now: Double
    ) -> Move {
        if count < slots.count {
            let taken = nextPieceWithoutSlot(beside: piece)
            count += 1
            return begin(count - 1, taken, at: now)
        }
        for slot in 0..<count {
            let isAwake = beside[slot].map { $0.state != .waiting } ?? false
            if quietSeconds(at: now) >= Self.breath {
                // No music begins in a silent room, so this follower's findings are discarded.
                if isAwake { return begin(slot, slots[slot].piece, at: now) }
                continue
            }
            guard now - slots[slot].since > Self.patience, !slots[slot].sureness.isSure else { continue }
            let isNext = slots[slot].piece == next(after: piece)
            if pieceCount - 1 > slots.count && !isNext {
                return begin(slot, nextPieceWithoutSlot(beside: piece), at: now)
            }
            slots[slot].since = now
            // This slot's follower took a noise for the beginning and found no music, so it starts waiting again.
            if isAwake { return begin(slot, slots[slot].piece, at: now) }
        }
        return .stay
    }

    private mutating func begin(_ slot: Int, _ piece: Int, at now: Double) -> Move {
        slots[slot] = Slot(piece: piece, since: now)
        return .listen(slot: slot, piece: piece)
    }

    /// The next piece, in the order of the programme, that has no slot.
    private mutating func nextPieceWithoutSlot(beside piece: Int) -> Int {
        for _ in 0..<pieceCount {
            let taken = upcoming
            upcoming = next(after: upcoming)
            if taken != piece, !(0..<count).contains(where: { slots[$0].piece == taken }) {
                return taken
            }
        }
        return next(after: piece)
    }

    private func next(after piece: Int) -> Int { piece + 1 < pieceCount ? piece + 1 : 0 }

    private func quietSeconds(at now: Double) -> Double { quietSince.map { now - $0 } ?? 0 }
}

extension AnyPieceDetector {
    /// Confidence below which the current piece is probably not the one that is played.
    private static let likely = 0.5
    /// Seconds of such sound after which other pieces are listened for.
    private static let unsureSeconds = 3.0
    /// Seconds of silence that are more than a rest.
    private static let breath = 1.0
    /// Seconds of silence, anywhere, after which another piece may begin.
    private static let longQuiet = 4.0
    /// Seconds for which the next piece's follower must be sure after an end.
    private static let clearBeginning = 2.0
    /// Seconds for which that of any other piece must be sure, or of the next piece before the end.
    private static let otherBeginning = 4.0
    /// Seconds of sureness after which the current piece, if not over, is trusted again.
    private static let returning = 2.5
    /// Seconds of sound given to a piece whose follower is not sure.
    private static let patience = 15.0
}
