import Features
import MusicalTime
import Score

/// Follows a whole programme and goes on from piece to piece by itself.
///
/// Every piece's follower is made beforehand: going on neither allocates nor loads. One follower works, two
/// around the end of a piece. Belongs to one thread (the follow lane); after `init` no allocation, no lock.
/// What it says does not depend on how the samples are cut into blocks.
///
/// Memory: the models' frames once, and about a quarter as much for the search: some 2 MB a minute of music.
public final class ConcertFollower {
    public let programme: Programme
    public let rate: SampleRate
    private let followers: [Follower]
    /// Samples each follower has heard; while a piece is not played its follower hears nothing.
    private var heard: [Int]
    private var current = 0
    private var beside: Int?
    private var currentReport: PositionReport?
    private var besideReport: PositionReport?
    private var lastShown: PositionReport?
    private var course = ConcertCourse()
    private var quiet: QuietWatch
    private let framesPerSecond: Int
    private var samples = 0
    private var hops = 0

    /// - Parameters:
    ///   - rate: of the live audio.
    ///   - start: where the music will begin.
    public init(
        programme: Programme, rate: SampleRate, transforms: any SpectrumTransformMaker,
        start: ProgrammePlace = .beginning, features: FeatureParameters = FeatureParameters()
    ) {
        self.programme = programme
        self.rate = rate
        framesPerSecond = features.framesPerSecond
        quiet = QuietWatch(framesPerSecond: features.framesPerSecond)
        followers = programme.models.map {
            Follower(model: $0, rate: rate, transforms: transforms, features: features)
        }
        heard = [Int](repeating: 0, count: followers.count)
        begin(at: start)
    }

    /// Samples heard since the first one.
    public var heardSamples: SampleTime { SampleTime(samples) }

    /// Samples until the hop that is being heard is complete; at least one.
    public var samplesToHopEnd: Int { endOfHop(hops) - samples }

    /// True where a hop has just been completed, or nothing was heard yet.
    public var isAtHopEnd: Bool { samples == (hops == 0 ? 0 : endOfHop(hops - 1)) }

    /// Forgets the performance so far and waits for the music at a place; live time goes on.
    public func begin(at place: ProgrammePlace) {
        take(place.piece)
        followers[current].begin(at: place.position)
    }

    /// Believes somebody who says where in the piece being followed the music is now, playing; between two hops.
    ///
    /// As ``Follower/anchor(at:)``. Where the next piece was listened for, that ends.
    public func anchor(at place: ReferenceTime) { anchor(piece: current, at: place) }

    /// The same in any piece of the programme.
    /// - Parameters:
    ///   - piece: index into ``Programme/models``.
    ///   - place: of that piece's timeline.
    public func anchor(piece: Int, at place: ReferenceTime) {
        take(piece)
        followers[current].anchor(at: place)
    }

    /// Goes to a piece by order, not by ear.
    private func take(_ piece: Int) {
        precondition(followers.indices.contains(piece), "the programme has no piece \(piece)")
        current = piece
        beside = nil
        currentReport = nil
        besideReport = nil
        lastShown = nil
        course = ConcertCourse()
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
        self.samples += samples.count
    }

    /// - Returns: nil where the follower's own hop, begun elsewhere, is not complete yet.
    private func endHop() -> ConcertReport? {
        let isQuiet = quiet.endHop()
        guard var report = currentReport else { return nil }
        currentReport = nil
        report.live = LiveTime(seconds: SampleTime(samples).seconds(at: rate))
        let move = course.step(
            current: report, beside: besideReport, isQuiet: isQuiet,
            measures: followers[current].model.measures, hasNext: programme.piece(after: current) != nil)
        if move == .goOn, let besideReport {
            let live = report.live
            report = besideReport
            report.live = live
        }
        make(move)
        return ConcertReport(piece: current, report: shown(report))
    }

    /// Between pieces the last measure stays, whatever the follower makes of applause and of the next piece.
    private func shown(_ report: PositionReport) -> PositionReport {
        guard course.isBetweenPieces else {
            lastShown = report
            return report
        }
        var held = lastShown ?? report
        held.live = report.live
        held.state = .finished
        return held
    }

    private func make(_ move: ConcertCourse.Move) {
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
        }
        besideReport = nil
    }

    private func endOfHop(_ hop: Int) -> Int {
        Int((Double(hop + 1) * rate.hertz / Double(framesPerSecond)).rounded())
    }
}

/// Hears when the room is silent: far below the loudest of the last minute, and no louder than the room itself.
private struct QuietWatch {
    private var loudest: Float = 1e-9
    /// Mean square of the quietest hop of late.
    private var floor: Float = 1
    private var energy: Float = 0
    private var count = 0
    private let fade: Float
    private let rise: Float
    /// -40 dB of the loudest.
    private static let share: Float = 1e-4
    /// 6 dB above the floor.
    private static let roomShare: Float = 4

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
        return power < loudest * Self.share && power <= floor * Self.roomShare
    }
}
