import Following
import Score

/// While the sound cannot decide between copies of a passage, the show does only what is right in all of them.
extension Podium {
    /// True if the follower cannot decide between copies of a passage.
    func isUndecided(_ word: FollowerReport) -> Bool { settings.rules >= 10 && word.isUndecided }

    /// Fires the cues of a measure that the music reaches by play, if each copy of the passage has a cue that does the
    /// same there. The others wait for GO.
    mutating func fireAgreedCues(
        _ word: FollowerReport, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        let before = state.undecidedAt
        guard isUndecided(word), word.piece == state.piece, let here = word.position?.played else {
            state.undecidedAt = nil
            return
        }
        state.undecidedAt = here
        // The measure of a jump is not reached by play.
        guard let before, here == before + 1, !word.jumped, claimsToFollow(word), isFollowing,
            state.doubt != nil,
            automaticCuesMayFire, !isBeginningAwaited
        else { return }
        for cue in currentPiece.cues.cues where cue.played == here && mayFireByItself(cue) {
            if word.candidates.allSatisfy({ hasCue(like: cue, at: $0.played) }) {
                fireCue(cue, CueFiringDetails(isAutomatic: true), at: now, &effects)
            } else {
                effects.append(
                    .showNotice(
                        id: "cue-skipped",
                        sentence:
                            "The cue “\(cue.name)” at \(cue.place) did not fire, for the music may as well be at "
                            + "\(otherPlaces(word)); fire it by hand if it is wanted."))
            }
        }
    }

    private func mayFireByItself(_ cue: Cue) -> Bool {
        cue.isAutomatic && !state.fired.contains(cue.id)
            && (!cue.waitsForPerson || state.isBegunByHand == true)
    }

    /// True if a cue near a measure does the same as this one. Two copies of a passage reach a bar line within less than
    /// a measure of each other, because no performance keeps the tempo of both.
    private func hasCue(like cue: Cue, at played: Int) -> Bool {
        currentPiece.cues.cues.contains {
            (played - 1...played + 1).contains($0.played) && $0.isAutomatic && $0.kind == cue.kind
                && $0.target == cue.target && $0.payload == cue.payload
                && ($0.kind != .note || $0.name == cue.name)
        }
    }

    private func otherPlaces(_ word: FollowerReport) -> String {
        let here = word.position?.played ?? 0
        let others = word.candidates.filter { abs($0.played - here) > 1 }
        return others.map { "bar \($0.printed)" }.joined(separator: " or ")
    }

    /// The place that a person means by one of the copies: as far into its measure as the music is now.
    func presentPlace(inCopyAt played: Int, at now: ShowTime) -> ScorePosition? {
        guard let word = state.follower, isUndecided(word), word.piece == state.piece,
            let said = word.position
        else { return nil }
        let here = extrapolatedPosition(said, pace: word.tempo, from: state.followerAt ?? now, at: now)
        return ScorePosition(played: played, fraction: here.fraction)
    }
}
