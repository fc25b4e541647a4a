import Score

/// The state of the show before a pre-show check, which is restored after it.
public struct StateBeforePreShowCheck: Hashable, Sendable, Codable {
    var piece: Int
    /// The index of the played measure; nil if the position was unknown.
    var played: Int?
    var isLive: Bool
    var isIntermission: Bool
    /// The value of ``PodiumState/wasLive`` before the check.
    var wasLive: Bool?
    /// The value of ``PodiumState/beginning`` before the check.
    var beginning: AwaitedBeginning?
    var fired: [Cue.ID]
    var standby: Cue.ID?
    var isStandbyOff: Bool
}

/// The pre-show check of the follower: the follower may find any place of the piece, the audience sees nothing of it,
/// and no cue fires by itself.
///
/// The check ends on request; with the first command about the music or its cues; with an edit; with a restart; and
/// with another server's term. So it cannot be left on by mistake.
extension Podium {
    mutating func setPreShowCheck(
        _ isOn: Bool, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        guard isOn else { return endPreShowCheck(at: now, &effects) }
        guard state.check == nil else { return }
        guard !state.isLocked else { throw .showLocked("the follower is not told to listen") }
        guard state.mode == .waiting || state.mode == .finished else { throw .cannotCheckWhileFollowing }
        state.check = StateBeforePreShowCheck(
            piece: state.piece, played: state.isPlaceKnown ? state.position.played : nil,
            isLive: state.isLive, isIntermission: state.isIntermission, wasLive: state.wasLive,
            beginning: state.beginning, fired: state.fired, standby: state.standby,
            isStandbyOff: state.isStandbyOff)
        goTo(piece: state.piece, at: nil, at: now, &effects)
    }

    /// Restores the state from before the check; does nothing if no check is on.
    mutating func endPreShowCheck(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard let pause = state.check else { return }
        state.check = nil
        let played = pause.played.map { min(max($0, 0), course.pieces[pause.piece].playedMeasureCount - 1) }
        goTo(piece: pause.piece, at: played, at: now, &effects)
        state.isLive = pause.isLive
        state.isIntermission = pause.isIntermission
        state.wasLive = pause.wasLive
        state.beginning = pause.beginning
        state.fired = pause.fired
        state.standby = pause.standby
        state.isStandbyOff = pause.isStandbyOff
    }
}

extension PodiumCommand {
    /// True if the command leaves a running pre-show check on, because it concerns neither the position nor a cue.
    var keepsPreShowCheckOn: Bool {
        switch self {
        case .panic, .endPanic, .setShowLock, .setBlackout, .setAudienceFreeze, .sendMessage,
            .withdrawMessage, .logNote, .title:
            true
        default: false
        }
    }
}
