import Concert
import Score
import Titles

/// Carries out the commands of people.
extension Podium {
    mutating func execute(
        _ command: PodiumCommand, by person: CommandSender, epoch: BatonEpoch?, at now: ShowTime,
        _ effects: inout [PodiumEffect]
    ) throws(CommandRefusal) {
        try checkPermission(command, by: person, epoch: epoch)
        if command.needsPiece, course.isEmpty { throw .noPieceInProgramme }
        try noteDeskStep(command, by: person, at: now)
        if !command.keepsPreShowCheckOn { endPreShowCheck(at: now, &effects) }
        switch command {
        case .takeBaton: try takeBaton(person, at: now, &effects)
        case .releaseBaton: try releaseBaton(by: person, at: now, &effects)
        case .holdPosition: try holdPosition(at: now)
        case .endHold:
            guard state.isHeld else { return }
            state.isHeld = false
            followAgain(at: now, &effects)
        case .tapMeasureBeginning: try processTap(by: person, at: now, &effects)
        case .nudgePosition(let measures): try nudgePosition(measures, by: person, at: now, &effects)
        case .goTo(let place):
            let played = try resolvePlace(place)
            try putPosition(at: played, by: person, at: now, &effects)
        case .beginMeasureNow(let place):
            let played: Int? = if let place { try resolvePlace(place) } else { nil }
            try beginMeasureNow(at: played, by: person, at: now, &effects)
        case .chooseCandidate(let choice): try chooseCandidate(choice, by: person, at: now, &effects)
        case .setArmed(let isOn): try setArmed(isOn, by: person, at: now, &effects)
        case .beginMusic: try beginMusic(by: person, at: now, &effects)
        case .setArmEachPiece(let isOn): state.armsEachPiece = isOn ? true : nil
        case .fireStandbyCue: try fireStandbyCue(by: person, at: now, &effects)
        case .fireCue(let words): try fireCue(named: words, by: person, at: now, &effects)
        case .chooseStandbyCue(let choice):
            try chooseStandbyCue(choice)
        case .rearmCues(let place):
            let played: Int? = if let place { try resolvePlace(place) } else { nil }
            rearmCues(from: played)
        case .panic: escalatePanic(by: person, at: now, &effects)
        case .endPanic:
            guard state.panic != .none else { return }
            (state.panic, state.panicSenders) = (.none, nil)
            effects.append(.panicStep(.over))
        case .setShowLock(let isOn): state.isLocked = isOn
        case .setBlackout(let isOn): state.isBlack = isOn
        case .setAudienceFreeze(let isOn): state.isFrozen = isOn
        case .pauseAll:
            guard !state.isPaused else { return }
            stopPosition(at: now)
            state.isPaused = true
        case .resumeAll:
            guard state.isPaused else { return }
            state.isPaused = false
            followAgain(at: now, &effects)
        case .beginPiece(let index, let start): try beginPiece(index, start, at: now, &effects)
        case .nextPiece: try goToNextPiece(at: now, &effects)
        case .setIntermission(let isOn): setIntermission(isOn, at: now, &effects)
        case .setAutoAdvance(let isOn):
            state.advancesByItself = isOn
            if isOn { followNewestReport(at: now, because: .newReport, &effects) }
        case .setRehearsal(let isOn): try setRehearsal(isOn, at: now, &effects)
        case .sendMessage(let message):
            guard message != state.message else { return }
            state.message = message
            state.messageAt = now
            effects.append(.showMessage(message))
        case .withdrawMessage:
            guard state.message != nil else { return }
            state.message = nil
            state.messageAt = nil
            effects.append(.withdrawMessage)
        case .title(let command): try executeTitleCommand(command, at: now)
        case .logNote: break
        }
    }

    /// Checks the person's rights and the command's epoch. A command with an old epoch is refused if it moves the baton
    /// or the position, unless it comes from the holder, so that two quick presses by one hand both count. Panic is
    /// always obeyed.
    private func checkPermission(_ command: PodiumCommand, by person: CommandSender, epoch: BatonEpoch?)
        throws(CommandRefusal)
    {
        if !person.role.hasTechnicianRights {
            guard command.isAllowedForStands else { throw .notAllowed(person, command) }
            guard !state.isLocked else { throw .showLocked("only the technician moves the baton") }
            guard state.holder.rank <= BatonHolder(person).rank else { throw .batonHeld(by: state.holder) }
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
            return try place.resolve(in: currentPiece, near: state.position.played)
        } catch {
            throw .placeNotFound(error)
        }
    }

    func resolvePlace(_ place: MeasureReference, in piece: ShowPiece) throws(CommandRefusal) -> Int {
        do throws(MeasureReferenceFault) { return try place.resolve(in: piece) } catch {
            throw .placeNotFound(error)
        }
    }
}

extension PodiumCommand {
    /// True if the command changes the holder of the baton or the position.
    var changesHolderOrPosition: Bool {
        switch self {
        case .takeBaton, .releaseBaton, .holdPosition, .endHold, .tapMeasureBeginning, .nudgePosition, .goTo,
            .beginMeasureNow, .chooseCandidate, .setArmed, .beginMusic,
            .beginPiece, .nextPiece:
            true
        default: false
        }
    }

    /// True if the command says where the music is, which needs a piece.
    fileprivate var needsPiece: Bool {
        switch self {
        case .tapMeasureBeginning, .nudgePosition, .goTo, .beginMeasureNow, .beginPiece, .setArmed,
            .beginMusic:
            true
        default: false
        }
    }

    /// True if a conductor's stand and a presenter's seat may give the command.
    var isAllowedForStands: Bool {
        switch self {
        case .takeBaton, .releaseBaton, .holdPosition, .endHold, .tapMeasureBeginning, .nudgePosition, .goTo,
            .beginMeasureNow, .logNote:
            true
        default: false
        }
    }
}
