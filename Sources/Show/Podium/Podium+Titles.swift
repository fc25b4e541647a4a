import Score
import Titles

/// Moves the titles on with the music, and by the title operator's commands.
extension Podium {
    private var titleList: TitleList {
        guard let skipped = state.skippedTitles?[currentPiece.folder] else { return currentPiece.titles }
        return currentPiece.titles.skipping(skipped)
    }

    mutating func executeTitleCommand(_ command: TitleCommand, at now: ShowTime) throws(CommandRefusal) {
        var runner = state.titles ?? TitleRunner()
        do throws(TitleRefusal) {
            if case .goToPlace(let written) = command {
                let played = try measureOfTitle(at: written)
                try runner.goTo(measure: played, of: titleList, at: now.milliseconds)
            } else {
                if case .skip(let number, let isOn) = command { try skipTitle(number, isOn) }
                try runner.execute(command, of: titleList, at: now.milliseconds)
            }
        } catch {
            throw .title(error)
        }
        state.titles = runner
    }

    private mutating func skipTitle(_ number: Int, _ isOn: Bool) throws(TitleRefusal) {
        guard titleList.titles.indices.contains(number - 1) else {
            throw titleList.isEmpty ? .noTitles : .noTitle(number: number, count: titleList.count)
        }
        let others = titleList.skipped.subtracting([number - 1])
        keepSkipped(isOn ? others.union([number - 1]) : others, of: currentPiece.folder)
    }

    private mutating func keepSkipped(_ indices: Set<Int>, of folder: String) {
        var all = state.skippedTitles ?? [:]
        all[folder] = indices.isEmpty ? nil : indices.sorted()
        state.skippedTitles = all.isEmpty ? nil : all
    }

    private func measureOfTitle(at written: String) throws(TitleRefusal) -> Int {
        guard let place = MeasureReference(written),
            let played = try? place.resolve(in: currentPiece, near: state.position.played)
        else { throw .noTitleAtPlace }
        return played
    }

    /// Lets the titles follow the music, and reports what the screens show now. Called at the end of each event, when
    /// the mode is known.
    mutating func updateTitles(
        before: PodiumState, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        guard state.titles != nil || !titleList.isEmpty else { return }
        if let titlesBeginAt, titlesBeginAt <= now { state.beginning?.hasTitles = true }
        var runner = state.titles ?? TitleRunner()
        let music = titleMusic(at: now)
        runner.follow(music, of: titleList, at: now.milliseconds)
        runner.tick(music, of: titleList, at: now.milliseconds)
        state.titles = runner
        if let next = nextLedTitle, next.due <= now {
            runner.lead(to: next.index, of: titleList, at: now.milliseconds)
            state.titles = runner
        }
        let wasAsked = before.titles?.needsOperator == true
        if runner.needsOperator, !wasAsked {
            effects.append(
                .showNotice(
                    id: "titles-by-hand",
                    sentence: state.mode == .undecided
                        ? "The follower cannot decide between copies of this passage, so no title comes by itself; "
                            + "show the titles by hand."
                        : "The follower is lost, so no title comes by itself; show the titles by hand."))
        }
        if let shownTitle, shownTitle != before.shownTitle {
            effects.append(.titleChanged(shownTitle))
        }
    }

    /// Finds the present title again in an edited list of the current piece.
    mutating func adaptTitles(to changed: ShowPiece) {
        let old = currentPiece.titles
        state.titles?.adapt(from: old, to: changed.titles)
    }

    /// Titles that are left out tonight stay so if another list of their piece has them, in the same order.
    mutating func adaptSkippedTitles(to new: ShowProgramme) {
        for old in course.pieces where state.skippedTitles?[old.folder] != nil {
            if let changed = new.pieces.first(where: { $0.folder == old.folder }) {
                adaptSkippedTitles(from: old, to: changed)
            }
        }
    }

    private mutating func adaptSkippedTitles(from old: ShowPiece, to new: ShowPiece) {
        guard let skipped = state.skippedTitles?[old.folder], old.titles != new.titles else { return }
        var found: Set<Int> = []
        var from = 0
        for index in skipped where old.titles.titles.indices.contains(index) {
            let title = old.titles.titles[index]
            guard
                let place = new.titles.titles.indices.dropFirst(from).first(where: {
                    new.titles.titles[$0].texts == title.texts && new.titles.titles[$0].played == title.played
                })
            else { continue }
            found.insert(place)
            from = place + 1
        }
        keepSkipped(found, of: old.folder)
    }

    /// Edits the titles of one piece, whichever it is. The title on the screens stays.
    /// - Parameter folder: the folder of the piece, which tells that the index still means it.
    mutating func editTitles(
        ofPiece index: Int, in folder: String, by edit: TitleListEdit
    ) throws(CommandRefusal) {
        guard !state.isLocked else { throw .showLocked("nothing is edited") }
        guard course.pieces.indices.contains(index), course.pieces[index].folder == folder, !folder.isEmpty
        else { throw .programmeChangedMeanwhile }
        let piece = course.pieces[index]
        guard let titles = edit.apply(to: piece.titles) else { throw .titlesChangedMeanwhile }
        do throws(TitleFault) {
            let list = try piece.findMeasures(of: titles)
            let changed = try course.replacingTitles(of: index, by: list)
            course = changed
            if index == state.piece { state.titles?.adapt(to: edit, of: list) }
            if let skipped = state.skippedTitles?[folder] {
                let kept = skipped.filter { !edit.removes($0) }.compactMap(edit.newIndex(of:))
                keepSkipped(Set(kept), of: folder)
            }
        } catch {
            throw .invalidTitles(error)
        }
    }

