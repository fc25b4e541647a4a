import Score

/// The place at which the show was when a rehearsal began.
struct PlaceBeforeRehearsal: Hashable, Sendable, Codable {
    /// The index of the piece in ``ShowProgramme/pieces``.
    var piece: Int
    /// The played measure; nil if it was unknown.
    var played: Int?
    /// True while a person has begun another piece since, and none of its music has been heard: the concert then begins
    /// there.
    var isReplaced = false
}

/// Handles the beginning and the end of a rehearsal.
///
/// A rehearsal plays any piece, in any order. Afterwards, since version 8 of the rules, the show is where it was.
extension Podium {
    mutating func setRehearsal(_ isOn: Bool, at now: ShowTime, _ effects: inout [PodiumEffect])
        throws(CommandRefusal)
    {
        guard isOn != state.isRehearsal else { return }
        guard !state.isLocked else { throw .showLocked("rehearsal mode is not changed") }
        if isOn, settings.rules >= 8 { state.placeBeforeRehearsal = placeAfterRehearsal }
        state.isRehearsal = isOn
        state.isLive = false
        state.wasLive = nil
        let staysOver = settings.rules >= 7 && state.hasEnded == true
        if !staysOver { state.hasBeenLive = nil }
        state.doubt = nil
        if settings.rules >= 7 { awaitPauseAfterRehearsal(isOver: !isOn, &effects) }
        forgetFiredCues()
        if !isOn, state.awaitsPause != true { returnFromRehearsal(at: now, &effects) }
    }

    /// The place at which the show goes on after a rehearsal that begins now: its place; the beginning of the next
    /// piece if the present one is over; or the first piece if the concert is. A piece's first measures count as its
    /// beginning, because the follower may have taken a sound before the rehearsal for it.
    private var placeAfterRehearsal: PlaceBeforeRehearsal {
        guard state.hasEnded != true else { return PlaceBeforeRehearsal(piece: 0, played: 0) }
        let isOver =
            state.isPlaceKnown && state.heard?.contains(state.piece) == true && isInLastMeasures
            && state.follower.map(claimsToFollow) != true
        guard isOver else {
            let played = state.position.played <= settings.nearJump ? 0 : state.position.played
            return PlaceBeforeRehearsal(piece: state.piece, played: state.isPlaceKnown ? played : nil)
        }
        return PlaceBeforeRehearsal(piece: (state.piece + 1) % course.pieces.count, played: 0)
    }

    /// After a rehearsal that ends while music sounds, what is heard is the rehearsal's until it pauses.
    private mutating func awaitPauseAfterRehearsal(isOver: Bool, _ effects: inout [PodiumEffect]) {
        let isMusicHeard = isFollowing && state.follower.map(claimsToFollow) == true
        state.awaitsPause = isOver && isMusicHeard ? true : nil
        guard state.awaitsPause == true else { return }
        effects.append(
            .showNotice(
                id: "awaits-pause",
                sentence:
                    "Music sounds, so the audience sees nothing before it pauses; begin a piece, tap or go to a bar "
                    + "to go live now."))
    }

    /// Ends the wait for a pause after a rehearsal. If the music pauses in the middle of the piece at which the show
    /// goes on, its place stays: the rehearsal may have been ended too late, in the concert. At the end of the piece
    /// the rehearsal is over.
    /// - Returns: true if the show has gone back to its place before the rehearsal.
    mutating func endWaitForPause(at now: ShowTime, _ effects: inout [PodiumEffect]) -> Bool {
        guard state.awaitsPause == true else { return false }
        state.awaitsPause = nil
        guard let place = state.placeBeforeRehearsal, place.piece != state.piece || isInLastMeasures else {
            state.placeBeforeRehearsal = nil
            return false
        }
        return returnFromRehearsal(at: now, &effects)
    }

    /// Goes back to the place before the rehearsal, unless a person has the baton or has chosen another place for the
    /// concert. Nothing is live before its music is heard.
    @discardableResult
    private mutating func returnFromRehearsal(at now: ShowTime, _ effects: inout [PodiumEffect]) -> Bool {
        guard let place = state.placeBeforeRehearsal else { return false }
        state.placeBeforeRehearsal = nil
        guard !place.isReplaced, isFollowing || state.isIntermission || isWaitingToBeArmed,
            state.holder == .automaticFollower,
            course.pieces.indices.contains(place.piece)
        else { return false }
        let isIntermission = state.isIntermission
        let played = place.played.map { min($0, course.pieces[place.piece].playedMeasureCount - 1) }
        if place.piece != state.piece || played != state.position.played {
            effects.append(
                .showNotice(
                    id: "rehearsal-over",
                    sentence:
                        "After the rehearsal the show goes on with piece \(place.piece + 1), "
                        + "“\(course.pieces[place.piece].name)”; begin another piece if the concert does."))
        }
        goTo(piece: place.piece, at: played, at: now, &effects)
        state.isIntermission = isIntermission
        state.isLive = false
        state.beginning?.isShown = false
        return true
    }
}
