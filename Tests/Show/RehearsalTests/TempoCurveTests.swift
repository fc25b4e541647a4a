import Basics
import Podium
import Rehearsal
import Score
import Testing

/// Music at changing tempos, followed by a follower that is a little wrong, and a stand that hears of it as
/// the Podium does: at each bar line, where the tempo changed, and where the last word led astray.
struct FollowedMusic {
    /// Reference seconds a live second, at a live second.
    let tempo: (Double) -> Double
    /// Seconds of reference by which the follower is wrong, at a live second.
    let error: (Double) -> Double
    let measureSeconds: Double
    let measureCount: Int
    /// Reference position at every hop.
    private(set) var places: [Double] = []
    static let hop = 0.02

    init(
        measureSeconds: Double = 2, measureCount: Int = 40, tempo: @escaping (Double) -> Double,
        error: @escaping (Double) -> Double = { _ in 0 }
    ) {
        self.tempo = tempo
        self.error = error
        self.measureSeconds = measureSeconds
        self.measureCount = measureCount
        var place = 0.0
        while place < measureSeconds * Double(measureCount), places.count < 100_000 {
            places.append(place)
            place += tempo(Double(places.count) * Self.hop) * Self.hop
        }
    }

    /// The live second at which a played measure begins.
    func onset(of measure: Int) -> Double {
        let hop = places.firstIndex { $0 >= Double(measure) * measureSeconds } ?? places.count
        return Double(hop) * Self.hop
    }

    /// - Parameter lost: live seconds in which the follower is lost.
    func play(to bench: inout StandBench, lost: Range<Double> = 0..<0) {
        var last: (time: Double, place: Double, tempo: Double, measure: Int)?
        // Tempo as a follower knows it: over the last two seconds.
        for (hop, place) in places.enumerated() {
            let time = Double(hop) * Self.hop
            if lost.contains(time) {
                if last != nil {
                    bench.take(
                        .liveUpdate(LivePositionUpdate(movement: 0, position: nil, trust: .lost)),
                        at: ms(time))
                }
                last = nil
                continue
            }
            let heard = min(max(place + error(time), 0), measureSeconds * Double(measureCount) - 0.001)
            let before = places[max(0, hop - 100)]
            let tempo = hop > 10 ? (place - before) / (Double(min(hop, 100)) * Self.hop) : 1
            let measure = Int(heard / measureSeconds)
            if let word = last {
                let isAstray = abs(heard - (word.place + (time - word.time) * word.tempo)) > 0.15
                let isOther = abs(tempo - word.tempo) > 0.03 * word.tempo && time - word.time >= 0.5
                guard measure > word.measure || (isAstray && time - word.time >= 0.2) || isOther else {
                    continue
                }
            }
            last = (time, heard, tempo, measure)
            bench.hear(measure, heard / measureSeconds - Double(measure), at: ms(time), tempo: tempo)
        }
    }

    private func ms(_ seconds: Double) -> Int64 { Int64((seconds * 1_000).rounded()) }
}

@Suite struct TempoCurveTests {
    /// The wished moments: a second before each page's end, or less and more by the tempo there.
    private func wished(_ music: FollowedMusic, pageMeasures: Int = 10) -> [Double] {
        (1..<(music.measureCount / pageMeasures)).map { page in
            let end = music.onset(of: page * pageMeasures)
            let measure = end - music.onset(of: page * pageMeasures - 1)
            return end - min(max(0.4 + 0.3 * measure, 0.7), 1.3)
        }
    }

    private func check(_ music: FollowedMusic, _ name: String, within: Double = 0.5) {
        var bench = StandBench(seconds: music.measureSeconds)
        music.play(to: &bench)
        #expect(bench.turns.map(\.view.page) == [1, 2, 3], "\(name)")
        for (turn, wish) in zip(bench.turns, wished(music)) {
            let off = Double(turn.at) / 1_000 - wish
            #expect(abs(off) <= within, "\(name): page \(turn.view.page) \(off) s off")
        }
    }

    @Test(arguments: [0.5, 0.8, 1.0, 1.25, 1.6, 2.0])
    func atASteadyTempoTheTurnIsWhereItIsWished(tempo: Double) {
        check(FollowedMusic { _ in tempo }, "steady \(tempo)", within: 0.05)
    }

