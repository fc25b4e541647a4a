import Alignment
import Basics
import Features
import Score

/// Follows a whole programme and goes on from piece to piece without an operator.
///
/// The followers of all pieces are made in advance, so that going on neither allocates nor loads. One follower works at
/// a time, two around the end of a piece. If any piece may come next (``AnyPieceDetector``), as always after the last
/// one, up to nine work between pieces and while the current piece is not recognised. Belongs to one thread (the real-time following thread); after
/// `init` no allocation, no lock. The reports do not depend on how the samples are cut into blocks.
///
/// Memory: each model's frames once, and about a third more for the searches: some 5 MB per minute of music with
/// three rooms.
public final class ConcertFollower {
    public let programme: ConcertProgramme
    public let sampleRate: SampleRate
    let pieceFollowers: [PieceFollower]
    var currentPieceIndex = 0
    var neighbourPieceIndex: Int?
    var currentReport: PositionReport?
    var neighbourPieceReport: PositionReport?
    var lastShownReport: PositionReport?
    var nextPieceDetector = NextPieceDetector()
    /// Finds the next piece among all pieces, while ``isAnyPieceAwaited``.
    private var anyPieceDetector: AnyPieceDetector
    /// True while any piece may come next: always if the rule says so, otherwise after the last piece of the programme,
    /// when the concert may begin again or have an encore.
    var isAnyPieceAwaited: Bool
    /// Finds pieces and places within them, while ``isAnyPieceAwaited``; nil if there is one piece.
    private let programmeListener: ProgrammeListener?
    /// For each slot of the search, the index of the piece that it listens for.
    private var candidatePieceBySlot: [Int]
    private var candidateSlotsInUse = 0
    private var candidateReportBySlot: [PositionReport?]
    /// For each piece, the position at which it was left before its end; nil if it was not left.
    var positionWherePieceWasLeft: [ScorePosition?]
    var finishedPieceKeeper = FinishedPieceKeeper()
    var silenceDetector: SilenceDetector
    let hopSamples: HopSamples
    var silentHopCount = 0
    let framesPerSecond: Int
    /// Which pieces may come after the current one in the concert itself.
    let concertAdvanceRule: PieceAdvanceRule
    /// True during a rehearsal, in which any piece may come next.
    var isRehearsal = false
    var heardSampleCount = 0
    var completedHopCount = 0
    /// The follower of the programme before its change, whose performance this one continues; nil if there is none.
    var predecessor: Predecessor?

    /// Creates the followers of all pieces of a programme.
    /// - Parameters:
    ///   - sampleRate: the sample rate of the live audio.
    ///   - start: the piece and the position at which the music will begin.
    ///   - advance: which pieces may come after the current one.
    ///   - method: the alignment method that finds the position in each piece.
    public convenience init(
        programme: ConcertProgramme, sampleRate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ProgrammePosition = .beginning, advance: PieceAdvanceRule = .next,
        method: FollowingMethod = .forwardFilter, features: FeatureParameters = FeatureParameters()
    ) {
        let followers = programme.pieceModels.map {
            PieceFollower(
                referenceModel: $0, rate: sampleRate, transforms: transforms, features: features,
                alignmentMethod: method.makeAlignment(on: $0))
        }
        self.init(
            programme: programme, pieceFollowers: followers, sampleRate: sampleRate, transforms: transforms,
            advance: advance, features: features, predecessor: nil)
        begin(at: start)
    }

    init(
        programme: ConcertProgramme, pieceFollowers: [PieceFollower], sampleRate: SampleRate,
        transforms: any SpectrumTransformMaker, advance: PieceAdvanceRule, features: FeatureParameters,
        predecessor: Predecessor?
    ) {
        self.programme = programme
        self.pieceFollowers = pieceFollowers
        self.sampleRate = sampleRate
        self.concertAdvanceRule = advance
        self.predecessor = predecessor
        let search = AnyPieceDetector(pieceCount: programme.pieceModels.count)
        self.anyPieceDetector = search
        self.isAnyPieceAwaited = advance == .any
        candidatePieceBySlot = Array(repeating: 0, count: search.listeningSlotCount)
        candidateReportBySlot = Array(repeating: nil, count: search.listeningSlotCount)
        positionWherePieceWasLeft = Array(repeating: nil, count: programme.pieceModels.count)
        framesPerSecond = features.framesPerSecond
        silenceDetector = SilenceDetector(framesPerSecond: features.framesPerSecond)
        hopSamples = HopSamples(
            capacity: Int((sampleRate.hertz / Double(features.framesPerSecond)).rounded(.up)) + 1)
        programmeListener =
            pieceFollowers.count > 1
            ? ProgrammeListener(
                followers: pieceFollowers, rate: sampleRate, transforms: transforms, features: features) : nil
    }

