import Basics
import Score

/// Decides when a concert goes on with another piece of its programme, which may be any piece. It is called after each
/// hop and never waits.
///
/// While the current piece is followed with some certainty, no other piece is listened for. The other pieces are
/// listened for once the current one is over, or its follower has been unsure during some seconds of sound, or the room
/// has been silent for some seconds. Each is awaited at its beginning or where it was left. Another piece becomes the
/// current one when its follower has been sure for some seconds while the current one's was not. If the current one's
/// follower is sure again, the others are dropped.
///
/// At most ``maximumListeningSlots`` pieces are listened for at a time. If the programme has more, they take turns of
/// some seconds of sound; the next piece always keeps its slot. So a hop costs nine followers at most, and at most one
/// of them begins per hop. After `init` no allocation.
struct AnyPieceDetector {
    enum SlotAction: Equatable {
        case stay
        /// Listen for a piece in a slot; if the slot already has the piece, its follower starts waiting again.
        case listenForPiece(slot: Int, piece: Int)
        /// Go on in a slot with the piece and at the place that the search of the programme has just found.
        case takeUpFoundPiece(slot: Int)
        case stopListening
        /// Make the slot's piece the current one, and stop listening for others.
        case makePieceCurrent(slot: Int)
    }

    static let maximumListeningSlots = 8

    private struct ListeningSlot {
        var pieceIndex = 0
        var confidenceStreak = ConfidenceStreak()
        /// True if the search of the programme has found the piece, so that it is not awaited at its beginning.
        var isFound = false
        /// The live time in seconds since which the slot's piece has been given sound.
        var listeningSince = 0.0
    }

    private enum Phase: Equatable {
        case followingCurrentOnly
        case listeningForOthers(isOver: Bool)
    }

    private let pieceCount: Int
    private var slots: [ListeningSlot]
    /// The number of slots in use.
    private var usedSlotCount = 0
    private var nextPieceForSlot = 0
    private var phase = Phase.followingCurrentOnly
    private var currentPieceStreak = ConfidenceStreak()
    private var currentPieceStretch = FollowedStretch()
    private var quietSince: Double?
    private var unsureSince: Double?
    /// The seconds of sound since a piece was last followed surely; silence does not count.
    private var unexplainedSoundSeconds = 0.0
    private var newestLiveSeconds: Double?
    /// True after the last piece of a programme that is played in its order, when most music is none of its pieces.
    private var isAfterProgramme = false

    init(pieceCount: Int) {
        self.pieceCount = pieceCount
        slots = Array(
            repeating: ListeningSlot(), count: min(max(pieceCount - 1, 0), Self.maximumListeningSlots))
    }

    /// The largest number of pieces that are listened for at the same time.
    var listeningSlotCount: Int { slots.count }

    /// True while the current piece is over and no other has begun.
    var isBetweenPieces: Bool { phase == .listeningForOthers(isOver: true) }

    /// Forgets everything heard, because an operator has said which piece is being played.
    mutating func reset() {
        phase = .followingCurrentOnly
        usedSlotCount = 0
        currentPieceStreak = ConfidenceStreak()
        currentPieceStretch = FollowedStretch()
        quietSince = nil
        unsureSince = nil
        unexplainedSoundSeconds = 0
        newestLiveSeconds = nil
        isAfterProgramme = false
    }

    /// Listens for the other pieces, because one is over.
    /// - Parameter isAfterProgramme: true if it is the last one of a programme that is played in its order.
    mutating func listenAfterEnd(of piece: Int, isAfterProgramme: Bool = false) {
        reset()
        self.isAfterProgramme = isAfterProgramme
        startListening(isOver: true, beside: piece)
    }

