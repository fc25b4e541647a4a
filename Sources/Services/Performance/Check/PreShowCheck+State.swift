import Hosting
import Podium

/// The part of the pre-show check that examines the show's switches. It passes only if no switch that somebody may have
/// forgotten keeps the audience or the cues from working.
extension PreShowCheckVerdict {
    /// Checks the show's switches.
    /// - Parameter state: the state of the show after the check has stopped listening.
    package init(onStateOf state: PodiumState) {
        let problems = Self.blockingSwitchSentences(state)
        let warnings = Self.otherSwitchSentences(state)
        guard !problems.isEmpty || !warnings.isEmpty else {
            self.init(.pass, "Nothing is held, frozen, black, locked or stopped.")
            return
        }
        self.init(problems.isEmpty ? .warn : .fail, (problems + warnings).joined(separator: " "))
    }

    /// Finds the switches that keep new content from the audience, or keep cues from firing. Returns a sentence for
    /// each.
    private static func blockingSwitchSentences(_ state: PodiumState) -> [String] {
        var found: [String] = []
        switch state.panic {
        case .none: break
        case .safe:
            found.append("A panic is on: the audience is frozen and no cue fires; end it with Shift+Esc.")
        case .stop:
            found.append(
                "A hard stop is on: the live position has ended and no cue fires; end it with Shift+Esc.")
        }
        if state.isBlack { found.append("The audience's screens are black; end the blackout.") }
        if state.isFrozen { found.append("What the audience sees is frozen; end the freeze.") }
        if state.isPaused { found.append("Everything is paused; resume all.") }
        if state.isHeld { found.append("The position is held; choose Go on.") }
        if state.isRehearsal {
            found.append("It is a rehearsal, so phones get nothing; end the rehearsal in Programme.")
        }
        return found
    }

    /// Finds the switches that may be set on purpose but must not be forgotten. Returns a sentence for each.
    private static func otherSwitchSentences(_ state: PodiumState) -> [String] {
        var found: [String] = []
        if state.holder != .automaticFollower {
            let name = state.holder.name.isEmpty ? "Somebody" : state.holder.name
            found.append("\(name) has the baton, so nothing moves by itself; give it back to the follower.")
        }
        if state.isIntermission {
            found.append("It is the intermission; it ends when the next piece begins.")
        }
        if !state.advancesByItself {
            found.append("The next piece does not begin by itself; turn the advance on, or begin it by hand.")
        }
        if state.isLocked {
            found.append("The show is locked, so programme and cues cannot be changed; L unlocks.")
        }
        return found
    }
}
