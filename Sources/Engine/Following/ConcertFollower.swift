import Features
import MusicalTime
import Score

/// Follows a whole programme and goes on from piece to piece without an operator.
///
/// The followers of all pieces are made in advance, so that going on neither allocates nor loads. One follower works at
/// a time, two around the end of a piece. If any piece may come next (``AnyPieceDetector``), up to nine work between
/// pieces and while the current piece is not recognised. Belongs to one thread (the real-time following thread); after
/// `init` no allocation, no lock. The reports do not depend on how the samples are cut into blocks.
///
/// Memory: each model's frames once, and about a third more for the searches: some 4 MB per minute of music with three rooms.
public final class ConcertFollower {
    public let programme: Programme
    public let rate: SampleRate
    private let followers: [Follower]
    /// The number of samples that each follower has heard. The follower of a piece that is not listened for hears
    /// nothing.
    private var heard: [Int]
    private var current = 0
    private var otherIndex: Int?
    private var currentReport: PositionReport?
    private var otherReport: PositionReport?
    private var lastShown: PositionReport?
    private var nextPieceDetector = NextPieceDetector()
    /// Finds the next piece among all pieces; nil if only the next piece of the programme may come.
    private var anyPieceDetector: AnyPieceDetector?
    /// For each slot of the search, the index of the piece that it listens for.
    private var candidates: [Int]
    private var candidateCount = 0
    private var candidateReports: [PositionReport?]
    /// For each piece, the position at which it was left before its end; nil if it was not left.
    private var leftAt: [ScorePosition?]
    private var pieceEndHold = PieceEndHold()
    private var silenceDetector: SilenceDetector
    private var silentHops = 0
    private let framesPerSecond: Int
    private var samples = 0
    private var hops = 0

    /// Creates the followers of all pieces of a programme.
    /// - Parameters:
    ///   - rate: the sample rate of the live audio.
    ///   - start: the piece and the position at which the music will begin.
    ///   - advance: which pieces may come after the current one.
    ///   - method: the alignment method that finds the position in each piece.
    public init(
        programme: Programme, rate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ProgrammePosition = .beginning, advance: ConcertAdvance = .next,
        method: FollowingMethod = .forwardFilter, features: FeatureParameters = FeatureParameters()
    ) {
        self.programme = programme
        self.rate = rate
        let search = AnyPieceDetector(pieceCount: programme.models.count)
        self.anyPieceDetector = advance == .any ? search : nil
        candidates = Array(repeating: 0, count: search.slotCount)
        candidateReports = Array(repeating: nil, count: search.slotCount)
        leftAt = Array(repeating: nil, count: programme.models.count)
        framesPerSecond = features.framesPerSecond
        silenceDetector = SilenceDetector(framesPerSecond: features.framesPerSecond)
        followers = programme.models.map {
            Follower(
                model: $0, rate: rate, transforms: transforms, features: features,
                alignment: method.makeAlignment(on: $0))
        }
        heard = [Int](repeating: 0, count: followers.count)
        begin(at: start)
    }

    /// The number of samples heard so far.
    public var heardSamples: SampleTime { SampleTime(samples) }

    /// The number of samples until the current hop is complete; at least one.
    public var samplesToHopEnd: Int { endOfHop(hops) - samples }

    /// True if a hop has just been completed, or if nothing has been heard yet.
    public var isAtHopEnd: Bool { samples == (hops == 0 ? 0 : endOfHop(hops - 1)) }

    /// Forgets the performance so far and waits for the music at a position of the programme; live time continues.
    public func begin(at place: ProgrammePosition) {
        makeCurrent(place.piece)
        followers[current].begin(at: place.position)
    }

    /// Takes over the position in the current piece that an operator gives while the music plays. Call this between two
    /// hops.
    ///
    /// See ``Follower/anchor(at:)``. If other pieces were listened for, that ends.
    public func anchor(at place: ReferenceTime) { anchor(piece: current, at: place) }