    /// Decides what to do after a hop.
    /// - Parameters:
    ///   - current: the report of the current piece.
    ///   - piece: the index of the current piece.
    ///   - beside: the reports of the slots in use; nil for a slot that has not heard a hop yet.
    ///   - isQuiet: true if the room is silent.
    ///   - foundPiece: the piece that the search of the programme has found in this hop; nil if it has found none.
    ///   - measures: the measures of the current piece.
    mutating func decideAfterHop(
        current: PositionReport, piece: Int, beside: [PositionReport?], isQuiet: Bool, foundPiece: Int? = nil,
        measures: MeasureMap
    ) -> SlotAction {
        let now = current.liveTime.seconds
        updateEvidence(current, beside, at: now, isQuiet: isQuiet)
        let rested = max(quietSeconds(at: now), currentPieceStretch.secondsStandingStill(at: now))
        let isOver = NextPieceDetector.isPieceOver(current, measures, restedSeconds: rested)
        switch phase {
        case .followingCurrentOnly:
            let isUnsure = unsureSince.map { now - $0 >= Self.unsureSecondsToListen } ?? false
            let isPausing = current.state != .waiting && quietSeconds(at: now) >= Self.longSilenceSeconds
            let isAnotherFound = foundPiece.map { $0 != piece } ?? false && !currentPieceStreak.isSure
            guard isOver || isUnsure || isPausing || isAnotherFound else { return .stay }
            startListening(isOver: isOver, beside: piece)
        case .listeningForOthers(let wasOver):
            if isOver && !wasOver { startListening(isOver: true, beside: piece, keepingSlots: true) }
            let wanted = wasOver ? FinishedPieceKeeper.ownMusicSecondsToRelease : Self.currentPieceSureSeconds
            if currentPieceStreak.durationSeconds >= wanted, !isOver {
                reset()
                return .stopListening
            }
            if quietSince == nil, let found = findSlotBeingPlayed(isOver: wasOver, after: piece) {
                let sureness = slots[found].confidenceStreak
                reset()
                currentPieceStreak = sureness
                return .makePieceCurrent(slot: found)
            }
        }
        if let foundPiece, foundPiece != piece, quietSince == nil, !currentPieceStreak.isSure,
            let slot = slotForFoundPiece(foundPiece, current: piece, at: now)
        {
            usedSlotCount = max(usedSlotCount, slot + 1)
            slots[slot] = ListeningSlot(pieceIndex: foundPiece, isFound: true, listeningSince: now)
            return .takeUpFoundPiece(slot: slot)
        }
        return fillOrRestartSlot(beside, current: piece, at: now)
    }

    /// The slot in which a found piece is taken up; nil if it was taken up already and is still being proven.
    private func slotForFoundPiece(_ found: Int, current piece: Int, at now: Double) -> Int? {
        if let own = (0..<usedSlotCount).first(where: { slots[$0].pieceIndex == found }) {
            let takenUpFor = now - slots[own].listeningSince
            let isNew = slots[own].isFound && takenUpFor < Self.unsureSecondsToGiveUpFoundPiece
            return isNew || slots[own].confidenceStreak.isSure ? nil : own
        }
        if usedSlotCount < slots.count { return usedSlotCount }
        return (0..<usedSlotCount).last {
            !slots[$0].confidenceStreak.isSure && slots[$0].pieceIndex != nextPieceIndex(after: piece)
        }
    }

    private mutating func updateEvidence(
        _ current: PositionReport, _ beside: [PositionReport?], at now: Double, isQuiet: Bool
    ) {
        quietSince = isQuiet ? quietSince ?? now : nil
        currentPieceStreak.addReport(current, at: now)
        currentPieceStretch.addReport(current, at: now)
        if currentPieceStreak.durationSeconds >= Self.currentPieceSureSeconds {
            unexplainedSoundSeconds = 0
        } else if !isQuiet, let newestLiveSeconds {
            unexplainedSoundSeconds += now - newestLiveSeconds
        }
        newestLiveSeconds = now
        let isLikely =
            (current.state == .following || current.state == .coasting)
            && current.passageConfidence >= Self.unsureBelowConfidence
        let isSilent = quietSeconds(at: now) >= Self.silenceSeconds
        unsureSince = isSilent || isLikely ? nil : unsureSince ?? now
        for slot in 0..<usedSlotCount {
            if isSilent { slots[slot].listeningSince = now }
            if let report = beside[slot] { slots[slot].confidenceStreak.addReport(report, at: now) }
        }
    }

    private mutating func startListening(isOver: Bool, beside piece: Int, keepingSlots: Bool = false) {
        phase = .listeningForOthers(isOver: isOver)
        currentPieceStreak.endStreak()
        guard !keepingSlots else { return }
        usedSlotCount = 0
        nextPieceForSlot = nextPieceIndex(after: piece)
    }

    /// Returns the slot whose piece is certainly being played; nil if there is none.
    private func findSlotBeingPlayed(isOver: Bool, after piece: Int) -> Int? {
        // The current piece stays as long as its own follower is sure.
        guard isOver || !currentPieceStreak.isSure else { return nil }
        var best: Int?
        for slot in 0..<usedSlotCount {
            let isNext = isOver && slots[slot].pieceIndex == nextPieceIndex(after: piece)
            let seconds = slots[slot].confidenceStreak.durationSeconds
            let isProbablyOtherMusic = unexplainedSoundSeconds >= Self.unexplainedSecondsOfOtherMusic
            let wanted =
                slots[slot].isFound
                ? isProbablyOtherMusic ? Self.foundInOtherMusicSureSeconds : Self.foundPieceSureSeconds
                : isNext ? Self.nextPieceSureSeconds : Self.otherPieceSureSeconds
            guard seconds >= (isAfterProgramme ? max(wanted, Self.sureSecondsAfterProgramme) : wanted) else {
                continue
            }
            if best.map({ seconds > slots[$0].confidenceStreak.durationSeconds }) ?? true { best = slot }
        }
        return best
    }

