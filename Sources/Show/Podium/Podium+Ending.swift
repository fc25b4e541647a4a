import Score

/// Ends the live position some seconds after the last music of the concert.
///
/// The concert can end in the last measures of its last piece, or of any piece once all others were played. If music is
/// followed again, as in an encore or a second run, it is live at once.
extension Podium {
    /// The time at which the concert counts as over if no more music is heard; nil while it is not about to end.
    var concertEndDue: ShowTime? {
        guard isQuietAtConcertEnd else { return nil }
        return state.quietAtEndSince?.advanced(byMilliseconds: settings.ending)
    }

    mutating func updateConcertEnding(at now: ShowTime) {
        state.quietAtEndSince = isQuietAtConcertEnd ? state.quietAtEndSince ?? now : nil
        if let concertEndDue, concertEndDue <= now {
            state.isLive = false
            state.hasEnded = true
            state.quietAtEndSince = nil
        } else if state.isLive || state.isRehearsal || !isAtConcertEnd {
            state.hasEnded = nil
        }
    }

    /// True if the concert may end now because no music is heard. It does not end while a person has frozen or darkened
    /// the screens or holds the position.
    private var isQuietAtConcertEnd: Bool {
        guard settings.rules >= 3, state.isLive, isAtConcertEnd, isFollowing, !state.isFollowerSilent else {
            return false
        }
        guard !state.isBlack, !state.isFrozen, state.panic == .none, state.check == nil else { return false }
        return state.follower.map { !claimsToFollow($0) } ?? false
    }

    private var isAtConcertEnd: Bool {
        guard state.isPlaceKnown,
            state.position.played >= currentPiece.playedMeasureCount - Self.endMeasureCount
        else {
            return false
        }
        return state.piece == course.pieces.count - 1
            || Set(state.heard ?? []).union([state.piece]).count == course.pieces.count
    }

    /// The number of last measures that count as the end, because a follower may stop in the last but one.
    private static let endMeasureCount = 2
}
