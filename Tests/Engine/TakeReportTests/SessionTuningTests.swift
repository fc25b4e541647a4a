import Foundation
import Sound
import Testing

@testable import TakeReport

/// The tuning by bar of made sound whose tuning is known.
@Suite struct SessionTuningTests {
    private static let hertz = 22_050.0
    private static let barSeconds = 1.0
    private static let chords: [[Int]] = [
        [48, 60, 64, 67], [53, 60, 65, 69], [55, 62, 67, 71], [48, 55, 64, 72], [45, 57, 60, 64],
    ]

    /// A bar of a chord with eight harmonics for each note.
    private static func bar(_ index: Int, cents: Double, isNoise: Bool = false) -> [Float] {
        let count = Int(barSeconds * hertz)
        if isNoise {
            var state: UInt64 = 7
            return (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(Int64(bitPattern: state) >> 40) / Float(1 << 24)
            }
        }
        var samples = [Float](repeating: 0, count: count)
        for pitch in chords[index % chords.count] {
            let base = 440 * exp2((Double(pitch) - 69) / 12 + cents / 1_200)
            for harmonic in 1...8 where base * Double(harmonic) < hertz * 0.45 {
                let step = 2 * Double.pi * base * Double(harmonic) / hertz
                let level = 0.1 / Double(harmonic)
                for place in samples.indices { samples[place] += Float(level * sin(step * Double(place))) }
            }
        }
        return samples
    }

    private static func session(
        _ count: Int = 20, noisy: Set<Int> = [], _ cents: (Int) -> Double
    ) -> SessionTuning {
        let meter = TuningMeter(hertz: hertz, transforms: FFTWSpectrumMaker())
        return SessionTuning(
            (0..<count).map { index in
                let samples = bar(index, cents: cents(index), isNoise: noisy.contains(index))
                return HeardBar(
                    movement: 0, played: index, printed: index + 1, seconds: Double(index) * barSeconds,
                    votes: meter.votes(of: samples[...]))
            })
    }

    @Test(arguments: [-20.0, -5, 0, 5, 20, 45])
    func aDetunedEnsembleIsMeasuredWithinACent(_ cents: Double) throws {
        let tuning = Self.session(10) { _ in cents }
        #expect(abs(try #require(tuning.medianCents) - cents) < 1)
        for bar in tuning.bars { #expect(abs(try #require(bar.cents) - cents) < 1.5) }
        #expect(tuning.bars.allSatisfy { $0.standsOutBy == nil })
    }

    @Test func aDriftOfThirtyCentsIsMeasuredWithinTwo() throws {
        let tuning = Self.session { 30 * Double($0) / 19 }
        #expect(abs(try #require(tuning.driftCents) - 30) < 2)
        #expect(tuning.bars.allSatisfy { $0.standsOutBy == nil })
    }

    @Test func aDriftAcrossHalfASemitoneIsOneDrift() throws {
        let tuning = Self.session { 30 + 40 * Double($0) / 19 }
        #expect(abs(try #require(tuning.driftCents) - 40) < 2)
    }

    @Test func oneSharpBarStandsOutAndNoOther() throws {
        let tuning = Self.session { $0 == 12 ? 25 : 0 }
        #expect(tuning.bars.filter { $0.standsOutBy != nil }.map(\.played) == [12])
        #expect(abs(try #require(tuning.bars[12].standsOutBy) - 25) < 2)
        #expect(abs(try #require(tuning.driftCents)) < 1)
    }

    @Test func noiseAndSilenceAndUncertainBarsAreNotJudged() {
        let tuning = Self.session(noisy: [3]) { _ in 0 }
        #expect(tuning.bars[3].cents == nil && tuning.bars[3].doubt == .noTuning)
        let meter = TuningMeter(hertz: Self.hertz, transforms: FFTWSpectrumMaker())
        let silent = meter.votes(of: [Float](repeating: 0, count: 22_050)[...])
        let short = meter.votes(of: Self.bar(0, cents: 0)[..<2_000])
        var bars = [silent, short].enumerated().map { index, votes in
            HeardBar(movement: 0, played: index, printed: index + 1, seconds: Double(index), votes: votes)
        }
        bars.append(
            HeardBar(
                movement: 0, played: 2, printed: 3, seconds: 2,
                votes: meter.votes(of: Self.bar(0, cents: 0)[...]),
                isDoubtful: true))
        #expect(SessionTuning(bars).bars.map(\.doubt) == [.tooShort, .tooShort, .unalignedBar])
        #expect(SessionTuning(bars).medianCents == nil && SessionTuning([]).bars.isEmpty)
    }
}
