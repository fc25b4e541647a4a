import MusicalTime
import Score

/// Decides when a concert goes on with any other piece of its programme: a value that is told and never waits.
///
/// While a piece is followed with some certainty nothing else is listened for. Once it is over, or its follower has
/// been unsure for some seconds of sound, or the room was silent for some, the other pieces are listened for beside
/// it, each from its beginning or from where it was left. One is taken up when it has been sure of its place for
/// some seconds while the present one was not; the present one when it is sure again.
///
/// At most ``mostBeside`` pieces are listened for at a time. Where the programme has more they take turns, some
/// seconds of sound each; the next piece always keeps its place. So a hop costs nine followers at most, and one of
/// them begins at a time. After `init` no allocation.
struct ConcertSearch {
    enum Move: Equatable {
        case stay
        /// A slot's piece is waited for at its beginning, from now on or once more.
        case listen(slot: Int, piece: Int)
        case stopListening
        /// A slot's piece is the current one; nothing else is listened for.
        case goTo(slot: Int)
    }

    static let mostBeside = 8

    private struct Slot {
        var piece = 0
        var sureness = Sureness()
        /// Live seconds at which it began to hear sound.
        var since = 0.0
    }

    private enum Phase: Equatable {
        case alone
        case listening(isOver: Bool)
    }

    private let pieceCount: Int
    private var slots: [Slot]
    /// Slots that listen.
    private var count = 0
    private var upcoming = 0
    private var phase = Phase.alone
    private var own = Sureness()
    private var progress = Progress()
    private var quietSince: Double?
    private var unsureSince: Double?

    init(pieceCount: Int) {
        self.pieceCount = pieceCount
        slots = Array(repeating: Slot(), count: min(max(pieceCount - 1, 0), Self.mostBeside))
    }

    /// The largest number of pieces that are listened for at once.
    var slotCount: Int { slots.count }

    /// True while the current piece is over and none has begun.
    var isBetweenPieces: Bool { phase == .listening(isOver: true) }

    /// Forgets what was heard: somebody has said which piece is played.
    mutating func reset() {
        phase = .alone
        count = 0
        own = Sureness()
        progress = Progress()
        quietSince = nil
        unsureSince = nil
    }

    /// Takes what is known after a hop.
    /// - Parameters:
    ///   - current: of the piece that is followed.
    ///   - piece: its index.
    ///   - beside: of the slots, as many as listen; nil where one has not heard a hop yet.
    ///   - isQuiet: the room is silent.
    ///   - measures: of the current piece.
    mutating func step(
        current: PositionReport, piece: Int, beside: [PositionReport?], isQuiet: Bool, measures: MeasureMap
    ) -> Move {
        let now = current.live.seconds
        see(current, beside, at: now, isQuiet: isQuiet)
        let rested = max(quietSeconds(at: now), progress.stoodSeconds(at: now))
        let isOver = ConcertCourse.isOver(current, measures, restedSeconds: rested)
        switch phase {
        case .alone:
            let isUnsure = unsureSince.map { now - $0 >= Self.unsure } ?? false
            let isPausing = current.state != .waiting && quietSeconds(at: now) >= Self.longQuiet
            guard isOver || isUnsure || isPausing else { return .stay }
            listen(isOver: isOver, beside: piece)
        case .listening(let wasOver):
            if isOver && !wasOver { listen(isOver: true, beside: piece, keepingSlots: true) }
            let wanted = wasOver ? HeldEnd.returning : Self.returning
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
        return listenFurther(beside, current: piece, at: now)
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

    /// The slot whose piece is played; nil where none certainly is.
    private func found(isOver: Bool, after piece: Int) -> Int? {
        // The present piece is believed as long as it is sure itself.
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

    /// One more slot, or one of them anew.
    private mutating func listenFurther(
        _ beside: [PositionReport?], current piece: Int, at now: Double
    ) -> Move {
        if count < slots.count {
            let taken = takeUpcoming(beside: piece)
            count += 1
            return begin(count - 1, taken, at: now)
        }
        for slot in 0..<count {
            let isAwake = beside[slot].map { $0.state != .waiting } ?? false
            if quietSeconds(at: now) >= Self.breath {
                // No music begins in a silent room: what the follower made of it is forgotten.
                if isAwake { return begin(slot, slots[slot].piece, at: now) }
                continue
            }
            guard now - slots[slot].since > Self.patience, !slots[slot].sureness.isSure else { continue }
            let isNext = slots[slot].piece == next(after: piece)
            if pieceCount - 1 > slots.count && !isNext {
                return begin(slot, takeUpcoming(beside: piece), at: now)
            }
            slots[slot].since = now
            // It began on a noise and found nothing to follow: back to the beginning.
            if isAwake { return begin(slot, slots[slot].piece, at: now) }
        }
        return .stay
    }

    private mutating func begin(_ slot: Int, _ piece: Int, at now: Double) -> Move {
        slots[slot] = Slot(piece: piece, since: now)
        return .listen(slot: slot, piece: piece)
    }

    /// The next piece in the order of the programme that nobody listens for.
    private mutating func takeUpcoming(beside piece: Int) -> Int {
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

extension ConcertSearch {
    /// Below this the current piece is rather not what is heard.
    private static let likely = 0.5
    /// Seconds of sound in which it is so before other pieces are listened for.
    private static let unsure = 3.0
    /// Seconds of silence that are no mere rest.
    private static let breath = 1.0
    /// Seconds of silence, anywhere, in which another piece may begin.
    private static let longQuiet = 4.0
    /// Seconds for which the next piece must be sure after an end.
    private static let clearBeginning = 2.0
    /// Seconds for which any other must be, or the next one before the end.
    private static let otherBeginning = 4.0
    /// Seconds after which the current piece, not over, is believed again.
    private static let returning = 2.5
    /// Seconds of sound given to a piece that is not sure of its place.
    private static let patience = 15.0
}
