import MusicalTime
import Score

/// Decides when a concert goes on from one piece to the next: a value that is told and never waits.
///
/// A piece is over when its follower says so, or when the music rests in its last measures. From then on the
/// next piece is listened for beside it, and taken up once its beginning is clearly heard. Music that goes on
/// after all (the pause was the composer's) ends the listening. For some seconds after going on, the piece
/// before is still heard, so that a mistake can be undone.
///
/// A long silence anywhere lets the next piece be listened for, too, but then more of it must be heard: a
/// follower that lost its way before the end does not hold up the evening.
struct ConcertCourse {
    /// What the owner does with its followers.
    enum Move: Equatable {
        case stay
        /// The next piece's follower waits at its beginning, from now on or once more.
        case listenForNext
        case stopListening
        /// The next piece is the current one; the one before is heard on.
        case goOn
        /// The piece before is the current one again.
        case goBack
        /// The piece before need not be heard any longer.
        case forgetPrevious
    }

    /// What is heard beside the current piece.
    private enum Phase: Equatable {
        case alone
        /// - Parameter isOver: the current piece has ended, instead of merely resting.
        case listening(isOver: Bool)
        /// - Parameter leftAt: seconds of reference at which the piece before was left.
        case provingItself(since: Double, leftAt: Double)
    }

    private var phase = Phase.alone
    private var own = Progress()
    private var other = Progress()
    private var quietSince: Double?
    /// Seconds of reference where the current piece stood when listening began.
    private var restedAt = 0.0
    /// Since when what is heard beside claims to hear its music.
    private var awakeSince: Double?

    /// True while the current piece is over and the next has not begun: what is shown stays as it is.
    var isBetweenPieces: Bool { phase == .listening(isOver: true) }

    /// Takes what is known after a hop.
    /// - Parameters:
    ///   - current: of the piece that is followed.
    ///   - beside: of the piece that is heard beside it; nil where none is.
    ///   - isQuiet: the room is silent.
    ///   - measures: of the current piece.
    ///   - hasNext: false in the last piece.
    mutating func step(
        current: PositionReport, beside: PositionReport?, isQuiet: Bool, measures: MeasureMap, hasNext: Bool
    ) -> Move {
        let now = current.live.seconds
        quietSince = isQuiet ? quietSince ?? now : nil
        own.see(current, at: now)
        if let beside { other.see(beside, at: now) }
        switch phase {
        case .alone:
            guard hasNext else { return .stay }
            let isOver = isOver(current, at: now, measures)
            guard isOver || (current.state != .waiting && quiet(at: now) >= Self.longQuiet) else {
                return .stay
            }
            restedAt = current.reference?.seconds ?? 0
            return listen(isOver: isOver)
        case .listening(let wasOver):
            let endsNow = isOver(current, at: now, measures)
            guard wasOver || !endsNow else { return listen(isOver: true) }
            if !endsNow, let beside, hasRevived(current, beside) {
                phase = .alone
                return .stopListening
            }
            return decide(current, beside, at: now, isOver: wasOver)
        case .provingItself(let since, let leftAt):
            return prove(current, beside, at: now, since: since, leftAt: leftAt)
        }
    }

    private mutating func listen(isOver: Bool) -> Move {
        phase = .listening(isOver: isOver)
        own.startAnew()
        other = Progress()
        awakeSince = nil
        return .listenForNext
    }

    private mutating func decide(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, isOver: Bool
    ) -> Move {
        guard let beside else { return .stay }
        // No music begins in a silent room: what the follower made of it is forgotten.
        if quietSince != nil { return beside.state == .waiting ? .stay : listen(isOver: isOver) }
        let wanted = isOver ? Self.clearBeginning : Self.longBeginning
        let least = isOver ? Self.leastConfidence : max(current.confidence, Self.goodConfidence)
        if other.isMusical(for: wanted), beside.confidence >= least {
            phase = .provingItself(since: now, leftAt: restedAt)
            swap(&own, &other)
            other.startAnew()
            return .goOn
        }
        awakeSince = beside.state == .waiting ? nil : awakeSince ?? now
        // It began on a noise and found nothing to follow: back to the beginning.
        if let awakeSince, now - awakeSince > Self.patience { return listen(isOver: isOver) }
        return .stay
    }

    /// The pause was the composer's and the music goes on; or, more than that must be heard, it begins elsewhere.
    private func hasRevived(_ current: PositionReport, _ beside: PositionReport) -> Bool {
        guard current.confidence >= Self.goodConfidence, current.confidence > beside.confidence else {
            return false
        }
        let wanted = own.hasContinued(from: restedAt) ? Self.continuation : Self.longBeginning
        return own.isMusical(for: wanted)
    }

    private mutating func prove(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, since: Double, leftAt: Double
    ) -> Move {
        if let beside, other.hasContinued(from: leftAt), other.isMusical(for: Self.continuation),
            beside.confidence >= Self.goodConfidence, current.confidence < beside.confidence / 2
        {
            phase = .alone
            swap(&own, &other)
            return .goBack
        }
        guard now - since > Self.probation else { return .stay }
        phase = .alone
        return .forgetPrevious
    }

    private func isOver(_ current: PositionReport, at now: Double, _ measures: MeasureMap) -> Bool {
        Self.isOver(current, measures, restedSeconds: max(quiet(at: now), own.stoodSeconds(at: now)))
    }

    /// The piece has ended, by its follower's word or by a rest in its last measures.
    /// - Parameter restedSeconds: for which the position has stood or the room was silent.
    static func isOver(_ current: PositionReport, _ measures: MeasureMap, restedSeconds: Double) -> Bool {
        if current.state == .finished { return true }
        guard current.state != .waiting, let reference = current.reference, let position = current.position
        else { return false }
        if (measures.end - reference).value < atTheEnd { return true }
        guard position.played >= measures.marks.count - lastMeasures else { return false }
        return restedSeconds >= restAtTheEnd
    }

    private func quiet(at now: Double) -> Double { quietSince.map { now - $0 } ?? 0 }
}

extension ConcertCourse {
    private static let lastMeasures = 2
    /// Seconds of reference before the end that count as the end.
    private static let atTheEnd = 0.3
    /// Seconds without progress, in the last measures, that mean the end.
    private static let restAtTheEnd = 1.5
    /// Seconds of silence, anywhere, in which the next piece may begin.
    private static let longQuiet = 4.0
    /// Seconds the next piece must be followed after an end.
    private static let clearBeginning = 1.5
    /// Seconds of music, after a mere silence or from another place, that are no accident.
    private static let longBeginning = 6.0
    /// Seconds of the piece, from where it rested, that take the listening or the going on back.
    private static let continuation = 2.5
    private static let leastConfidence = 0.1
    private static let goodConfidence = 0.5
    private static let patience = 8.0
    /// Seconds after going on in which the piece before may return.
    private static let probation = 10.0
}
