import Following
import Score

/// A piece that is awaited and not yet under way.
///
/// Tuning, house music and applause sound before a piece, and a follower can take them for its music. Since version 9 of
/// the rules a piece is under way once a person has begun it, or once the follower has been sure for some seconds and
/// has moved on along the reference meanwhile, which a held tone does not do. Until then no automatic cue fires, a place
/// far from the beginning is not believed, and silence leads back to the beginning. Titles, which can be taken away,
/// follow sooner: once the follower has been sure for a moment.
public struct AwaitedBeginning: Hashable, Sendable, Codable {
    /// The played measure at which the music is to begin.
    public internal(set) var played: Int
    /// True if the audience saw the beginning before any music, because a person began the piece.
    var isShown = false
    /// The time since which the follower has been sure of its place; nil while it is not.
    var sureSince: ShowTime?
    /// The time since which the follower's place has been likely; nil while it is not.
    var likelySince: ShowTime?
    /// The follower's place at ``likelySince``, in seconds of the reference.
    var likelyFrom: Double?
    /// True once titles follow the music, though the piece is not under way; nil before.
    var hasTitles: Bool?
}

/// The part of the evening, as every page shows it.
public enum EveningStage: String, Hashable, Sendable, Codable, CaseIterable {
    /// Whatever sounds, nothing is shown or fired by itself before a technician arms the show.
    case notYet = "not-yet"
    /// The follower waits for the first bar of the piece.
    case armed
    case underWay = "under-way"
    case intermission
    /// The concert was played to its end.
    case over

    /// The words for people.
    public var words: String {
        switch self {
        case .notYet: "not yet"
        case .underWay: "under way"
        case .armed, .intermission, .over: rawValue
        }
    }
}

extension PodiumState {
    public var stage: EveningStage {
        if isIntermission { return .intermission }
        if isAwaitingArming { return .notYet }
        if phase == .over { return .over }
        if beginning != nil { return .armed }
        // Before version 9 of the rules no beginning was awaited.
        return beginningPlayed != nil || hasBeenLive == true ? .underWay : .armed
    }

    /// True while nothing is followed before a technician arms the show or its next piece.
    public var isAwaitingArming: Bool { awaitsArming == true }
    /// True if each piece waits to be armed, not only the first.
    public var isEachPieceArmed: Bool { armsEachPiece == true }
}

extension Podium {
    /// True while the current piece is awaited and no rehearsal or check follows other music.
    var isBeginningAwaited: Bool {
        state.beginning != nil && !state.isRehearsal && state.check == nil && state.awaitsPause != true
    }

    /// True while nothing of the awaited piece is believed to have been heard.
    var isAtAwaitedBeginning: Bool {
        guard isBeginningAwaited, state.isPlaceKnown, let beginning = state.beginning,
            state.position == ScorePosition(played: beginning.played, fraction: 0)
        else { return false }
        return state.follower.map { !claimsToFollow($0) || $0.position.map(isDoubtedBeginning) ?? true }
            ?? true
    }

    /// True while the show waits to be armed. A rehearsal and the pre-show check listen nevertheless.
    var isWaitingToBeArmed: Bool {
        state.isAwaitingArming && !state.isRehearsal && state.check == nil
    }

    /// True while what is shown of the current piece may still be taken back, because it is not under way.
    public var mayTakeBack: Bool { isBeginningAwaited }
    /// True once it was taken back: nothing is live, and the piece is awaited from its beginning.
    public var hasTakenBack: Bool {
        guard isBeginningAwaited, !state.isLive, !state.isIntermission, let beginning = state.beginning else {
            return false
        }
        return state.position == ScorePosition(played: beginning.played, fraction: 0)
    }

    /// The time at which a piece began whose first measure lasted so long that other music sounded in it: the follower
    /// stood there, and what it goes on to begins now.
    /// - Parameters:
    ///   - milliseconds: the times at which the first measure was entered and left.
    ///   - seconds: its length in the reference; nil if the music jumped from it.
    /// - Returns: nil if it lasted no longer than a measure may.
    public static func trueBeginning(_ milliseconds: (from: Int64, to: Int64), lasting seconds: Double?)
        -> Int64?
    {
        let expected = Int64((seconds ?? 0) * 1_000)
        guard milliseconds.to - milliseconds.from > 4 * expected + 8_000 else { return nil }
        return milliseconds.to - expected
    }

