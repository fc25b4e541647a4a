import Features
import MusicalTime
import Score

/// Follows a whole programme and goes on from piece to piece on its own.
///
/// The followers of all pieces are made in advance, so that going on neither allocates nor loads. One follower works
/// at a time, two around the end of a piece. If any piece may come next (``AnyPieceDetector``), up to nine work between
/// pieces and while the current one is not recognised. Belongs to one thread (the follow lane); after `init` no
/// allocation, no lock. The reports do not depend on how the samples are cut into blocks.
///
/// Memory: each model's frames once, and about a third more for the searches: some 2.3 MB per minute of music.
public final class ConcertFollower {
    public let programme: Programme
    public let rate: SampleRate
    private let followers: [Follower]
    /// Samples that each follower has heard; the follower of a piece that is not played hears nothing.
    private var heard: [Int]
    private var current = 0
    private var beside: Int?
    private var currentReport: PositionReport?
    private var besideReport: PositionReport?
    private var lastShown: PositionReport?
    private var course = NextPieceDetector()
    /// Chooses among all pieces; nil if only the next piece may come.
    private var search: AnyPieceDetector?
    /// Indices of the pieces that the search listens for, by slot.
    private var candidates: [Int]
    private var candidateCount = 0
    private var candidateReports: [PositionReport?]
    /// Per piece: the position at which it was left before its end; nil if it was not.
    private var leftAt: [ScorePosition?]
    private var end = PieceEndHold()
    private var quiet: SilenceDetector
    private var silentHops = 0
    private let framesPerSecond: Int
    private var samples = 0
    private var hops = 0

    /// - Parameters:
    ///   - rate: of the live audio.
    ///   - start: where the music will begin.
    ///   - advance: which piece may come after another.
    ///   - method: finds the position, in every piece.
    public init(
        programme: Programme, rate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ProgrammePosition = .beginning, advance: ConcertAdvance = .next,
        method: FollowingMethod = .forwardFilter, features: FeatureParameters = FeatureParameters()
    ) {
        self.programme = programme
        self.rate = rate
        let search = AnyPieceDetector(pieceCount: programme.models.count)
        self.search = advance == .any ? search : nil
        candidates = Array(repeating: 0, count: search.slotCount)
        candidateReports = Array(repeating: nil, count: search.slotCount)
        leftAt = Array(repeating: nil, count: programme.models.count)
        framesPerSecond = features.framesPerSecond
        quiet = SilenceDetector(framesPerSecond: features.framesPerSecond)
        followers = programme.models.map {
            Follower(
                model: $0, rate: rate, transforms: transforms, features: features,
                alignment: method.makeAlignment(on: $0))
        }
        heard = [Int](repeating: 0, count: followers.count)
        begin(at: start)
    }

    /// Samples heard since the first one.
    public var heardSamples: SampleTime { SampleTime(samples) }

    /// Samples until the current hop is complete; at least one.
    public var samplesToHopEnd: Int { endOfHop(hops) - samples }

    /// True if a hop has just been completed, or if nothing has been heard yet.
    public var isAtHopEnd: Bool { samples == (hops == 0 ? 0 : endOfHop(hops - 1)) }

    /// Forgets the performance so far and waits for the music at a place; live time continues.
    public func begin(at place: ProgrammePosition) {
        take(place.piece)
        followers[current].begin(at: place.position)
    }

    /// Takes over the position, in the current piece, that an operator gives for the playing music. Call it between
    /// two hops.
    ///
    /// See ``Follower/anchor(at:)``. If the next piece was followed as well, that ends.
    public func anchor(at place: ReferenceTime) { anchor(piece: current, at: place) }

    /// Takes over the position, in any piece of the programme, that an operator gives for the playing music.
    /// - Parameters:
    ///   - piece: index into ``Programme/models``.
    ///   - place: on that piece's timeline.
    public func anchor(piece: Int, at place: ReferenceTime) {
        take(piece)
        followers[current].anchor(at: place)
    }

    /// Makes a piece the current one by command, not because it was heard.
    private func take(_ piece: Int) {
        precondition(followers.indices.contains(piece), "the programme has no piece \(piece)")
        current = piece
        beside = nil
        currentReport = nil
        besideReport = nil
        lastShown = nil
        course = NextPieceDetector()
        search?.reset()
        candidateCount = 0
        for index in leftAt.indices { leftAt[index] = nil }
        end.release()
    }

