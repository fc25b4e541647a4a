import MusicalTime
import Score

/// Decides when a concert goes on from one piece to the next. A value that is called after each hop and never waits.
///
/// A piece is over when its follower says so, or when the music rests in its last measures. From then on the next
/// piece is followed as well, and becomes the current one once its beginning is clearly heard. If the current
/// piece's music continues after all (the pause was the composer's), the next piece is dropped again. For some
/// seconds after going on, the previous piece is still followed, so that a mistake can be undone.
///
/// After a long silence anywhere the next piece is followed as well, but then more of it must be heard. So a
/// follower that lost its way before the end does not hold up the concert.
struct NextPieceDetector {
    /// What the owner of the followers must do.
    enum Move: Equatable {
        case stay
        /// The next piece's follower waits at its beginning, from now on or anew.
        case listenForNext
        case stopListening
        /// The next piece becomes the current one; the previous one is still followed.
        case goOn
        /// The previous piece becomes the current one again.
        case goBack
        /// The previous piece need not be followed any longer.
        case forgetPrevious
    }

    /// Which other piece is followed apart from the current one, and why.
    private enum Phase: Equatable {
        case alone
        /// The next piece is followed.
        /// - Parameter isOver: the current piece has ended, instead of merely resting.
        case listening(isOver: Bool)
        /// The previous piece is still followed.
        /// - Parameter leftAt: seconds of reference at which it was left.
        case onProbation(since: Double, leftAt: Double)
    }

    private var phase = Phase.alone
    private var own = FollowedStretch()
    private var other = FollowedStretch()
    private var quietSince: Double?
    /// Position of the current piece, in seconds of reference, when the next piece was first followed.
    private var restedAt = 0.0
    /// Live seconds since which the other piece's follower has reported music; nil while it waits.
    private var awakeSince: Double?

    /// True while the current piece is over and the next has not begun: the displays keep the last position.
    var isBetweenPieces: Bool { phase == .listening(isOver: true) }

    /// Decides after a hop.
    /// - Parameters:
    ///   - current: report of the current piece.
    ///   - beside: report of the other piece that is followed; nil if there is none.
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
            if !endsNow, let beside, hasMusicContinued(current, beside) {
                phase = .alone
                return .stopListening
            }
            return decide(current, beside, at: now, isOver: wasOver)
        case .onProbation(let since, let leftAt):
            return prove(current, beside, at: now, since: since, leftAt: leftAt)
        }
    }

    private mutating func listen(isOver: Bool) -> Move {
        phase = .listening(isOver: isOver)
        own.startAnew()
        other = FollowedStretch()
        awakeSince = nil
        return .listenForNext
    }

    private mutating func decide(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, isOver: Bool
    ) -> Move {
        guard let beside else { return .stay }
        // No music begins in a silent room, so the other follower's findings are discarded.
        if quietSince != nil { return beside.state == .waiting ? .stay : listen(isOver: isOver) }
        let wanted = isOver ? Self.clearBeginning : Self.longBeginning
        let least = isOver ? Self.leastConfidence : max(current.confidence, Self.goodConfidence)
        if other.hasRunAtMusicalSpeed(for: wanted), beside.confidence >= least {
            phase = .onProbation(since: now, leftAt: restedAt)
            swap(&own, &other)
            other.startAnew()
            return .goOn
        }
        awakeSince = beside.state == .waiting ? nil : awakeSince ?? now
        // The other piece's follower took a noise for the beginning and found no music, so it starts waiting again.
        if let awakeSince, now - awakeSince > Self.patience { return listen(isOver: isOver) }
        return .stay
    }

    /// True if the pause was the composer's and the music continues or, after more of it, if it continues elsewhere.
    private func hasMusicContinued(_ current: PositionReport, _ beside: PositionReport) -> Bool {
        guard current.confidence >= Self.goodConfidence, current.confidence > beside.confidence else {
            return false
        }
        let wanted = own.beganNear(from: restedAt) ? Self.continuation : Self.longBeginning
        return own.hasRunAtMusicalSpeed(for: wanted)
    }

    private mutating func prove(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, since: Double, leftAt: Double
    ) -> Move {
        if let beside, other.beganNear(from: leftAt), other.hasRunAtMusicalSpeed(for: Self.continuation),
            beside.confidence >= Self.goodConfidence, current.confidence < beside.confidence / 2
        {
            phase = .alone
            swap(&own, &other)
            return .goBack
        }
        guard now - since > Self.probationSeconds else { return .stay }
        phase = .alone
        return .forgetPrevious
    }

    private func isOver(_ current: PositionReport, at now: Double, _ measures: MeasureMap) -> Bool {
        Self.isOver(current, measures, restedSeconds: max(quiet(at: now), own.secondsStandingStill(at: now)))
    }

    /// True if the piece has ended, by its follower's state or by a rest in its last measures.
    /// - Parameter restedSeconds: time for which the position has stood or the room has been silent.
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

extension NextPieceDetector {
    private static let lastMeasures = 2
    /// Distance from the end, in seconds of reference, that counts as the end.
    private static let atTheEnd = 0.3
    /// Seconds without progress, in the last measures, that mean the end.
    private static let restAtTheEnd = 1.5
    /// Seconds of silence, anywhere, after which the next piece may begin.
    private static let longQuiet = 4.0
    /// Seconds for which the next piece must be followed after an end.
    private static let clearBeginning = 1.5
    /// Seconds of music that cannot be an accident, after a mere silence or from another place.
    private static let longBeginning = 6.0
    /// Seconds of the current piece's music, from where it rested, after which the next piece is dropped again.
    private static let continuation = 2.5
    private static let leastConfidence = 0.1
    private static let goodConfidence = 0.5
    private static let patience = 8.0
    /// Seconds after going on during which the previous piece may return.
    private static let probationSeconds = 10.0
}