    /// Which pieces may come after the current one now.
    var advanceRule: PieceAdvanceRule { isRehearsal ? .any : concertAdvanceRule }

    /// Follows a rehearsal from now on, in which any piece may come next, or the concert. The current piece and the place
    /// in it stay. Call this between two hops. No allocation, no lock; O(reference frames) if a rehearsal ends after the
    /// end of a piece, because the next one is then listened for.
    public func setRehearsal(_ isOn: Bool) {
        let ruleBefore = advanceRule
        isRehearsal = isOn
        guard advanceRule != ruleBefore else { return }
        let isBetweenPieces = finishedPieceKeeper.isKeptAtEnd || nextPieceDetector.isBetweenPieces
        forgetOtherPieces()
        if isBetweenPieces { goOnFromEndOfPiece() }
    }

    /// The number of samples heard so far.
    public var heardSamples: SampleTime { SampleTime(heardSampleCount) }

    /// The number of samples until the current hop is complete; at least one.
    public var samplesToHopEnd: Int { sampleCountAtHopEnd(completedHopCount) - heardSampleCount }

    /// True if a hop has just been completed, or if nothing has been heard yet.
    public var isAtHopEnd: Bool {
        heardSampleCount == (completedHopCount == 0 ? 0 : sampleCountAtHopEnd(completedHopCount - 1))
    }

    /// Forgets the performance so far and waits for the music at a position of the programme; live time continues.
    public func begin(at place: ProgrammePosition) {
        passRoom(to: place.pieceIndex)
        makePieceCurrent(place.pieceIndex)
        pieceFollowers[currentPieceIndex].begin(at: place.position)
    }

    /// Takes over the position in the current piece that an operator gives while the music plays. Call this between two
    /// hops.
    ///
    /// See ``PieceFollower/takeOperatorPosition(at:)``. If other pieces were listened for, that ends.
    public func takeOperatorPosition(at place: ReferenceTime) {
        takeOperatorPosition(piece: currentPieceIndex, at: place)
    }

    /// Takes over the position in any piece of the programme that an operator gives while the music plays.
    /// - Parameters:
    ///   - piece: an index into ``ConcertProgramme/pieceModels``.
    ///   - place: an instant on that piece's timeline.
    public func takeOperatorPosition(piece: Int, at place: ReferenceTime) {
        if passRoom(to: piece) { pieceFollowers[piece].assumeExpectedRoom() }
        makePieceCurrent(piece)
        pieceFollowers[currentPieceIndex].takeOperatorPosition(at: place)
    }

    /// Makes a piece the current one because an operator said so, not because it was heard.
    func makePieceCurrent(_ piece: Int) {
        precondition(pieceFollowers.indices.contains(piece), "the programme has no piece \(piece)")
        currentPieceIndex = piece
        currentReport = nil
        lastShownReport = nil
        forgetOtherPieces()
        for index in positionWherePieceWasLeft.indices { positionWherePieceWasLeft[index] = nil }
        finishedPieceKeeper.releaseFromEnd()
    }

    /// Forgets what was heard of other pieces than the current one.
    private func forgetOtherPieces() {
        neighbourPieceIndex = nil
        neighbourPieceReport = nil
        nextPieceDetector = NextPieceDetector()
        anyPieceDetector.reset()
        programmeListener?.reset()
        candidateSlotsInUse = 0
        isAnyPieceAwaited = advanceRule == .any
    }

    /// Listens for what may come after the current piece, which is over.
    func goOnFromEndOfPiece() {
        if advanceRule == .any {
            finishedPieceKeeper.keepAtEnd()
            anyPieceDetector.listenAfterEnd(of: currentPieceIndex)
        } else if programme.nextPieceIndex(after: currentPieceIndex) == nil {
            finishedPieceKeeper.keepAtEnd()
        } else {
            finishedPieceKeeper.releaseFromEnd()
            carryOutDecision(nextPieceDetector.endPiece())
        }
    }