    /// Index of the piece being followed.
    public var currentPiece: Int { current }

    /// Takes samples of the live audio, one channel, full scale ±1, and reports after each hop they complete.
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
        quiet.hear(samples)
        followers[current].hear(samples) { currentReport = $0 }
        heard[current] += samples.count
        if let beside {
            followers[beside].hear(samples) { besideReport = $0 }
            heard[beside] += samples.count
        }
        for slot in 0..<candidateCount {
            followers[candidates[slot]].hear(samples) { candidateReports[slot] = $0 }
            heard[candidates[slot]] += samples.count
        }
        self.samples += samples.count
    }

    /// - Returns: nil if the follower's own hop is not complete yet, because it began at another sample.
    private func endHop() -> ConcertReport? {
        let isQuiet = quiet.endHop()
        silentHops = quiet.isSilent ? silentHops + 1 : 0
        guard var report = currentReport else { return nil }
        currentReport = nil
        report.live = LiveTime(seconds: SampleTime(samples).seconds(at: rate))
        let isSilent = silentHops >= Self.silentSeconds * framesPerSecond
        if search != nil {
            let shown = searched(report, isQuiet: isQuiet)
            return ConcertReport(piece: current, report: shown, isSilent: isSilent)
        }
        let move = course.step(
            current: report, beside: besideReport, isQuiet: isQuiet,
            measures: followers[current].model.measures, hasNext: programme.piece(after: current) != nil)
        if move == .goOn, let besideReport {
            let live = report.live
            report = besideReport
            report.live = live
        }
        make(move)
        if programme.piece(after: current) == nil { end.step(report, isQuiet: isQuiet) }
        return ConcertReport(piece: current, report: shown(report), isSilent: isSilent)
    }

    /// Seconds of quiet that count as silence: longer than a rest, shorter than the wait between two movements.
    private static let silentSeconds = 3

    /// Lets the search decide, if any piece may come next.
    private func searched(_ report: PositionReport, isQuiet: Bool) -> PositionReport {
        var report = report
        let move = search?.step(
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
            leftAt[current] = end.isHeld ? nil : lastShown?.position
            current = candidates[slot]
            leftAt[current] = nil
            candidateCount = 0
            if let heard = candidateReports[slot] {
                let live = report.live
                report = heard
                report.live = live
            }
        case .stay, nil: break
        }
        if search?.isBetweenPieces == true {
            end.hold()
            end.step(report, isQuiet: isQuiet)
        } else {
            end.release()
        }
        return shown(report)
    }

    /// Between pieces the last measure stays on display, whatever the follower makes of applause or of the next
    /// piece.
    private func shown(_ report: PositionReport) -> PositionReport {
        guard course.isBetweenPieces || end.isHeld else {
            lastShown = report
            return report
        }
        // An end that the piece's own follower has reached is shown unchanged.
        var held = end.isHeld && report.state == .finished ? report : lastShown ?? report
        held.live = report.live
        held.state = end.state
        return held
    }

    private func make(_ move: NextPieceDetector.Move) {
        switch move {
        case .stay: return
        case .listenForNext:
            beside = programme.piece(after: current)
            if let beside { followers[beside].begin(at: ScorePosition(played: 0, fraction: 0)) }
        case .stopListening, .forgetPrevious: beside = nil
        case .goOn, .goBack:
            if let other = beside {
                beside = current
                current = other
            }
            if move == .goBack { beside = nil }
            end.release()
        }
        besideReport = nil
    }

    private func endOfHop(_ hop: Int) -> Int {
        Int((Double(hop + 1) * rate.hertz / Double(framesPerSecond)).rounded())
    }
}

/// Detects a silent room: far below the loudest of the last minute, and hardly louder than the room's own noise.
private struct SilenceDetector {
    private var loudest: Float = 1e-9
    /// Mean square of the quietest recent hop.
    private var floor: Float = 1
    /// True if the newest hop was quiet, or so soft that it counts as silent even above a floor of digital silence.
    private(set) var isSilent = false
    private var energy: Float = 0
    private var count = 0
    private let fade: Float
    private let rise: Float
    /// -40 dB of the loudest.
    private static let share: Float = 1e-4
    /// 6 dB above the floor.
    private static let roomShare: Float = 4
    /// -70 dB of full scale.
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