    /// Awaits the beginning of the current piece, which has just become the current one.
    mutating func awaitBeginning(at played: Int) {
        guard settings.rules >= 9 else { return }
        state.beginning = AwaitedBeginning(played: played)
        state.beginningPlayed = played
        state.underWaySince = nil
        state.isBegunByHand = nil
    }

    // MARK: Commands

    /// Arms the show, or lets it wait to be armed again.
    mutating func setArmed(
        _ isOn: Bool, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    )
        throws(CommandRefusal)
    {
        guard !state.isRehearsal else { throw .notInRehearsal }
        guard isOn else { return try disarm(at: now, &effects) }
        guard let (piece, played) = placeToBegin() else { throw .alreadyUnderWay(currentPiece.name.text) }
        try takeBatonForFollower(person, &effects)
        state.awaitsArming = nil
        goTo(piece: piece, at: played, at: now, &effects)
        endLive()
        chooseConcertPlace()
    }

    private mutating func disarm(at now: ShowTime, _ effects: inout [PodiumEffect]) throws(CommandRefusal) {
        guard !state.isAwaitingArming else { return }
        guard let (piece, played) = placeToBegin() else { throw .alreadyUnderWay(currentPiece.name.text) }
        goTo(piece: piece, at: played, at: now, &effects)
        endLive()
        state.awaitsArming = true
    }

    /// Nothing is live until the music, and the concert is not over any more.
    private mutating func endLive() {
        state.isLive = false
        state.beginning?.isShown = false
        state.hasEnded = nil
    }

    /// A person says that the music begins now, or has begun within the last two seconds.
    mutating func beginMusic(by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        guard !state.isPaused else { throw .everythingPaused }
        if let last = state.begunAt, now.milliseconds(since: last) < settings.goGuard {
            throw .accidentalRepeat("begin", afterMilliseconds: max(now.milliseconds(since: last), 0))
        }
        guard let (piece, played) = placeToBegin(againAt: now) else {
            throw .longUnderWay(currentPiece.name.text, number: state.piece + 1)
        }
        try takeBatonForFollower(person, &effects)
        placePiece(piece, at: played, at: now)
        state.hasEnded = nil
        setUnderWay(byHand: true, at: now)
        state.begunAt = now
        startNewFollowerOrder(at: now)
        state.follower = nil
        effects.append(.beginMusic(piece: piece, at: state.position, order: state.order))
        recordPieceHeard()
        chooseConcertPlace()
        fireCues(through: played, at: now, &effects)
    }

    /// The piece and the played measure that begin next; nil while a piece is under way.
    /// - Parameter now: if given, also the piece that began less than a minute before this time: a false start, or
    ///   tuning that was taken for the music.
    private func placeToBegin(againAt now: ShowTime? = nil) -> (Int, Int)? {
        if let beginning = state.beginning { return (state.piece, beginning.played) }
        if isPieceOver { return ((state.piece + 1) % course.pieces.count, 0) }
        if state.isAwaitingArming { return (state.piece, state.beginningPlayed ?? 0) }
        guard let now, let since = state.underWaySince, now.milliseconds(since: since) < settings.beginAgain
        else { return nil }
        return (state.piece, state.beginningPlayed ?? 0)
    }

    /// True if the current piece was played to its last measures.
    private var isPieceOver: Bool { state.beginning == nil && state.isPlaceKnown && isInLastMeasures }

    private mutating func takeBatonForFollower(_ person: CommandSender, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        if state.holder.isPerson, BatonHolder(person).rank < state.holder.rank {
            throw .batonHeld(by: state.holder)
        }
        giveBaton(to: .automaticFollower, &effects)
    }

    /// A person has said where the music is, so the piece is under way.
    mutating func setUnderWay(byHand: Bool, at now: ShowTime) {
        guard settings.rules >= 9 else { return }
        state.beginning = nil
        state.underWaySince = now
        if byHand {
            state.isBegunByHand = true
            if !state.isRehearsal { state.awaitsArming = nil }
        }
    }

