import Basics
import Score

/// Decides when a concert goes on from one piece to the next. It is called after each hop and never waits.
///
/// A piece is over when its follower says so, or when the music rests in its last measures. From then on the next piece
/// is followed as well, and becomes the current one once its beginning is clearly heard. If the current piece's music
/// continues after all (the composer wrote a pause), the next piece is dropped again. For some seconds after going on,
/// the previous piece is still followed, so that a mistake can be undone.
///
/// After a long silence anywhere in a piece the next piece is followed as well, but then more of it must be heard. So a
/// follower that lost its way before the end does not hold up the concert.
struct NextPieceDetector {
    /// The action that the owner of the followers must take.
    enum PieceAction: Equatable {
        case stay
        /// Let the next piece's follower wait at the beginning, or start waiting again.
        case listenForNext
        case stopListening
        /// Make the next piece the current one, and still follow the previous one.
        case goToNext
        /// Make the previous piece the current one again.
        case returnToPrevious
        /// Stop following the previous piece.
        case forgetPrevious
    }

    /// The piece that is followed in addition to the current one, and the reason.
    private enum Phase: Equatable {
        case followingCurrentOnly
        /// The next piece is followed too.
        /// - Parameter isOver: true if the current piece has ended, false if it merely rests.
        case listeningForNext(isOver: Bool)
        /// The previous piece is still followed, in case going on was a mistake.
        /// - Parameter leftAt: the position at which the previous piece was left, in seconds of the reference.
        case previousStillFollowed(since: Double, leftAt: Double)
    }

    private var phase = Phase.followingCurrentOnly
    private var currentStretch = FollowedStretch()
    private var otherStretch = FollowedStretch()
    private var quietSince: Double?
    /// The position of the current piece when the next piece was first followed, in seconds of the reference.
    private var referenceSecondsWhenListeningBegan = 0.0
    /// The live time in seconds since which the other piece's follower has reported music; nil while it waits.
    private var otherMusicSince: Double?

    /// True while the current piece is over and the next has not begun: the displays keep the last position.
    var isBetweenPieces: Bool { phase == .listeningForNext(isOver: true) }

    /// Decides what to do after a hop.
    /// - Parameters:
    ///   - current: the report of the current piece.
    ///   - beside: the report of the other piece that is followed; nil if there is none.
    ///   - isQuiet: true if the room is silent.
    ///   - measures: the measures of the current piece.
    ///   - hasNext: false in the last piece.
    mutating func decideAfterHop(
        current: PositionReport, beside: PositionReport?, isQuiet: Bool, measures: MeasureMap, hasNext: Bool
    ) -> PieceAction {
        let now = current.liveTime.seconds
        quietSince = isQuiet ? quietSince ?? now : nil
        currentStretch.addReport(current, at: now)
        if let beside { otherStretch.addReport(beside, at: now) }
        switch phase {
        case .followingCurrentOnly:
            guard hasNext else { return .stay }
            let isOver = isPieceOver(current, at: now, measures)
            guard isOver || (current.state != .waiting && quietSeconds(at: now) >= Self.longSilenceSeconds)
            else {
                return .stay
            }
            referenceSecondsWhenListeningBegan = current.referenceTime?.seconds ?? 0
            return startListening(isOver: isOver)
        case .listeningForNext(let wasOver):
            let endsNow = isPieceOver(current, at: now, measures)
            guard wasOver || !endsNow else { return startListening(isOver: true) }
            if !endsNow, let beside, hasMusicContinued(current, beside) {
                phase = .followingCurrentOnly
                return .stopListening
            }
            return decideWhileListening(current, beside, at: now, isOver: wasOver)
        case .previousStillFollowed(let since, let leftAt):
            return decideOnProbation(current, beside, at: now, since: since, leftAt: leftAt)
        }
    }

    /// Listens for the next piece at once, because the current one has ended and the next was added afterwards.
    mutating func endPiece() -> PieceAction { startListening(isOver: true) }

    private mutating func startListening(isOver: Bool) -> PieceAction {
        phase = .listeningForNext(isOver: isOver)
        currentStretch.endStretch()
        otherStretch = FollowedStretch()
        otherMusicSince = nil
        return .listenForNext
    }