    /// Starts to listen in one more slot, or starts again in a slot that has found nothing.
    private mutating func fillOrRestartSlot(
        _ beside: [PositionReport?], current piece: Int, at now: Double
    ) -> SlotAction {
        if usedSlotCount < slots.count {
            let taken = nextPieceWithoutSlot(beside: piece)
            usedSlotCount += 1
            return startSlot(usedSlotCount - 1, taken, at: now)
        }
        for slot in 0..<usedSlotCount {
            let isAwake = beside[slot].map { $0.state != .waiting } ?? false
            if quietSeconds(at: now) >= Self.silenceSeconds {
                // No music begins in a silent room, so this follower's findings are discarded.
                if isAwake { return startSlot(slot, slots[slot].pieceIndex, at: now) }
                continue
            }
            guard now - slots[slot].listeningSince > Self.unsureSecondsToGiveUpSlot,
                !slots[slot].confidenceStreak.isSure
            else {
                continue
            }
            let isNext = slots[slot].pieceIndex == nextPieceIndex(after: piece)
            if pieceCount - 1 > slots.count && !isNext {
                return startSlot(slot, nextPieceWithoutSlot(beside: piece), at: now)
            }
            slots[slot].listeningSince = now
            // This slot's follower took a noise for the beginning and found no music, so it starts waiting again.
            if isAwake { return startSlot(slot, slots[slot].pieceIndex, at: now) }
        }
        return .stay
    }

    private mutating func startSlot(_ slot: Int, _ piece: Int, at now: Double) -> SlotAction {
        slots[slot] = ListeningSlot(pieceIndex: piece, listeningSince: now)
        return .listenForPiece(slot: slot, piece: piece)
    }

    /// Returns the next piece, in the order of the programme, that has no slot.
    private mutating func nextPieceWithoutSlot(beside piece: Int) -> Int {
        for _ in 0..<pieceCount {
            let taken = nextPieceForSlot
            nextPieceForSlot = nextPieceIndex(after: nextPieceForSlot)
            if taken != piece, !(0..<usedSlotCount).contains(where: { slots[$0].pieceIndex == taken }) {
                return taken
            }
        }
        return nextPieceIndex(after: piece)
    }

    private func nextPieceIndex(after piece: Int) -> Int { piece + 1 < pieceCount ? piece + 1 : 0 }

    private func quietSeconds(at now: Double) -> Double { quietSince.map { now - $0 } ?? 0 }
}

extension AnyPieceDetector {
    /// The confidence below which the current piece is probably not the one being played.
    private static let unsureBelowConfidence = 0.9
    /// The seconds of sound with a confidence below ``unsureBelowConfidence`` after which other pieces are listened
    /// for.
    private static let unsureSecondsToListen = 3.0
    /// The seconds of silence that are more than a rest in the music.
    private static let silenceSeconds = 1.0
    /// The seconds of silence, anywhere in a piece, after which another piece may begin.
    private static let longSilenceSeconds = 4.0
    /// The seconds for which the next piece's follower must be sure, once the current piece is over.
    private static let nextPieceSureSeconds = 2.0
    /// The seconds for which a piece's follower must be sure before that piece becomes the current one. Only for the
    /// next piece, once the current one is over, ``nextPieceSureSeconds`` apply.
    private static let otherPieceSureSeconds = 4.0
    /// The seconds for which the follower of a piece that the search of the programme has found must be sure, before the
    /// piece becomes the current one. Without it for `unsureSecondsToGiveUpFoundPiece`, it may be taken up elsewhere.
    private static let foundPieceSureSeconds = 2.0
    /// The seconds of sound that no piece explains after which the music is probably none of the programme's, and the
    /// seconds for which the follower of a found piece must then be sure. In 84 minutes of other music, a found piece was
    /// sure for two seconds three times, and never for 2.5 s.
    private static let unexplainedSecondsOfOtherMusic = 10.0
    private static let foundInOtherMusicSureSeconds = 3.5
    private static let unsureSecondsToGiveUpFoundPiece = 2.0
    /// The seconds for which any piece's follower must be sure after the programme.
    private static let sureSecondsAfterProgramme = 6.0
    /// The seconds for which the current piece's follower must be sure before the other pieces are dropped, if the
    /// piece is not over.
    private static let currentPieceSureSeconds = 2.5
    /// The seconds of sound after which a piece whose follower is not sure must give up its slot or start again.
    private static let unsureSecondsToGiveUpSlot = 15.0
}
