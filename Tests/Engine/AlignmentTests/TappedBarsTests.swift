import Testing

@testable import Alignment

@Suite struct TappedBarsTests {
    private static let barCount = 40
    private static let notesPerBar = 4
    /// Four bars of two seconds.
    private static let heldFrames = 400

    /// Bars of four notes, the first of which is loud, at a tempo that swings.
    private let onsets: [Double]
    private let frames: ReferenceFeatureFrames

    init() {
        var random = Dice(state: 5)
        var noteStarts: [Int] = []
        var bars: [Double] = []
        var frame = 50.0
        for note in 0..<Self.barCount * Self.notesPerBar {
            if note % Self.notesPerBar == 0 { bars.append(frame / 50) }
            noteStarts.append(Int(frame))
            let swing =
                note / Self.notesPerBar % 8 < 4
                ? 1 + 0.03 * Double(note % 16) : 1.5 - 0.03 * Double(note % 16)
            frame += 16 * swing
        }
        onsets = bars
        frames = Self.sound(noteStarts, frameCount: Int(frame) + 50, &random)
    }

    /// A small generator, so that every run of a test is the same.
    private struct Dice {
        var state: UInt64

        /// A number from 0 up to 1.
        mutating func roll() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
    }

    /// Notes of one pitch each, the first of each bar with a low one too; an onset decays by 0.85 a frame.
    private static func sound(_ starts: [Int], frameCount: Int, _ random: inout Dice)
        -> ReferenceFeatureFrames
    {
        var values = [Float](repeating: 0, count: frameCount * 144)
        for (note, start) in starts.enumerated() {
            let end = note + 1 < starts.count ? starts[note + 1] : frameCount
            var bands = [30 + Int(random.roll() * 40)]
            if note % notesPerBar == 0 { bands += [Int(random.roll() * 12), 12 + Int(random.roll() * 12)] }
            for frame in start + 1..<end {
                for band in bands {
                    values[frame * 144 + band] = frame < start + 4 ? 0.1 * Float(frame - start) : 0.5
                    values[frame * 144 + 72 + band] = 0.6 * Float.decay(frame - start - 1)
                }
            }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: 144, powerByFrame: [Float](repeating: 0.01, count: frameCount))
    }

    /// Taps that are up to a tenth of a second early or late.
    private func taps(every: Int) -> [TappedBars.Tap] {
        var random = Dice(state: 9)
        return onsets.indices.filter { $0 % every == 0 || $0 == onsets.count - 1 }.map {
            TappedBars.Tap(seconds: onsets[$0] + 0.2 * random.roll() - 0.1, bar: $0 + 1)
        }
    }

    @Test(arguments: [1, 2, 4])
    func allBarsAreFoundFromTaps(every: Int) throws {
        let found = try TappedBars(taps: taps(every: every), every: every, frames: frames)
        #expect(found.bars.map(\.number) == Array(1...Self.barCount))
        let errors = zip(found.bars, onsets).map { abs($0.seconds - $1) }
        #expect(errors.filter { $0 <= 0.05 }.count >= 38)
        #expect(found.bars.filter(\.isTapped).count == taps(every: every).count)
    }

    @Test func aDoubleTapCountsOnce() throws {
        var given = taps(every: 2).dropLast().enumerated().map { $1 }
        given.insert(TappedBars.Tap(seconds: given[5].seconds + 0.2, bar: 0), at: 6)
        for index in given.indices { given[index].bar = 1 + 2 * index }
        let found = try TappedBars(taps: given, every: 2, frames: frames)
        #expect(found.doubleTaps.map(\.seconds) == [given[6].seconds])
        #expect(found.bars.map(\.number) == Array(1...39))
    }

    /// Sixty-one bars of four notes at a steady tempo of half a second a note; one bar may begin with a held note.
    private static func steady(holdAt held: Int? = nil) -> (bars: [Double], frames: ReferenceFeatureFrames) {
        var random = Dice(state: 3)
        var starts: [Int] = []
        var bars: [Double] = []
        var frame = 50
        for bar in 0..<61 {
            bars.append(Double(frame) / 50)
            for note in 0..<notesPerBar {
                starts.append(frame)
                frame += bar == held && note == 0 ? 25 + heldFrames : 25
            }
        }
        return (bars, sound(starts, frameCount: frame + 50, &random))
    }