    private mutating func decideWhileListening(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, isOver: Bool
    ) -> PieceAction {
        guard let beside else { return .stay }
        // No music begins in a silent room, so the other follower's findings are discarded.
        if quietSince != nil { return beside.state == .waiting ? .stay : startListening(isOver: isOver) }
        let wanted =
            isOver ? Self.requiredNextPieceSecondsAfterEnd : Self.requiredNextPieceSecondsAfterSilence
        let least =
            isOver ? Self.nextPieceLeastConfidence : max(current.passageConfidence, Self.goodConfidence)
        if otherStretch.hasRunAtMusicalSpeed(for: wanted), beside.passageConfidence >= least {
            phase = .previousStillFollowed(since: now, leftAt: referenceSecondsWhenListeningBegan)
            swap(&currentStretch, &otherStretch)
            otherStretch.endStretch()
            return .goToNext
        }
        otherMusicSince = beside.state == .waiting ? nil : otherMusicSince ?? now
        // The other piece's follower took a noise for the beginning and found no music, so it starts waiting again.
        if let otherMusicSince, now - otherMusicSince > Self.noiseSecondsToRestart {
            return startListening(isOver: isOver)
        }
        return .stay
    }

    /// Returns true if the current piece's music has gone on after a pause. If it goes on at another place, more of it
    /// must be heard.
    private func hasMusicContinued(_ current: PositionReport, _ beside: PositionReport) -> Bool {
        guard current.passageConfidence >= Self.goodConfidence,
            current.passageConfidence > beside.passageConfidence
        else {
            return false
        }
        let wanted =
            currentStretch.hasBegunNearReferencePosition(from: referenceSecondsWhenListeningBegan)
            ? Self.continuationSeconds : Self.requiredNextPieceSecondsAfterSilence
        return currentStretch.hasRunAtMusicalSpeed(for: wanted)
    }

    private mutating func decideOnProbation(
        _ current: PositionReport, _ beside: PositionReport?, at now: Double, since: Double, leftAt: Double
    ) -> PieceAction {
        if let beside, otherStretch.hasBegunNearReferencePosition(from: leftAt),
            otherStretch.hasRunAtMusicalSpeed(for: Self.continuationSeconds),
            beside.passageConfidence >= Self.goodConfidence,
            current.passageConfidence < beside.passageConfidence / 2
        {
            phase = .followingCurrentOnly
            swap(&currentStretch, &otherStretch)
            return .returnToPrevious
        }
        guard now - since > Self.probationSeconds else { return .stay }
        phase = .followingCurrentOnly
        return .forgetPrevious
    }

    private func isPieceOver(_ current: PositionReport, at now: Double, _ measures: MeasureMap) -> Bool {
        Self.isPieceOver(
            current, measures,
            restedSeconds: max(quietSeconds(at: now), currentStretch.secondsStandingStill(at: now)))
    }

    /// Returns true if the piece has ended, by its follower's state or by a rest in its last measures.
    /// - Parameter restedSeconds: the time for which the position has stood still or the room has been silent.
    static func isPieceOver(_ current: PositionReport, _ measures: MeasureMap, restedSeconds: Double) -> Bool
    {
        if current.state == .finished { return true }
        guard current.state != .waiting, let reference = current.referenceTime,
            let position = current.position
        else { return false }
        if (measures.end - reference).value < endToleranceSeconds { return true }
        guard position.played >= measures.marks.count - lastMeasureCount else { return false }
        return restedSeconds >= restSecondsAtEnd
    }

    private func quietSeconds(at now: Double) -> Double { quietSince.map { now - $0 } ?? 0 }
}

extension NextPieceDetector {
    private static let lastMeasureCount = 2
    /// The distance from the end of the piece, in seconds of the reference, that counts as the end.
    private static let endToleranceSeconds = 0.3
    /// The seconds without progress in the last measures after which the piece is over.
    private static let restSecondsAtEnd = 1.5
    /// The seconds of silence, anywhere in a piece, after which the next piece may begin.
    private static let longSilenceSeconds = 4.0
    /// The seconds for which the next piece must be heard once the current piece is over.
    private static let requiredNextPieceSecondsAfterEnd = 1.5
    /// The seconds for which music must be heard after a mere silence, or from another place; so much cannot be an
    /// accident.
    private static let requiredNextPieceSecondsAfterSilence = 6.0
    /// The seconds for which the current piece's music must go on, from where it rested, before the next piece is
    /// dropped again.
    private static let continuationSeconds = 2.5
    private static let nextPieceLeastConfidence = 0.1
    private static let goodConfidence = 0.5
    private static let noiseSecondsToRestart = 8.0
    /// The seconds after going on during which the previous piece may become the current one again.
    private static let probationSeconds = 10.0
}