    /// Index of the piece being followed.
    public var currentPiece: Int { currentPieceIndex }

    /// Takes samples of the live audio, one channel, full scale ±1, and reports after each hop that they complete.
    public func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {
        var rest = block
        while !rest.isEmpty {
            let count = min(rest.count, samplesToHopEnd)
            hopSamples.addSamples(UnsafeBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeBufferPointer(rebasing: rest[count...])
            heardSampleCount += count
            if samplesToHopEnd == 0 {
                completedHopCount += 1
                hearHop(hopSamples.takeSamples())
                if let said = endHop() { report(said) }
            }
        }
    }

    /// Passes the samples of a whole hop on, always in the same order: the followers' own hops end at other samples, and
    /// what one of them learns may change what another one finds.
    private func hearHop(_ samples: UnsafeBufferPointer<Float>) {
        silenceDetector.addSamples(samples)
        if isAnyPieceAwaited { programmeListener?.hearSamples(samples) }
        pieceFollowers[currentPieceIndex].hearSamples(samples) { currentReport = $0 }
        if let neighbourPieceIndex {
            pieceFollowers[neighbourPieceIndex].hearSamples(samples) { neighbourPieceReport = $0 }
        }
        for slot in 0..<candidateSlotsInUse {
            pieceFollowers[candidatePieceBySlot[slot]].hearSamples(samples) {
                candidateReportBySlot[slot] = $0
            }
        }
    }

    /// Ends a hop of the concert and makes its report.
    /// - Returns: nil if the piece's follower has not completed its own hop yet, because it began at another sample.
    private func endHop() -> ConcertReport? {
        let isQuiet = silenceDetector.classifyHop()
        silentHopCount = silenceDetector.isSilent ? silentHopCount + 1 : 0
        guard var report = currentReport else { return nil }
        currentReport = nil
        report.liveTime = LiveTime(seconds: SampleTime(heardSampleCount).seconds(at: sampleRate))
        let isSilent = silentHopCount >= Self.secondsUntilSilent * framesPerSecond
        if isAnyPieceAwaited {
            let shown = followAnyPiece(report, isQuiet: isQuiet)
            return ConcertReport(pieceIndex: currentPieceIndex, positionReport: shown, isSilent: isSilent)
        }
        let move = nextPieceDetector.decideAfterHop(
            current: report, beside: neighbourPieceReport, isQuiet: isQuiet,
            measures: pieceFollowers[currentPieceIndex].referenceModel.measures,
            hasNext: programme.nextPieceIndex(after: currentPieceIndex) != nil)
        if move == .goToNext || move == .returnToPrevious, let neighbourPieceReport {
            let live = report.liveTime
            report = neighbourPieceReport
            report.liveTime = live
        }
        carryOutDecision(move)
        if programme.nextPieceIndex(after: currentPieceIndex) == nil {
            finishedPieceKeeper.updateAfterHop(report, isQuiet: isQuiet)
            if finishedPieceKeeper.isKeptAtEnd { awaitAnyPiece() }
        }
        return ConcertReport(
            pieceIndex: currentPieceIndex, positionReport: displayedReport(report), isSilent: isSilent)
    }

    /// Listens for all pieces, because the last one of the programme is over.
    private func awaitAnyPiece() {
        guard pieceFollowers.count > 1 else { return }
        isAnyPieceAwaited = true
        programmeListener?.reset()
        anyPieceDetector.listenAfterEnd(of: currentPieceIndex, isAfterProgramme: true)
    }

    /// The seconds of quiet that count as silence: longer than a rest, shorter than the wait between two movements.
    private static let secondsUntilSilent = 3

    /// Lets the search decide whether another piece is being played.
    /// - Returns: the report to display.
    private func followAnyPiece(_ report: PositionReport, isQuiet: Bool) -> PositionReport {
        var report = report
        if report.state == .following && report.passageConfidence >= ConfidenceStreak.sureConfidence {
            programmeListener?.notePitch(
                transpositionSemitones: report.transpositionSemitones, tuningCents: report.tuningCents)
        }
        let found = programmeListener?.takeNewlyFound()
        let move = anyPieceDetector.decideAfterHop(
            current: report, piece: currentPieceIndex, beside: candidateReportBySlot, isQuiet: isQuiet,
            foundPiece: found?.pieceIndex,
            measures: pieceFollowers[currentPieceIndex].referenceModel.measures)
        switch move {
        case .takeUpFoundPiece(let slot):
            guard let found else { break }
            candidatePieceBySlot[slot] = found.pieceIndex
            candidateSlotsInUse = max(candidateSlotsInUse, slot + 1)
            candidateReportBySlot[slot] = nil
            if passRoom(to: found.pieceIndex) { pieceFollowers[found.pieceIndex].assumeExpectedRoom() }
            pieceFollowers[found.pieceIndex].takeUp(at: found.frame, tempo: found.tempo)
        case .listenForPiece(let slot, let piece):
            candidatePieceBySlot[slot] = piece
            candidateSlotsInUse = max(candidateSlotsInUse, slot + 1)
            candidateReportBySlot[slot] = nil
            passRoom(to: piece)
            pieceFollowers[piece].begin(
                at: positionWherePieceWasLeft[piece] ?? ScorePosition(played: 0, fraction: 0))
        case .stopListening: candidateSlotsInUse = 0
        case .makePieceCurrent(let slot):
            positionWherePieceWasLeft[currentPieceIndex] =
                finishedPieceKeeper.isKeptAtEnd ? nil : lastShownReport?.position
            currentPieceIndex = candidatePieceBySlot[slot]
            positionWherePieceWasLeft[currentPieceIndex] = nil
            candidateSlotsInUse = 0
            if let heard = candidateReportBySlot[slot] {
                let live = report.liveTime
                report = heard
                report.liveTime = live
            }
        case .stay: break
        }
        if anyPieceDetector.isBetweenPieces {
            finishedPieceKeeper.keepAtEnd()
            finishedPieceKeeper.updateAfterHop(report, isQuiet: isQuiet)
        } else {
            finishedPieceKeeper.releaseFromEnd()
            if advanceRule == .next {
                isAnyPieceAwaited = false
                nextPieceDetector = NextPieceDetector()
            }
        }
        return displayedReport(report)
    }

    /// Returns the report to display. Between pieces the last measure stays on display, whatever position the follower
    /// finds in applause or in the next piece.
    private func displayedReport(_ report: PositionReport) -> PositionReport {
        guard nextPieceDetector.isBetweenPieces || finishedPieceKeeper.isKeptAtEnd else {
            lastShownReport = report
            return report
        }
        // An end that the piece's own follower has reached is shown unchanged.
        var held =
            finishedPieceKeeper.isKeptAtEnd && report.state == .finished ? report : lastShownReport ?? report
        held.liveTime = report.liveTime
        held.state = finishedPieceKeeper.displayedState
        return held
    }

    /// Tells another piece's follower which room the current piece sounds in: it is the same all evening.
    /// - Returns: false if no room is known, or if the piece is the current one, which knows its own.
    @discardableResult
    private func passRoom(to piece: Int) -> Bool {
        guard piece != currentPieceIndex, pieceFollowers.indices.contains(piece),
            let room = pieceFollowers[currentPieceIndex].room
        else { return false }
        pieceFollowers[piece].expectRoom(room)
        return true
    }

    func carryOutDecision(_ move: NextPieceDetector.PieceAction) {
        switch move {
        case .stay: return
        case .listenForNext:
            neighbourPieceIndex = programme.nextPieceIndex(after: currentPieceIndex)
            if let neighbourPieceIndex {
                passRoom(to: neighbourPieceIndex)
                pieceFollowers[neighbourPieceIndex].begin(at: ScorePosition(played: 0, fraction: 0))
            }
        case .stopListening, .forgetPrevious: neighbourPieceIndex = nil
        case .goToNext, .returnToPrevious:
            if let other = neighbourPieceIndex {
                neighbourPieceIndex = currentPieceIndex
                currentPieceIndex = other
            }
            if move == .returnToPrevious { neighbourPieceIndex = nil }
            finishedPieceKeeper.releaseFromEnd()
        }
        neighbourPieceReport = nil
    }

    private func sampleCountAtHopEnd(_ hop: Int) -> Int {
        Int((Double(hop + 1) * sampleRate.hertz / Double(framesPerSecond)).rounded())
    }
}
