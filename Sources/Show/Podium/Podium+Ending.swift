import Score

/// The end of the concert: the live position ends some seconds after the music has.
///
/// The last measures must have been reached in the last piece, or in any piece once every other one was played.
/// Music that is followed again, an encore or the concert from its beginning, is live at once.
extension Podium {
    /// When the concert is over, if no music comes; nil while that is not in question.
    var endingDue: ShowTime? {
        guard isQuietAtEnd else { return nil }
        return state.quietAtEndSince?.advanced(byMilliseconds: settings.ending)
    }

    mutating func watchEnding(at now: ShowTime) {
        state.quietAtEndSince = isQuietAtEnd ? state.quietAtEndSince ?? now : nil
        if let endingDue, endingDue <= now {
            state.isLive = false
            state.hasEnded = true
            state.quietAtEndSince = nil
        } else if state.isLive || state.isRehearsal || !isAtEnd {
            state.hasEnded = nil
        }
    }

    /// What the audience sees waits for a person who froze it, made it dark or holds the place.
    private var isQuietAtEnd: Bool {
        guard settings.rules >= 3, state.isLive, isAtEnd, isFollowing, !state.isFollowerSilent else {
            return false
        }
        guard !state.isBlack, !state.isFrozen, state.panic == .none, state.check == nil else { return false }
        return state.follower.map { !claimsToFollow($0) } ?? false
    }

    private var isAtEnd: Bool {
        guard state.isPlaceKnown, state.position.played >= piece.playedCount - Self.lastMeasures else {
            return false
        }
        return state.piece == course.pieces.count - 1
            || Set(state.heard ?? []).union([state.piece]).count == course.pieces.count
    }

    /// Played measures that count as the end: a follower may stop in the last but one.
    private static let lastMeasures = 2
}
