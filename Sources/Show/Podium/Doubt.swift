import Following
import Score

/// The proof of a place that the follower came to after it was lost or jumped far: for how long it has been sure.
///
/// Until then the last trusted position stays and no cue fires by itself. Foreign music leads a follower to places
/// of which it is sure for two seconds at most; one that is right is sure within four, and stays so.
public struct Doubt: Hashable, Sendable, Codable {
    /// Since when it has been sure without a break; nil while it is not.
    public internal(set) var sureSince: ShowTime?
    /// Since when it has been rather sure than not.
    public internal(set) var likelySince: ShowTime?
}

/// When a place of the follower's will have proven itself.
public struct PlaceProof: Hashable, Sendable {
    /// If the follower stays as sure as it is; nil while it is not.
    public var end: ShowTime?
}

extension Podium {
    /// Of the place the follower is at; nil where that is believed, and while it names none.
    public var placeProof: PlaceProof? {
        guard state.doubt != nil, let word = state.follower, believes(word) else { return nil }
        return PlaceProof(end: proofEnd)
    }

    /// Takes a word of the follower for or against the place it is at, whoever holds the baton.
    ///
    /// Another piece was listened for, for seconds, before the follower named it, and needs no proof here. In
    /// rehearsals jumps are the rule and no audience looks on.
    mutating func weigh(_ word: FollowerWord, after before: FollowerWord?, at now: ShowTime) {
        guard settings.rules >= 2 else { return }
        guard !state.isRehearsal, state.check == nil, word.piece == state.piece, state.isPlaceKnown else {
            state.doubt = nil
            return
        }
        if word.state == .lost || isFar(word, from: before) || (word.jumped && isUnlikely(word)) {
            state.doubt = Doubt()
            state.isContinuous = false
        }
        guard var doubt = state.doubt else { return }
        let isFollowing = word.state == .following || (word.state == .coasting && !state.hasCoastedOut)
        let isSure = isFollowing && !word.isSilent && word.confidence >= settings.sureConfidence
        let isLikely = isFollowing && !word.isSilent && !isUnlikely(word)
        doubt.sureSince = isSure ? doubt.sureSince ?? now : nil
        doubt.likelySince = isLikely ? doubt.likelySince ?? now : nil
        state.doubt = doubt
    }

    private func isUnlikely(_ word: FollowerWord) -> Bool { word.confidence < settings.likelyConfidence }

    private func isFar(_ word: FollowerWord, from before: FollowerWord?) -> Bool {
        guard word.jumped, let position = word.position else { return false }
        let last =
            before.flatMap { $0.piece == word.piece ? $0.position?.played : nil } ?? state.position.played
        // Near the audience's own place it is no news to anybody.
        return min(abs(position.played - last), abs(position.played - state.position.played))
            > settings.nearJump
    }

    /// When the place will have proven itself, if the follower stays as sure as it is; nil where it is not.
    var proofEnd: ShowTime? {
        guard let doubt = state.doubt else { return nil }
        return [
            doubt.sureSince?.advanced(byMilliseconds: settings.proof),
            doubt.likelySince?.advanced(byMilliseconds: settings.slowProof),
        ].compactMap(\.self).min()
    }

    /// Ends a doubt whose time has come.
    /// - Returns: false while the place is still doubted.
    mutating func isProven(at now: ShowTime) -> Bool {
        guard state.doubt != nil else { return true }
        guard let proofEnd, proofEnd <= now else { return false }
        state.doubt = nil
        return true
    }
}