    /// Looks for the beginning of the piece again, after a hold or another interruption before it was under way.
    /// - Returns: false if the piece is under way, so that the follower's newest report counts.
    mutating func lookForBeginningAgain(at now: ShowTime, _ effects: inout [PodiumEffect]) -> Bool {
        guard isBeginningAwaited, state.isPlaceKnown, let beginning = state.beginning else { return false }
        goBackToBeginning(beginning, at: now)
        if !isWaitingToBeArmed { makeFollowerWait(at: beginning.played, at: now, &effects) }
        return true
    }

    private mutating func goBackToBeginning(_ beginning: AwaitedBeginning, at now: ShowTime) {
        // What was shown after the beginning is taken away, never moved back.
        state.isLive = state.isLive && beginning.isShown && state.position.played == beginning.played
        setPosition(ScorePosition(played: beginning.played, fraction: 0), pace: 0, at: now)
        state.isContinuous = true
        state.hasJumped = false
        state.doubt = nil
        state.frontier = beginning.played
        var again = AwaitedBeginning(played: beginning.played)
        again.isShown = state.isLive
        if state.beginning?.hasTitles == true { state.titles?.forgetMusic() }
        state.beginning = again
    }

    /// After an intermission that follows the end of a piece, the beginning of the next one is awaited: what the
    /// follower took house music and tuning for weighs nothing.
    /// - Returns: false if no piece is over, or if there is no next one.
    mutating func awaitNextPieceAfterIntermission(at now: ShowTime, _ effects: inout [PodiumEffect]) -> Bool {
        guard settings.rules >= 9, !state.isRehearsal, state.holder == .automaticFollower,
            state.heard?.contains(state.piece) == true, isPieceOver, state.piece + 1 < course.pieces.count
        else { return false }
        goTo(piece: state.piece + 1, at: 0, at: now, &effects)
        endLive()
        if state.isEachPieceArmed { state.awaitsArming = true }
        return true
    }

    // MARK: Reports

    /// Takes a report of the follower as evidence that the awaited piece has begun, whoever holds the baton.
    mutating func updateBeginning(_ word: FollowerReport, at now: ShowTime) {
        awaitArmingAfterEnd(word)
        guard isBeginningAwaited, var beginning = state.beginning, word.piece == state.piece else { return }
        // While it coasts, the follower goes on by tempo, which proves nothing.
        let isFollowed = word.state == .following && !word.isRoomSilent && word.position != nil
        if !isFollowed || word.jumped {
            (beginning.sureSince, beginning.likelySince, beginning.likelyFrom) = (nil, nil, nil)
        }
        if isFollowed, let position = word.position {
            let isLikely = word.confidence >= settings.likelyConfidence
            if isLikely, beginning.likelySince == nil {
                beginning.likelySince = now
                beginning.likelyFrom = currentPiece.measures.time(of: position).seconds
            } else if !isLikely {
                (beginning.likelySince, beginning.likelyFrom) = (nil, nil)
            }
            beginning.sureSince =
                word.confidence >= settings.sureConfidence ? beginning.sureSince ?? now : nil
        }
        state.beginning = beginning
        if let due = beginningProvenAt, due <= now { setUnderWay(byHand: false, at: now) }
    }

    /// The piece is over and the next one waits to be armed, if the technician wants it so. The last measure stays.
    private mutating func awaitArmingAfterEnd(_ word: FollowerReport) {
        guard state.isEachPieceArmed, state.beginning == nil, !state.isRehearsal, state.check == nil,
            state.holder == .automaticFollower, state.piece + 1 < course.pieces.count, state.isLive,
            isInLastMeasures, word.state == .finished || word.piece != state.piece
        else { return }
        state.awaitsArming = true
    }

    /// The time at which the awaited piece counts as under way if the music goes on as it does; nil while that cannot be
    /// said.
    var beginningProvenAt: ShowTime? {
        beginningProvenAt(seconds: Self.secondsOfProgress, proof: settings.proof)
    }

    /// The time at which the titles of the first bars follow the music if it goes on as it does; nil while that cannot be
    /// said.
    var titlesBeginAt: ShowTime? {
        guard isFollowing, state.beginning?.hasTitles == nil, let position = state.follower?.position,
            isNearBeginning(position)
        else { return nil }
        return beginningProvenAt(
            seconds: Self.secondsBeforeTitles, proof: Int64(Self.secondsBeforeTitles * 1_000))
    }

