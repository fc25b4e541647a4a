/// Decides which title of a piece is shown: by the music, by a person, or by a title that follows the one before.
///
/// A value without a clock, which is part of the show's state. In short:
/// - While titles follow the music, the title of the measure being played is shown, never before its measure unless it
///   has a lead. While the music is lost nothing changes and a person is asked.
/// - Next, previous and “go to” take the titles into a person's hand, until they are told to follow the music again.
/// - A step within ``guardMilliseconds`` after a title that came by itself was meant for that title, and is refused.
public struct TitleRunner: Hashable, Sendable {
    /// Milliseconds after a title that came by itself during which a step counts as meant for it.
    public static let guardMilliseconds: Int64 = 250

    /// The index of the present title in the piece's list; nil before the first.
    public private(set) var index: Int?
    /// True while the present title is not shown.
    public private(set) var isHidden = false
    public private(set) var blank = ScreenBlank.none
    /// True while titles follow the music.
    public private(set) var followsMusic = true
    /// True while the music is lost and titles that would follow it wait for a person.
    public private(set) var needsOperator = false
    /// True if the fade to the present title was ended by a person.
    public private(set) var isFadeEnded = false

    /// The time at which the present title came by itself, in milliseconds of the show; nil if a person chose it.
    private var cameByItselfAt: Int64?
    /// The time at which the next title follows by itself, in milliseconds of the show.
    private var doubleCutDue: Int64?
    /// The measure being played, for which the title was last chosen; nil while none is known.
    public private(set) var measure: Int?
    /// The index of a title that was shown before its measure, until that measure is reached.
    private var led: Int?
    /// True or nil, so that the state of shows without titles on phones is written as before there were any.
    private var onPhones: Bool?

    public init() {}

    /// True while listeners' phones show the titles too. It stays for all pieces of a show.
    public var isOnPhones: Bool { onPhones ?? false }

    /// The state of the music, as far as it is known.
    public enum Music: Hashable, Sendable {
        /// The music plays in this measure, an index into the played measures.
        case playing(measure: Int)
        /// No music is followed, or the show has stopped its automatic outputs. Nobody is asked.
        case standing
        /// The music plays, but nobody knows where.
        case lost
    }

    /// Carries out a command. ``TitleCommand/skip(number:_:)`` changes nothing here; ``TitleCommand/goToPlace(_:)`` must have been resolved to a measure by the caller:
    /// see ``goTo(measure:of:at:)``.
    /// - Parameter now: milliseconds of the show.
    public mutating func execute(_ command: TitleCommand, of list: TitleList, at now: Int64)
        throws(TitleRefusal)
    {
        switch command {
        case .next: try step(to: nextIndex(in: list), of: list, refusal: .noFurtherTitle, at: now)
        case .previous:
            try step(
                to: index.flatMap { list.unskipped(before: $0) }, of: list, refusal: .noTitleBefore, at: now)
        case .goTo(let number):
            guard !list.isEmpty else { throw .noTitles }
            guard list.titles.indices.contains(number - 1) else {
                throw .noTitle(number: number, count: list.count)
            }
            choose(number - 1, of: list, at: now)
            isHidden = false
        case .goToPlace: throw .noTitleAtPlace
        // What is left out belongs to the show, which gives the list without it.
        case .skip: break
        case .hide: isHidden = true
        case .reveal: isHidden = false
        case .blank(let colour): blank = colour
        case .followMusic:
            guard !followsMusic else { return }
            followsMusic = true
            led = nil
            if let measure { showTitle(ofMeasure: measure, of: list, at: now) }
        case .byHand: takeIntoHand()
        case .endFade: isFadeEnded = true
        case .onPhones(let isOn): onPhones = isOn ? true : nil
        }
    }

    /// Shows the title that belongs to a measure, by a person's command.
    public mutating func goTo(measure: Int, of list: TitleList, at now: Int64) throws(TitleRefusal) {
        guard !list.isEmpty else { throw .noTitles }
        guard let found = list.index(atMeasure: measure) else { throw .noTitleAtPlace }
        choose(found, of: list, at: now)
        isHidden = false
    }

    /// Takes in what is known of the music, and shows the title of its measure if titles follow the music.
    public mutating func follow(_ music: Music, of list: TitleList, at now: Int64) {
        needsOperator = music == .lost && followsMusic && hasTitlesToCome(in: list)
        guard case .playing(let played) = music else {
            // The place at which the music continues is unknown, so no title was shown before its measure.
            if music == .lost { (measure, led) = (nil, nil) }
            return
        }
        guard played != measure else { return }
        let goesOn = measure.map { played >= $0 } ?? true
        measure = played
        guard followsMusic else { return }
        if let led, goesOn, let begins = list.titles[led].played, played < begins { return }
        led = nil
        showTitle(ofMeasure: played, of: list, at: now)
    }

    /// Shows a title shortly before its measure, as its lead wants it.
    public mutating func lead(to index: Int, of list: TitleList, at now: Int64) {
        guard followsMusic, index != self.index else { return }
        show(index, of: list, byItselfAt: now, now: now)
        led = index
    }

