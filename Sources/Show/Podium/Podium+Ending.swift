import Score

/// Ends the live position some seconds after the last music of the concert.
///
/// The concert can end in the last measures of its last piece, or of any piece once all others were played. If music is
/// followed again, as in an encore, which the programme may have at its end, or a second round, it is live at once. A second round begins with the first piece of
/// the programme, and ends as the first one did.
extension Podium {
    /// The time at which the concert counts as over if no more music is heard; nil while it is not about to end.
    var concertEndDue: ShowTime? {
        guard isQuietAtConcertEnd else { return nil }
        let isMoreExpected = mayBeEncore || settings.rules >= 8 && isLastPieceOutOfOrder
        return state.quietAtEndSince?.advanced(
            byMilliseconds: isMoreExpected ? settings.endingAfterFirstPiece : settings.ending)
    }

    mutating func updateConcertEnding(at now: ShowTime) {
        state.quietAtEndSince = isQuietAtConcertEnd ? state.quietAtEndSince ?? now : nil
        if let concertEndDue, concertEndDue <= now {
            if settings.rules >= 6, !mayBeEncore { state.isRoundPlayed = true }
            state.isLive = false
            state.hasEnded = true
            state.quietAtEndSince = nil
        } else if state.isLive || settings.rules < 7 && (state.isRehearsal || !isAtConcertEnd) {
            state.hasEnded = nil
        }
    }

    /// True if the concert may end now because no music is heard. It does not end while a person has frozen or darkened
    /// the screens or holds the position.
    private var isQuietAtConcertEnd: Bool {
        guard settings.rules >= 3, state.isLive, isAtConcertEnd, isFollowing else { return false }
        // A recording that has ended says nothing more. Before, that was taken for a fault of the input.
        guard !state.isFollowerSilent || settings.rules >= 8 && state.follower?.state == .finished else {
            return false
        }
        guard !state.isBlack, !state.isFrozen, state.panic == .none, state.check == nil else { return false }
        return state.follower.map { !claimsToFollow($0) } ?? false
    }

    private var isAtConcertEnd: Bool {
        guard state.isPlaceKnown, isInLastMeasures else { return false }
        return state.piece >= course.announcedCount - 1
            || Set(state.heard ?? []).union([state.piece]).isSuperset(of: 0..<course.announcedCount)
            || mayBeEncore
    }

    var isInLastMeasures: Bool {
        state.position.played >= currentPiece.playedMeasureCount - Self.endMeasureCount
    }

    /// True if the follower has found the last piece of the programme although the one before it was not played: in
    /// another order, other pieces may follow. A person who begins the last piece knows the order.
    private var isLastPieceOutOfOrder: Bool {
        let (last, heard) = (course.announcedCount - 1, Set(state.heard ?? []).union([state.piece]))
        return state.isPieceHeard == true && state.piece == last && last > 0 && !heard.contains(last - 1)
            && heard.count <= last
    }

    /// True if nothing but the first piece was played since the concert was over, and that piece not for the first
    /// time.
    private var mayBeEncore: Bool {
        state.isRepeated == true && state.piece == 0 && course.pieces.count > 1
            && state.heard?.contains { $0 != 0 } != true
    }

    /// Forgets which pieces were heard if the first piece begins again after the whole concert was played.
    mutating func beginRoundIfRepeated() {
        guard settings.rules >= 6, state.piece == 0, !state.isRehearsal else { return }
        let heard = Set(state.heard ?? [])
        guard state.isRoundPlayed == true || heard.count == course.pieces.count else { return }
        state.isRoundPlayed = nil
        state.isRepeated = heard.contains(0) ? true : nil
        state.heard = nil
    }

    /// The number of last measures that count as the end, because a follower may stop in the last but one.
    private static let endMeasureCount = 2
}
