import Concert
import Score

/// Carries out the commands of people.
extension Podium {
    mutating func execute(
        _ command: PodiumCommand, by person: CommandSender, epoch: Epoch?, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        try checkPermission(command, by: person, epoch: epoch)
        if !command.keepsPreShowCheckOn { endPreShowCheck(at: now, &effects) }
        switch command {
        case .takeBaton: try takeBaton(person, at: now, &effects)
        case .release: try release(by: person, at: now, &effects)
        case .hold: try hold(at: now)
        case .resume:
            guard state.isHeld else { return }
            state.isHeld = false
            followNewestReport(at: now, because: .release, &effects)
        case .tap: try tap(by: person, at: now, &effects)
        case .nudge(let measures): try nudge(measures, by: person, at: now, &effects)
        case .goTo(let place):
            let played = try resolvePlace(place)
            try putPosition(at: played, by: person, at: now, &effects)
        case .barIsNow(let place):
            let played: Int? = if let place { try resolvePlace(place) } else { nil }
            try setCurrentBar(at: played, by: person, at: now, &effects)
        case .chooseCandidate(let choice): try chooseCandidate(choice, by: person, at: now, &effects)
        case .go: try fireStandbyCue(by: person, at: now, &effects)
        case .standby(let choice):
            try chooseStandby(choice)
        case .rearmCues(let place):
            let played: Int? = if let place { try resolvePlace(place) } else { nil }
            rearmCues(from: played)
        case .panic: panic(at: now, &effects)
        case .panicOver:
            guard state.panic != .none else { return }
            state.panic = .none
            effects.append(.panic(.over))
        case .lock(let isOn): state.isLocked = isOn
        case .blackout(let isOn): state.isBlack = isOn
        case .freeze(let isOn): state.isFrozen = isOn
        case .pauseAll:
            guard !state.isPaused else { return }
            stopPosition(at: now)
            state.isPaused = true
        case .resumeAll:
            guard state.isPaused else { return }
            state.isPaused = false
            followNewestReport(at: now, because: .release, &effects)
        case .beginPiece(let index, let start): try beginPiece(index, start, at: now, &effects)
        case .nextPiece: try nextPiece(at: now, &effects)
        case .intermission(let isOn): intermission(isOn, at: now, &effects)
        case .autoAdvance(let isOn):
            state.advancesByItself = isOn
            if isOn { followNewestReport(at: now, because: .newReport, &effects) }
        case .rehearsal(let isOn): try setRehearsal(isOn)
        case .message(let message):
            guard message != state.message else { return }
            state.message = message
            state.messageAt = now
            effects.append(.announce(message))
        case .withdrawMessage:
            guard state.message != nil else { return }
            state.message = nil
            state.messageAt = nil
            effects.append(.withdrawMessage)
        case .note: break
        }
    }

    /// Checks the person's rights and the command's epoch. A command with an old epoch is refused if it moves the baton
    /// or the position, unless it comes from the holder, so that two quick presses by one hand both count. Panic is
    /// always obeyed.
    private func checkPermission(_ command: PodiumCommand, by person: CommandSender, epoch: Epoch?)
        throws(CommandRefusal)
    {
        if !person.role.hasTechnicianRights {
            guard command.isAllowedForStands else { throw .notAllowed(person, command) }
            guard !state.isLocked else { throw .locked("only the technician moves the baton") }
            guard state.holder.rank <= BatonHolder(person).rank else { throw .held(by: state.holder) }
        }
        guard let epoch, command != .panic else { return }
        guard epoch.term == state.epoch.term, epoch <= state.epoch else {
            throw .oldEpoch(epoch, now: state.epoch)
        }
        if command.changesHolderOrPosition, epoch < state.epoch, state.holder != BatonHolder(person) {
            throw .oldEpoch(epoch, now: state.epoch)
        }
    }

    private func resolvePlace(_ place: MeasureReference) throws(CommandRefusal) -> Int {
        do throws(MeasureReferenceFault) {
            return try place.resolve(in: piece, near: state.position.played)
        } catch {
            throw .noPlace(error)
        }
    }

    func resolvePlace(_ place: MeasureReference, in piece: ShowPiece) throws(CommandRefusal) -> Int {
        do throws(MeasureReferenceFault) { return try place.resolve(in: piece) } catch {
            throw .noPlace(error)
        }
    }

    private mutating func panic(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        let isAgain = state.panic == .safe && now.milliseconds(since: state.panicAt) <= settings.panicWindow
        if state.panic == .stop || isAgain {
            guard state.panic != .stop else { return }
            state.panic = .stop
            effects.append(.panic(.stop))
        } else {
            state.panic = .safe
            effects.append(.panic(.safe))
        }
        state.panicAt = now
    }
}

extension PodiumCommand {
    /// True if the command changes the holder of the baton or the position.
    var changesHolderOrPosition: Bool {
        switch self {
        case .takeBaton, .release, .hold, .resume, .tap, .nudge, .goTo, .barIsNow, .chooseCandidate,
            .beginPiece, .nextPiece:
            true
        default: false
        }
    }

    /// True if a conductor's stand and a presenter's seat may give the command.
    var isAllowedForStands: Bool {
        switch self {
        case .takeBaton, .release, .hold, .resume, .tap, .nudge, .goTo, .barIsNow, .note: true
        default: false
        }
    }
}