    /// - Parameters:
    ///   - seconds: the seconds of reference by which the music must have moved on.
    ///   - proof: the milliseconds for which the follower must have been sure.
    private func beginningProvenAt(seconds: Double, proof: Int64) -> ShowTime? {
        guard isBeginningAwaited, !isWaitingToBeArmed, let beginning = state.beginning,
            let word = state.follower, let at = state.followerAt,
            word.piece == state.piece, word.state == .following, !word.isRoomSilent,
            let position = word.position,
            let from = beginning.likelyFrom, let likely = beginning.likelySince
        else { return nil }
        let isNear = isNearBeginning(position)
        // Under a hold the music may begin; a place far from the beginning is then as little believed as shown.
        guard isFollowing || isNear && state.isHeld else { return nil }
        let factor: Int64 = isNear ? 1 : Self.factorForFarBeginning
        let needed = seconds * Double(factor)
        let measures = currentPiece.measures
        let done = measures.time(of: position).seconds - from
        var moved = at
        if done < needed {
            // Within its measure the position moves on by tempo; only a report moves it past the bar line.
            let left = measures.onset(after: position.played).seconds - measures.time(of: position).seconds
            guard word.tempo > 0, needed - done <= left else { return nil }
            moved = at.advanced(byMilliseconds: Int64(((needed - done) / word.tempo * 1_000).rounded(.up)))
        }
        let sure = beginning.sureSince?.advanced(byMilliseconds: proof * factor)
        let slow = likely.advanced(byMilliseconds: settings.slowProof * factor)
        return max(moved, min(sure ?? slow, slow))
    }

    /// The seconds of reference by which the music must have moved on: more than any held tone, or a chord that fits
    /// some measures, moves a follower.
    private static let secondsOfProgress = 2.0
    /// The same for titles, which a silence takes away again, and the seconds for which the follower must have been sure.
    private static let secondsBeforeTitles = 0.3
    /// A place far from the beginning needs so many times the proof: the music has begun elsewhere, or before it could
    /// be heard.
    private static let factorForFarBeginning: Int64 = 2

    /// True if a place may be the awaited beginning: the follower recognises it only after hearing some of it.
    func isNearBeginning(_ position: ScorePosition) -> Bool {
        guard state.isPlaceKnown, let beginning = state.beginning else { return true }
        return (beginning.played...beginning.played + settings.lateBeginning).contains(position.played)
    }

    /// True if a place must not be shown because the piece is not under way and the place is far from its beginning.
    func isDoubtedBeginning(_ position: ScorePosition) -> Bool {
        isBeginningAwaited && !isNearBeginning(position)
    }

    /// Before the piece is under way, silence leads back to its beginning, and the audience's view with it.
    mutating func returnToBeginningInSilence(_ word: FollowerReport, at now: ShowTime) {
        guard isBeginningAwaited, isFollowing, word.isRoomSilent, state.isPlaceKnown,
            let beginning = state.beginning,
            state.position != ScorePosition(played: beginning.played, fraction: 0)
        else { return }
        goBackToBeginning(beginning, at: now)
    }

    /// The piece is under way if its beginning is proven now: its first cues fire, except those that wait for a person.
    mutating func advanceBeginning(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard let due = beginningProvenAt, due <= now else { return }
        let wasDoubted = state.follower?.position.map(isDoubtedBeginning) ?? false
        setUnderWay(byHand: false, at: now)
        guard isFollowing else { return }
        if wasDoubted {
            followNewestReport(at: now, because: .newReport, isBelated: true, &effects)
        } else {
            recordPieceHeard()
            fireCues(through: state.position.played, at: now, &effects)
        }
    }
}

extension CommandRefusal {
    static func alreadyUnderWay(_ piece: String) -> CommandRefusal {
        CommandRefusal(
            .notNow,
            "“\(piece)” is under way; begin another piece in the programme, or call the intermission.")
    }

    static func longUnderWay(_ piece: String, number: Int) -> CommandRefusal {
        CommandRefusal(
            .notNow,
            "“\(piece)” has been under way for more than a minute; say “piece \(number)” to begin it again.")
    }

    static let notInRehearsal = CommandRefusal(
        .notNow, "It is a rehearsal, in which nothing is armed; end the rehearsal first.")
    static let everythingPaused = CommandRefusal(.notNow, "Everything is paused; resume all first.")
}