    /// Takes over the position in any piece of the programme that an operator gives while the music plays.
    /// - Parameters:
    ///   - piece: an index into ``Programme/models``.
    ///   - place: an instant on that piece's timeline.
    public func anchor(piece: Int, at place: ReferenceTime) {
        makeCurrent(piece)
        followers[current].anchor(at: place)
    }

    /// Makes a piece the current one because an operator said so, not because it was heard.
    private func makeCurrent(_ piece: Int) {
        precondition(followers.indices.contains(piece), "the programme has no piece \(piece)")
        current = piece
        otherIndex = nil
        currentReport = nil
        otherReport = nil
        lastShown = nil
        nextPieceDetector = NextPieceDetector()
        anyPieceDetector?.reset()
        candidateCount = 0
        for index in leftAt.indices { leftAt[index] = nil }
        pieceEndHold.release()
    }

    /// Index of the piece being followed.
    public var currentPiece: Int { current }

    /// Takes samples of the live audio, one channel, full scale ±1, and reports after each hop that they complete.
    public func hear(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {
        var rest = block
        while !rest.isEmpty {
            let count = min(rest.count, samplesToHopEnd)
            hearWithinHop(UnsafeBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeBufferPointer(rebasing: rest[count...])
            if samplesToHopEnd == 0 {
                hops += 1
                if let said = endHop() { report(said) }
            }
        }
    }

    private func hearWithinHop(_ samples: UnsafeBufferPointer<Float>) {
        silenceDetector.hear(samples)
        followers[current].hear(samples) { currentReport = $0 }
        heard[current] += samples.count
        if let otherIndex {
            followers[otherIndex].hear(samples) { otherReport = $0 }
            heard[otherIndex] += samples.count
        }
        for slot in 0..<candidateCount {
            followers[candidates[slot]].hear(samples) { candidateReports[slot] = $0 }
            heard[candidates[slot]] += samples.count
        }
        self.samples += samples.count
    }

    /// Ends a hop of the concert and makes its report.
    /// - Returns: nil if the piece's follower has not completed its own hop yet, because it began at another sample.
    private func endHop() -> ConcertReport? {
        let isQuiet = silenceDetector.endHop()
        silentHops = silenceDetector.isSilent ? silentHops + 1 : 0
        guard var report = currentReport else { return nil }
        currentReport = nil
        report.liveTime = LiveTime(seconds: SampleTime(samples).seconds(at: rate))
        let isSilent = silentHops >= Self.silentSeconds * framesPerSecond
        if anyPieceDetector != nil {
            let shown = followAnyPiece(report, isQuiet: isQuiet)
            return ConcertReport(piece: current, report: shown, isSilent: isSilent)
        }
        let move = nextPieceDetector.decideAfterHop(
            current: report, beside: otherReport, isQuiet: isQuiet,
            measures: followers[current].model.measures, hasNext: programme.piece(after: current) != nil)
        if move == .goToNext, let otherReport {
            let live = report.liveTime
            report = otherReport
            report.liveTime = live
        }
        carryOut(move)
        if programme.piece(after: current) == nil { pieceEndHold.step(report, isQuiet: isQuiet) }
        return ConcertReport(piece: current, report: displayedReport(report), isSilent: isSilent)
    }

    /// The seconds of quiet that count as silence: longer than a rest, shorter than the wait between two movements.
    private static let silentSeconds = 3

    /// Lets the search decide whether another piece is being played.
    /// - Returns: the report to display.
    private func followAnyPiece(_ report: PositionReport, isQuiet: Bool) -> PositionReport {
        var report = report
        let move = anyPieceDetector?.decideAfterHop(
            current: report, piece: current, beside: candidateReports, isQuiet: isQuiet,
            measures: followers[current].model.measures)
        switch move {
        case .listen(let slot, let piece):
            candidates[slot] = piece
            candidateCount = max(candidateCount, slot + 1)
            candidateReports[slot] = nil
            followers[piece].begin(at: leftAt[piece] ?? ScorePosition(played: 0, fraction: 0))
        case .stopListening: candidateCount = 0
        case .goTo(let slot):
            leftAt[current] = pieceEndHold.isHeld ? nil : lastShown?.position
            current = candidates[slot]
            leftAt[current] = nil
            candidateCount = 0
            if let heard = candidateReports[slot] {
                let live = report.liveTime
                report = heard
                report.liveTime = live
            }
        case .stay, nil: break
        }
        if anyPieceDetector?.isBetweenPieces == true {
            pieceEndHold.hold()
            pieceEndHold.step(report, isQuiet: isQuiet)
        } else {
            pieceEndHold.release()
        }
        return displayedReport(report)
    }

    /// Returns the report to display. Between pieces the last measure stays on display, whatever position the follower
    /// finds in applause or in the next piece.
    private func displayedReport(_ report: PositionReport) -> PositionReport {
        guard nextPieceDetector.isBetweenPieces || pieceEndHold.isHeld else {
            lastShown = report
            return report
        }
        // An end that the piece's own follower has reached is shown unchanged.
        var held = pieceEndHold.isHeld && report.state == .finished ? report : lastShown ?? report
        held.liveTime = report.liveTime
        held.state = pieceEndHold.state
        return held
    }

    private func carryOut(_ move: NextPieceDetector.Decision) {
        switch move {
        case .stay: return
        case .listenForNext:
            otherIndex = programme.piece(after: current)
            if let otherIndex {
                followers[otherIndex].begin(at: ScorePosition(played: 0, fraction: 0))
            }
        case .stopListening, .forgetPrevious: otherIndex = nil
        case .goToNext, .returnToPrevious:
            if let other = otherIndex {
                otherIndex = current
                current = other
            }
            if move == .returnToPrevious { otherIndex = nil }
            pieceEndHold.release()
        }
        otherReport = nil
    }

    private func endOfHop(_ hop: Int) -> Int {
        Int((Double(hop + 1) * rate.hertz / Double(framesPerSecond)).rounded())
    }
}

/// Detects a silent room: the sound is far below the loudest of the last minute, and hardly louder than the room's own
/// noise.
private struct SilenceDetector {
    private var loudest: Float = 1e-9
    /// The mean square of the quietest recent hop, which is the room's own noise.
    private var floor: Float = 1
    /// True if the newest hop was quiet, or so soft that it counts as silent even if the room's own noise is digital
    /// silence.
    private(set) var isSilent = false
    private var energy: Float = 0
    private var count = 0
    private let fade: Float
    private let rise: Float
    /// A hop can be quiet only below this share of the loudest power: -40 dB.
    private static let share: Float = 1e-4
    /// A hop is quiet only up to this multiple of the noise floor's power: 6 dB.
    private static let roomShare: Float = 4
    /// The power below which a hop is silent whatever the noise floor is: -70 dB of full scale.
    private static let softest: Float = 1e-7

    init(framesPerSecond: Int) {
        // The loudest halves in a minute, the floor doubles in ten seconds.
        fade = 1 - 0.693 / (60 * Float(framesPerSecond))
        rise = 1 + 0.693 / (10 * Float(framesPerSecond))
    }

    mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples where sample.isFinite { energy += sample * sample }
        count += samples.count
    }

    mutating func endHop() -> Bool {
        let power = energy / Float(max(count, 1))
        (energy, count) = (0, 0)
        loudest = max(loudest * fade, power)
        floor = min(floor * rise, max(power, 1e-12))
        let isFarBelow = power < loudest * Self.share
        let isQuiet = isFarBelow && power <= floor * Self.roomShare
        isSilent = isQuiet || (isFarBelow && power < Self.softest)
        return isQuiet
    }
}
