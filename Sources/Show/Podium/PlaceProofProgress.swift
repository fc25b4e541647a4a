import Following
import Score

/// Records for how long the follower has been sure of its place after it was lost or has jumped far.
///
/// Until the place is proven, the last trusted position stays and no cue fires by itself. Other music can make a
/// follower sure of a wrong place, but for two seconds at most. At the right place the follower is sure within four
/// seconds, and stays sure.
public struct PlaceProofProgress: Hashable, Sendable, Codable {
    /// The time since which the follower's confidence has been at least ``PodiumSettings/sureConfidence``; nil while it
    /// is lower.
    public internal(set) var sureSince: ShowTime?
    /// The time since which the follower's confidence has been at least ``PodiumSettings/likelyConfidence``; nil while
    /// it is lower.
    public internal(set) var likelySince: ShowTime?
}

/// The time at which the follower's place will count as proven.
public struct ExpectedPlaceProof: Hashable, Sendable {
    /// The time of the proof if the follower's confidence stays as it is; nil while the confidence is too low.
    public var provenAt: ShowTime?
}

extension Podium {
    /// The expected proof of the follower's present place; nil if that place is trusted already, or if the follower has
    /// none.
    public var expectedPlaceProof: ExpectedPlaceProof? {
        guard state.doubt != nil, let word = state.follower, claimsToFollow(word) else { return nil }
        return ExpectedPlaceProof(provenAt: placeProvenAt)
    }

    /// Takes a report of the follower as evidence for or against its place, whoever holds the baton.
    ///
    /// A change to another piece needs no proof here, because the follower listened to the new piece for seconds
    /// before. In rehearsals jumps are normal and no audience watches.
    mutating func updatePlaceDoubt(_ word: FollowerReport, after before: FollowerReport?, at now: ShowTime) {
        guard settings.rules >= 2 else { return }
        guard !state.isRehearsal, state.check == nil, word.piece == state.piece, state.isPlaceKnown,
            !isBeginningAwaited
        else {
            state.doubt = nil
            return
        }
        if word.state == .lost || isFarJump(word, from: before)
            || (word.jumped && isBelowLikelyConfidence(word)) || (isUndecided(word) && state.doubt == nil)
        {
            state.doubt = PlaceProofProgress()
            state.isContinuous = false
        }
        guard var doubt = state.doubt else { return }
        let isFollowing = word.state == .following || (word.state == .coasting && !state.hasCoastedOut)
        let isSure = isFollowing && !word.isRoomSilent && confidence(in: word) >= settings.sureConfidence
        let isLikely = isFollowing && !word.isRoomSilent && !isBelowLikelyConfidence(word)
        doubt.sureSince = isSure ? doubt.sureSince ?? now : nil
        doubt.likelySince = isLikely ? doubt.likelySince ?? now : nil
        state.doubt = doubt
    }

    private func isBelowLikelyConfidence(_ word: FollowerReport) -> Bool {
        confidence(in: word) < settings.likelyConfidence
    }

    /// The confidence by which a place is proven: while the follower cannot decide between copies of a passage, that in
    /// the passage. Once it can, the place then needs no further proof.
    private func confidence(in word: FollowerReport) -> Double {
        isUndecided(word) ? word.confidenceInPassage : word.confidence
    }

    private func isFarJump(_ word: FollowerReport, from before: FollowerReport?) -> Bool {
        guard word.jumped, let position = word.position else { return false }
        let last =
            before.flatMap { $0.piece == word.piece ? $0.position?.played : nil } ?? state.position.played
        // A jump to near the position that the audience sees is no reason for doubt.
        return min(abs(position.played - last), abs(position.played - state.position.played))
            > settings.nearJump
    }

    /// The time at which the place will count as proven, if the follower's confidence stays as it is; nil while the
    /// confidence is too low.
    var placeProvenAt: ShowTime? {
        guard let doubt = state.doubt, state.undecidedAt == nil else { return nil }
        return [
            doubt.sureSince?.advanced(byMilliseconds: settings.proof),
            doubt.likelySince?.advanced(byMilliseconds: settings.slowProof),
        ].compactMap(\.self).min()
    }

    /// Ends the doubt once the place is proven.
    /// - Returns: false while the place is still doubted.
    mutating func endDoubtIfProven(at now: ShowTime) -> Bool {
        guard state.doubt != nil else { return true }
        guard let placeProvenAt, placeProvenAt <= now else { return false }
        state.doubt = nil
        return true
    }
}
