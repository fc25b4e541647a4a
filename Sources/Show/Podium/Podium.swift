import Floor
import Score

/// Decides who holds the baton, and turns the follower's reports and people's commands into one authoritative position.
///
/// A value without a clock: the same events at the same times give the same effects on any machine. In short:
/// - There is exactly one holder. Taking the baton and giving it back to the follower raise the epoch; the audience
///   sees no difference.
/// - A follower that follows is trusted; one that coasts is trusted for at most ``PodiumSettings/longestCoast``. While
///   it is lost the last trusted position stays and help is requested. A place that it reaches after that, or by a far
///   jump, must first be proven (``PlaceProofProgress``).
/// - The position goes back only by a person's command, or once for each jump that the follower reports.
/// - Cues fire by themselves when the music plays into their measure, once per pass through the piece. A jump, a nudge
///   or a “goto” fires nothing. A pass begins with the piece and, in rehearsals, with each jump back.
/// - Within a measure the position moves on by tempo, but never past the bar line: only a report or a tap moves it
///   past.
public struct Podium: Sendable {
    public internal(set) var course: ShowProgramme
    public let settings: PodiumSettings
    /// The whole state, from which another Podium can continue after a crash.
    public internal(set) var state: PodiumState

    /// Creates a Podium at the beginning of a show.
    /// - Parameters:
    ///   - term: the term in which this server leads.
    ///   - isUnderWay: true if a person has said that the music is under way, so that no beginning is awaited.
    public init(
        course: ShowProgramme, settings: PodiumSettings = PodiumSettings(), term: UInt32 = 1,
        isUnderWay: Bool = false
    ) {
        self.course = course
        self.settings = settings
        state = PodiumState(term: term, standby: course.pieces[0].cues.cues.first?.id)
        awaitBeginning(at: 0)
        if isUnderWay { setUnderWay(byHand: true, at: .zero) }
        state.awaitsArming = settings.arming == .atOnce ? nil : true
        state.armsEachPiece = settings.arming == .eachPiece ? true : nil
    }

    /// Continues from the state of another Podium, or of this one before a crash. The state is adapted to the
    /// programme.
    public init(
        course: ShowProgramme, settings: PodiumSettings = PodiumSettings(), continuing state: PodiumState
    ) {
        self.course = course
        self.settings = settings
        self.state = state
        adaptToProgramme()
    }

    /// Processes an event and returns its effects, in the order in which they must be carried out.
    ///
    /// - Parameter now: the time of the show; never earlier than at the previous event.
    /// - Complexity: O(cues + measures) at worst, far below a millisecond.
    public mutating func process(_ event: PodiumEvent, at now: ShowTime) -> [PodiumEffect] {
        var effects: [PodiumEffect] = []
        let before = state
        switch event {
        case .followerReport(let word): processReport(word, at: now, &effects)
        case .command(let command, let person, let epoch):
            do throws(CommandRefusal) {
                try execute(command, by: person, epoch: epoch, at: now, &effects)
            } catch {
                state = before
                return [.refused(error)]
            }
        case .tick: tick(at: now, &effects)
        case .programmeChanged(let course):
            do throws(CommandRefusal) { try replaceProgramme(with: course, at: now, &effects) } catch {
                state = before
                return [.refused(error)]
            }
        case .titlesEdited(let piece, let folder, let edit):
            do throws(CommandRefusal) { try editTitles(ofPiece: piece, in: folder, by: edit) } catch {
                state = before
                return [.refused(error)]
            }
        case .failoverTermChanged(let term): adoptTerm(term, at: now, &effects)
        case .fault(let fault): recordFault(fault, at: now, &effects)
        case .faultEnded(let id): endFault(id: id, &effects)
        case .restarted: resumeAfterRestart(at: now, &effects)
        case .setPreShowCheck(let isOn):
            do throws(CommandRefusal) { try setPreShowCheck(isOn, at: now, &effects) } catch {
                return [.refused(error)]
            }
        case .floor(let event, let person):
            if let refused = processFloor(event, by: person, at: now, &effects) { return [refused] }
        }
        fireEarlyCues(at: now, &effects)
        if state.standby != before.standby { effects.append(.standbyChanged(state.standby)) }
        reportViewChanges(at: now, &effects)
        updateTitles(before: before, at: now, &effects)
        return effects
    }