    /// The time at which a title is due that follows another one by itself, or is shown before its measure.
    var nextTitleDue: ShowTime? {
        let follows = state.titles?.due.map { ShowTime(milliseconds: $0) }
        let begins = titleList.isEmpty ? nil : titlesBeginAt
        return [follows, nextLedTitle?.due, begins, newMeasureCertainAt].compactMap(\.self).min()
    }

    /// The time for which a measure must have been played before its title comes. The follower is some hundredths of a
    /// second off: without this wait, one bar line in eight of the concert comes more than 50 ms early, with it one in
    /// two hundred.
    private static let titleWaitMilliseconds = 120.0

    /// The time at which the measure that play has just reached has lasted long enough for its title; nil if the titles
    /// have that measure already, or if it was not reached by play.
    private var newMeasureCertainAt: ShowTime? {
        guard settings.rules >= 11, !titleList.isEmpty, mayTitlesFollow, state.pace > 0, state.isPlaceKnown,
            [.following, .coasting].contains(state.mode), state.titles?.measure == state.position.played - 1
        else { return nil }
        let left = Self.titleWaitMilliseconds + millisecondsUntilMeasure(to: state.position.played)
        return state.positionAt.advanced(byMilliseconds: Int64(max(left, 0).rounded(.up)))
    }

    /// The title on the screens; nil in a show without titles.
    public var shownTitle: ShownTitle? { state.shownTitle }

    /// The title that is shown before its measure, and when, by the prediction of the coming bar lines. As with cues,
    /// nothing after the next bar line is predicted.
    private var nextLedTitle: (index: Int, due: ShowTime)? {
        guard case .playing = titleMusic(at: state.positionAt), state.pace > 0,
            let index = state.titles?.nextLed(in: titleList),
            let played = titleList.titles[index].played
        else { return nil }
        let due = millisecondsUntilMeasure(to: played) - titleList.titles[index].lead * 1_000
        guard due < millisecondsUntilMeasure(to: state.position.played + 1) else { return nil }
        return (index, state.positionAt.advanced(byMilliseconds: Int64(max(due, 0).rounded(.up))))
    }

    private var mayTitlesFollow: Bool {
        automaticCuesMayFire && (!isBeginningAwaited || state.beginning?.hasTitles == true)
    }

    private func titleMusic(at now: ShowTime) -> TitleRunner.Music {
        guard mayTitlesFollow else { return .standing }
        switch state.mode {
        case .following, .coasting:
            guard state.isPlaceKnown else { return .standing }
            let isEarly = newMeasureCertainAt.map { $0 > now } ?? false
            return .playing(measure: state.position.played - (isEarly ? 1 : 0))
        case .manual:
            // After “go to” the music has not reached the place yet.
            guard state.isPlaceKnown, !state.awaitsTap, state.lastTap != nil else { return .standing }
            return .playing(measure: state.position.played)
        case .lost, .undecided: return isBeginningAwaited ? .standing : .lost
        case .waiting, .finished, .held, .resting: return .standing
        }
    }
}

extension PodiumState {
    /// The title on the screens; nil in a show without titles.
    public var shownTitle: ShownTitle? {
        titles.map {
            ShownTitle(
                piece: piece, number: $0.index.map { $0 + 1 }, isHidden: $0.isHidden, blank: $0.blank,
                isByHand: !$0.followsMusic, isFadeEnded: $0.isFadeEnded, isOnPhones: $0.isOnPhones)
        }
    }
}

/// The title on the screens, as an effect and in the log.
public struct ShownTitle: Hashable, Sendable, Codable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    /// The number of the present title, from 1; nil before the first.
    public var number: Int?
    /// True while the present title is not shown.
    public var isHidden: Bool
    public var blank: ScreenBlank
    /// True while a person shows the titles, and none comes by itself.
    public var isByHand: Bool
    /// True if a person has ended the fade to this title.
    public var isFadeEnded: Bool
    /// True or nil, so that logs of shows without titles on phones stay the same.
    private var onPhones: Bool?

    /// True if listeners' phones show the title too.
    public var isOnPhones: Bool { onPhones ?? false }

    public init(
        piece: Int, number: Int?, isHidden: Bool, blank: ScreenBlank, isByHand: Bool, isFadeEnded: Bool,
        isOnPhones: Bool = false
    ) {
        onPhones = isOnPhones ? true : nil
        self.piece = piece
        self.number = number
        self.isHidden = isHidden
        self.blank = blank
        self.isByHand = isByHand
        self.isFadeEnded = isFadeEnded
    }
}