    @Test func itIsWithinHalfASecondAtEveryTempoCurve() {
        check(FollowedMusic { 1 + 0.25 * sine($0 / 20) }, "swaying slowly")
        check(FollowedMusic { 1 + 0.15 * sine($0 / 6) }, "rubato")
        check(FollowedMusic { 0.7 + $0 / 100 }, "accelerando")
        check(FollowedMusic { max(1.6 - $0 / 70, 0.5) }, "ritardando")
        check(FollowedMusic { $0 < 25 ? 1 : 1.7 }, "a new tempo")
        check(FollowedMusic(measureSeconds: 1.2) { 1 + 0.1 * sine($0 / 9) }, "short bars")
        check(FollowedMusic(measureSeconds: 4) { 1 + 0.1 * sine($0 / 9) }, "long bars")
    }

    @Test(arguments: 1...12)
    func aFollowerThatIsALittleWrongIsGoodEnough(seed: UInt64) {
        var chance = SeededRandomGenerator(seed: seed)
        let pace = Double.random(in: 0.7...1.4, using: &chance)
        let sway = Double.random(in: 0...0.15, using: &chance)
        let period = Double.random(in: 8...25, using: &chance)
        let off = Double.random(in: 0...0.12, using: &chance)
        check(
            FollowedMusic(
                tempo: { pace + sway * sine($0 / period) },
                error: { off * (sine($0 / 1.3) + 0.5 * sine($0 / 0.37)) }), "seed \(seed)")
    }

    @Test func lostAtThePageEndNothingTurnsUntilItIsFound() {
        let music = FollowedMusic { _ in 1 }
        var bench = StandBench()
        music.play(to: &bench, lost: 17..<23)
        #expect(bench.turns.map(\.view.page) == [1, 2, 3])
        #expect((23_000...23_100).contains(bench.turns[0].at))
    }

    @Test(arguments: 1...40)
    func whateverIsSaidNoPageTurnsByItselfWhileLost(seed: UInt64) {
        var chance = SeededRandomGenerator(seed: seed)
        var settings = StandSettings()
        settings.halfTurns = Bool.random(using: &chance)
        settings.facing = PageArrangement.allCases.randomElement(using: &chance)!
        var bench = StandBench(printed: Array(1...15) + Array(1...40), settings: settings)
        for _ in 0..<400 {
            let before = bench.turns.count
            let lost = bench.turner.state.trust == .lost
            let time = bench.now + Int64.random(in: 0...3_000, using: &chance)
            let event: PageTurnerEvent =
                switch Int.random(in: 0..<12, using: &chance) {
                case 0: .pedalPressed(Bool.random(using: &chance) ? .forward : .back)
                case 1: .turnedByPlayer(page: Int.random(in: -1...5, using: &chance))
                case 2: .turnedByLeader(page: Int.random(in: 0...4, using: &chance))
                case 3...4: .tick
                default:
                    .liveUpdate(
                        LivePositionUpdate(
                            movement: Int.random(in: 0..<20, using: &chance) == 0 ? 1 : 0,
                            position: Bool.random(using: &chance)
                                ? ScorePosition(
                                    played: Int.random(in: -1...56, using: &chance),
                                    fraction: Double.random(in: -0.5...1.5, using: &chance)) : nil,
                            tempo: [0, 0.5, 1, 2, .nan, .infinity].randomElement(using: &chance)!,
                            trust: LivePositionTrust.allCases.randomElement(using: &chance)!,
                            jumped: Bool.random(using: &chance)))
                }
            bench.take(event, at: time)
            let new = bench.turns[before...]
            // Pages turned after the word “lost” were turned by hand.
            if bench.turner.state.trust == .lost, lost { #expect(new.allSatisfy { $0.cause.isByHand }) }
            if case .liveUpdate(let word) = event, word.trust == .lost, !lost {
                #expect(new.allSatisfy { $0.at < bench.now || $0.cause.isByHand })
            }
            let pages = bench.turner.plan.pageArrangement == .single ? 0...3 : -1...3
            #expect(pages.contains(bench.page))
        }
    }
}

/// A sine without a system library: seconds in periods of two pi, by its series.
func sine(_ x: Double) -> Double {
    let turn = x / 6.283185307179586
    let angle = (turn - turn.rounded()) * 6.283185307179586
    var term = angle
    var sum = angle
    for n in 1...10 {
        term *= -angle * angle / Double((2 * n) * (2 * n + 1))
        sum += term
    }
    return sum
}