    /// The index of the title that may be shown before its measure: the next one after the measure being played, if
    /// it has a lead. Nil if there is none.
    public func nextLed(in list: TitleList) -> Int? {
        guard followsMusic, let measure, let next = list.index(afterMeasure: measure),
            list.titles[next].lead > 0, led != next, index != next
        else { return nil }
        return next
    }

    /// The time at which the next title follows by itself, in milliseconds of the show; nil if none does.
    public var due: Int64? { doubleCutDue }

    /// Shows the title that follows by itself, if its time has come. Titles that follow the music come only while it
    /// plays.
    public mutating func tick(_ music: Music, of list: TitleList, at now: Int64) {
        guard let due = doubleCutDue, due <= now else { return }
        doubleCutDue = nil
        if followsMusic {
            guard case .playing = music else { return }
        }
        guard let index, list.titles.indices.contains(index + 1), !list.skipped.contains(index + 1) else {
            return
        }
        show(index + 1, of: list, byItselfAt: now, now: now)
    }

    /// Begins a piece, or the same one again: no title is shown, and titles follow the music.
    public mutating func beginPiece() {
        index = nil
        isHidden = false
        followsMusic = true
        needsOperator = false
        (cameByItselfAt, doubleCutDue, measure, led) = (nil, nil, nil, nil)
    }

    /// Takes the title away that came for music which has not begun after all.
    public mutating func forgetMusic() {
        measure = nil
        guard followsMusic else { return }
        (index, cameByItselfAt, doubleCutDue, led) = (nil, nil, nil, nil)
    }

    /// Adapts to a changed list of the same piece: the present title stays, wherever it is now.
    public mutating func adapt(from old: TitleList, to new: TitleList) {
        guard old != new else { return }
        led = nil
        guard let index else { return }
        let present = old.titles.indices.contains(index) ? old.titles[index] : nil
        let same = new.titles.indices.filter { new.titles[$0].texts == present?.texts }
        self.index =
            same.min { abs($0 - index) < abs($1 - index) } ?? (new.isEmpty ? nil : min(index, new.count - 1))
        doubleCutDue = nil
    }

    /// Adapts to an edit of the piece's list: the present title stays, wherever it is now and whatever it says.
    /// - Parameter list: the edited list.
    public mutating func adapt(to edit: TitleListEdit, of list: TitleList) {
        led = led.flatMap(edit.newIndex(of:))
        let isSame = index.map { $0 < edit.index || $0 >= edit.index + edit.removedCount } ?? true
        index = index.flatMap(edit.newIndex(of:)).flatMap { list.titles.indices.contains($0) ? $0 : nil }
        if !isSame { doubleCutDue = nil }
    }

    private mutating func step(
        to target: Int?, of list: TitleList, refusal: TitleRefusal, at now: Int64
    ) throws(TitleRefusal) {
        guard !list.isEmpty else { throw .noTitles }
        if let came = cameByItselfAt, let index, (0..<Self.guardMilliseconds).contains(now - came) {
            throw .justShown(number: index + 1, milliseconds: now - came)
        }
        guard let target, list.titles.indices.contains(target) else { throw refusal }
        choose(target, of: list, at: now)
    }

    /// The index of the title after the present one. Before the first one it is that of the music's measure.
    private func nextIndex(in list: TitleList) -> Int? {
        guard let index else {
            return measure.flatMap { list.index(afterMeasure: $0 - 1) } ?? list.unskipped(from: 0)
        }
        return list.unskipped(from: index + 1)
    }

    private mutating func choose(_ index: Int, of list: TitleList, at now: Int64) {
        takeIntoHand()
        show(index, of: list, byItselfAt: nil, now: now)
    }

    private mutating func takeIntoHand() {
        followsMusic = false
        needsOperator = false
        (led, doubleCutDue) = (nil, nil)
    }

    private mutating func show(_ index: Int, of list: TitleList, byItselfAt came: Int64?, now: Int64) {
        self.index = index
        cameByItselfAt = came
        isFadeEnded = false
        doubleCutDue = list.titles[index].doubleCut.map { now + Int64(($0 * 1_000).rounded()) }
    }

    /// Shows the title of a measure unless it is shown already, or one after it that has no measure of its own.
    private mutating func showTitle(ofMeasure played: Int, of list: TitleList, at now: Int64) {
        let anchor = index.flatMap { list.anchor(of: $0) }
        let wanted = list.index(atMeasure: played)
        guard wanted != anchor else { return }
        if let wanted {
            show(wanted, of: list, byItselfAt: now, now: now)
        } else {
            // The music went back to before the first title.
            (index, doubleCutDue, cameByItselfAt) = (nil, nil, nil)
        }
    }

    private func hasTitlesToCome(in list: TitleList) -> Bool {
        doubleCutDue != nil
            || list.titles.indices.dropFirst((index ?? -1) + 1).contains {
                list.titles[$0].played != nil && !list.skipped.contains($0)
            }
    }
}

extension TitleRunner: Codable {
    private enum CodingKeys: CodingKey {
        case index, isHidden, blank, followsMusic, needsOperator, isFadeEnded, cameByItselfAt, doubleCutDue
        case measure, led, onPhones
    }
}