    /// The time at which something is due, for which the owner must send a `tick` event; nil while nothing is due.
    public var nextTickDue: ShowTime? {
        [
            nextEarlyCueDue, coastEnd, followerTimeoutDue, followedPlaceProvenAt, concertEndDue, nextTitleDue,
            floorDue, beginningProvenAt,
        ].compactMap(\.self).min()
    }

    private mutating func tick(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        advanceFloor(at: now, &effects)
        advanceBeginning(at: now, &effects)
        if let followedPlaceProvenAt, followedPlaceProvenAt <= now {
            followNewestReport(at: now, because: .newReport, &effects)
        }
        if let coastEnd, coastEnd <= now {
            stopPosition(at: now)
            state.hasCoastedOut = true
            state.isContinuous = false
        }
        if let followerTimeoutDue, followerTimeoutDue <= now {
            stopPosition(at: now)
            state.isFollowerSilent = true
            state.isContinuous = false
            effects.append(
                .showNotice(
                    id: "follower-silent",
                    sentence: "The follower says nothing; check the audio input, or go on by hand."))
        }
    }

    /// The time at which the position must stop because the follower has coasted for too long.
    private var coastEnd: ShowTime? {
        guard isFollowing, !state.hasCoastedOut, let since = state.coastingSince else { return nil }
        return since.advanced(byMilliseconds: settings.longestCoast)
    }

    /// The time at which the follower's place counts as proven, so that the position follows it; nil while the
    /// position waits for no proof.
    private var followedPlaceProvenAt: ShowTime? {
        guard isFollowing, let word = state.follower, claimsToFollow(word), word.piece == state.piece,
            word.position != nil
        else { return nil }
        return placeProvenAt
    }

    private var followerTimeoutDue: ShowTime? {
        guard state.holder == .automaticFollower, !state.isFollowerSilent, let at = state.followerAt else {
            return nil
        }
        return at.advanced(byMilliseconds: settings.longestSilence)
    }
}

extension Podium {
    var currentPiece: ShowPiece { course.pieces[state.piece] }

    /// True if the follower's reports move the position.
    var isFollowing: Bool {
        state.holder == .automaticFollower && !state.isHeld && !state.isPaused && !state.isIntermission
            && !isWaitingToBeArmed
    }

    /// Returns the present position: it moves on by tempo within its measure, and waits before the bar line.
    /// - Complexity: O(1).
    public func position(at now: ShowTime) -> ScorePosition {
        extrapolatedPosition(state.position, pace: state.pace, from: state.positionAt, at: now)
    }

    /// Extrapolates a position of this piece from an earlier time at a given pace, but not beyond its measure.
    func extrapolatedPosition(
        _ position: ScorePosition, pace: Double, from then: ShowTime, at now: ShowTime
    ) -> ScorePosition {
        let measures = currentPiece.measures
        let start = measures.time(of: ScorePosition(played: position.played, fraction: 0)).seconds
        let length = measures.onset(after: position.played).seconds - start
        let gone = now.seconds(since: then) * pace / length
        guard gone > 0 else { return position }
        let fraction = max(position.fraction, min(position.fraction + gone, 0.999))
        return ScorePosition(played: position.played, fraction: roundedToThousandths(fraction, upTo: 1))
    }

    /// Stops the position at the point that it has reached now.
    mutating func stopPosition(at now: ShowTime) {
        state.position = position(at: now)
        state.positionAt = now
        state.pace = 0
        state.speed = nil
    }

    mutating func setPosition(_ position: ScorePosition, pace: Double, at now: ShowTime) {
        state.position = position
        state.positionAt = now
        state.pace = pace
        state.speed = nil
    }
}