    @Test func aMissedTapIsNoticedWhereTheTempoIsSteady() throws {
        let (bars, frames) = Self.steady()
        let tapped = stride(from: 0, through: 60, by: 4).filter { $0 != 28 }
        let given = tapped.enumerated().map { TappedBars.Tap(seconds: bars[$1], bar: 1 + 4 * $0) }
        let found = try TappedBars(taps: given, every: 4, frames: frames)
        #expect(found.missedBars == [29])
        #expect(found.heldBars == [])
        #expect(found.bars.map(\.number) == Array(1...61))
        #expect(found.bars.filter { $0.reasons.contains(.missingTap) }.map(\.number) == [29])
    }

    /// Taps on each bar of a tempo that is never steady, in silence, so that only their spacing tells.
    @Test func aTapThatMayBeMissingIsNamedAndNoBarIsPutIn() throws {
        let lengths = [1.4, 1.65, 1.83, 1.9, 1.83, 1.65, 1.4, 1.15, 0.97, 0.9, 0.97, 1.15]
        var (seconds, bars) = (1.0, [Double]())
        for bar in 0..<48 {
            bars.append(seconds)
            seconds += lengths[bar % 12]
        }
        let silence = ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: 144 * 4_000), dimensions: 144,
            powerByFrame: [Float](repeating: 0, count: 4_000))
        bars.remove(at: 27)
        let given = bars.enumerated().map { TappedBars.Tap(seconds: $1, bar: 1 + $0) }
        let found = try TappedBars(taps: given, every: 1, frames: silence)
        #expect(found.missedBars == [])
        #expect(found.heldBars == [28])
        #expect(found.bars.filter { $0.reasons.contains(.missingTap) }.map(\.number) == [28])
    }

    @Test func aHeldNoteIsNotAMissedTap() throws {
        let (bars, frames) = Self.steady(holdAt: 29)
        let given = stride(from: 0, through: 60, by: 4).enumerated().map {
            TappedBars.Tap(seconds: bars[$1], bar: 1 + 4 * $0)
        }
        let found = try TappedBars(taps: given, every: 4, frames: frames)
        #expect(found.missedBars == [])
        #expect(found.heldBars == [33])
        #expect(found.bars.map(\.number) == Array(1...61))
        let doubtful = found.bars.filter { $0.reasons.contains(.missingTap) }
        #expect(doubtful.map(\.number) == [33])
        #expect(doubtful.allSatisfy { $0.doubt >= OfflineScoreAlignment.doubtfulFrom })
    }

    @Test func numbersThatJumpBackBeginARepeat() throws {
        var given = taps(every: 4).dropLast().map { $0 }
        for index in given.indices.dropFirst(3) { given[index].bar -= 12 }
        let found = try TappedBars(taps: given, every: 4, frames: frames)
        #expect(found.bars.map(\.number).prefix(16).elementsEqual(Array(1...12) + Array(1...4)))
    }

    @Test func withoutSoundTheBarsAreEven() throws {
        let silence = ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: 144 * 2000), dimensions: 144,
            powerByFrame: [Float](repeating: 0, count: 2000))
        let given = (0..<5).map { TappedBars.Tap(seconds: 2 + 8 * Double($0), bar: 4 * $0 + 1) }
        let found = try TappedBars(taps: given, every: 4, frames: silence)
        for (index, bar) in found.bars.enumerated() {
            #expect(abs(bar.seconds - 2 - 2 * Double(index)) < 0.15)
        }
    }

    @Test func oneTapIsOneBarAndNoTapIsNone() throws {
        let one = [TappedBars.Tap(seconds: 3, bar: 7), TappedBars.Tap(seconds: 1e6, bar: 8)]
        #expect(try TappedBars(taps: one, every: 1, frames: frames).bars.map(\.number) == [7])
        #expect(try TappedBars(taps: [], every: 1, frames: frames).bars.isEmpty)
    }

    @Test func tapsThatLeaveNoRoomAreKept() throws {
        let given = (0..<6).map { TappedBars.Tap(seconds: 5 + 0.001 * Double($0), bar: 10 * $0) }
        let found = try TappedBars(taps: given, every: 1, frames: frames)
        #expect(zip(found.bars, found.bars.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
    }
}

extension Float {
    fileprivate static func decay(_ frames: Int) -> Float {
        (0..<frames).reduce(1) { value, _ in value * 0.85 }
    }
}
