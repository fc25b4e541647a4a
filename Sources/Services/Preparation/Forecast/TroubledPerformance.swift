import Basics
import Features
import Foundation
import Score
import Sound

/// A way in which a recording is changed before the follower hears it.
package enum MadeTrouble: String, Codable, CaseIterable, Sendable {
    /// A further recording as it is, followed by the others.
    case otherRecording
    /// A large hall with noise.
    case hall
    case slower, faster
    /// The tempo changes every few seconds.
    case uneven
    /// The players leave out some bars, or stop and begin again some bars earlier.
    case leaps

    /// The circumstances for people, after “Hesitates at bars 57–60 …”.
    var words: String {
        switch self {
        case .otherRecording: "when another recording is played"
        case .hall: "in a large, noisy hall"
        case .slower: "when it is played slower"
        case .faster: "when it is played faster"
        case .uneven: "when the tempo changes much"
        case .leaps: "after a leap"
        }
    }

    /// The tempo at an instant of the recording, as a multiple of the recording's.
    /// - Parameter step: counts the steps of ``tempoStepSeconds``.
    func tempo(step: Int) -> Double {
        switch self {
        case .slower: 0.75
        case .faster: 1.3
        case .uneven: pow(1.35, sin(Double(step) * 2.1) * sin(Double(step) * 0.37 + 1))
        case .otherRecording, .hall, .leaps: 1
        }
    }

    var changesTempo: Bool { tempo(step: 1) != 1 }

    /// The seconds of the recording for which a tempo stays.
    static let tempoStepSeconds = 2.0

    /// The time that the recording's first seconds take.
    func duration(ofFirst seconds: Double) -> Double {
        let steps = Int(seconds / Self.tempoStepSeconds)
        let whole = (0..<steps).reduce(0) { $0 + Self.tempoStepSeconds / tempo(step: $1) }
        return whole + (seconds - Double(steps) * Self.tempoStepSeconds) / tempo(step: steps)
    }
}

/// A recording of a piece that is played with made trouble, and the bars that sound at each moment.
struct TroubledPerformance {
    /// A bar as it is played.
    struct PlayedBar: Equatable {
        /// The place among the bars of the piece, counted from 0.
        var played: Int
        /// The time at which it begins and ends, in seconds of the performance.
        var from, to: Double
        /// The time since the beginning or the last leap, in seconds, at the bar's beginning.
        var sinceLeap: Double
    }

    /// A stretch of bars that are played without a leap.
    struct Stretch: Equatable {
        var bars: Range<Int>
        /// The beginning and end in the recording, in seconds.
        var from, to: Double
    }

    /// The seconds before the first bar and after the last one.
    static let margin = 1.0
    private static let hall = RoomShape(reverberationSeconds: 3.2, directToReverberantDecibels: -12)
    /// The delays of the hall differ from those of the rooms that a model knows.
    private static let hallScale = 1.17
    private static let noiseDecibels = -8.0
    private static let leapEverySeconds = 25.0
    /// The longest leap, in bars and in seconds; a leap has one bar at least.
    private static let leapBars = 8
    private static let leapSeconds = 15.0
    /// The seconds that are played before and after a passage that is left out.
    private static let secondsBeforeLeap = 60.0
    static let secondsAfterLeap = 30.0

    let trouble: MadeTrouble
    let stretches: [Stretch]
    let bars: [PlayedBar]

    /// - Parameters:
    ///   - measures: the measures in the recording.
    ///   - duration: that of the recording, in seconds.
    init(_ trouble: MadeTrouble, measures: MeasureMap, duration: Double) {
        self.init(
            trouble, measures: measures,
            stretches: Self.stretches(measures, duration: duration, leaps: trouble == .leaps))
    }

    /// The bars before a place, and those after a passage that begins there and is left out.
    ///
    /// It begins at most a minute before the leap and ends half a minute after it.
    /// - Parameter passage: places among the played bars; it begins after the first bar and ends before the last one.
    init(leavingOut passage: Range<Int>, measures: MeasureMap) {
        func onset(_ bar: Int) -> Double { measures.onset(after: bar - 1).seconds }
        let leap = onset(passage.lowerBound)
        let goesOn = onset(passage.upperBound)
        let first = measures.marks.indices.first { onset($0) >= leap - Self.secondsBeforeLeap } ?? 0
        let last =
            measures.marks.indices.first { onset($0) >= goesOn + Self.secondsAfterLeap }
            ?? measures.marks.count
        self.init(
            .leaps, measures: measures,
            stretches: [
                Stretch(
                    bars: first..<passage.lowerBound, from: max(onset(first) - Self.margin, 0), to: leap),
                Stretch(bars: passage.upperBound..<last, from: goesOn, to: onset(last)),
            ])
    }

    private init(_ trouble: MadeTrouble, measures: MeasureMap, stretches: [Stretch]) {
        self.trouble = trouble
        self.stretches = stretches
        var bars: [PlayedBar] = []
        var start = 0.0
        for stretch in stretches {
            let offset = start - stretch.from
            for played in stretch.bars {
                let from = measures.marks[played].onset.seconds + offset
                let to = measures.onset(after: played).seconds + offset
                bars.append(
                    PlayedBar(
                        played: played, from: trouble.duration(ofFirst: from),
                        to: trouble.duration(ofFirst: to),
                        sinceLeap: trouble.duration(ofFirst: from) - trouble.duration(ofFirst: start)))
            }
            start += stretch.to - stretch.from
        }
        self.bars = bars
    }

    /// Every twenty-five seconds the music leaps at a bar line, in turn forwards and back.
    private static func stretches(_ measures: MeasureMap, duration: Double, leaps: Bool) -> [Stretch] {
        let count = measures.marks.count
        func onset(_ bar: Int) -> Double { measures.onset(after: bar - 1).seconds }
        /// The bar to which the music leaps from a bar line.
        func target(_ line: Int, _ step: Int) -> Int {
            var bar = line + step
            while abs(bar + step - line) <= leapBars, (0...count).contains(bar + step),
                abs(onset(bar + step) - onset(line)) <= leapSeconds
            {
                bar += step
            }
            return bar
        }
        var stretches: [Stretch] = []
        var (first, isForward) = (0, true)
        while first < count {
            let line = (first + 1..<max(count, first + 1)).first {
                leaps && onset($0) - onset(first) >= leapEverySeconds
            }
            let from = stretches.isEmpty ? max(onset(0) - margin, 0) : onset(first)
            stretches.append(
                Stretch(
                    bars: first..<(line ?? count), from: from,
                    to: line.map(onset) ?? min(measures.end.seconds + margin, duration)))
            guard let line else { break }
            first = isForward ? target(line, 1) : max(target(line, -1), first + 1)
            isForward.toggle()
        }
        return stretches
    }

    /// Plays it.
    /// - Parameters:
    ///   - meanSquare: the power of the music, for the level of the noise.
    ///   - take: gets the next samples; returns false to end the performance early.
    func play(
        _ reader: SoundFileReader, meanSquare: Double, _ take: (UnsafeBufferPointer<Float>) -> Bool
    ) throws(SoundFileError) {
        let rate = reader.sampleRate
        var stretcher = trouble.changesTempo ? TempoStretcher(rate: rate.hertz) : nil
        let hall =
            trouble == .hall
            ? RoomSimulator(Self.hall, rate: SampleRate(hertz: rate.hertz * Self.hallScale)) : nil
        var noise = PinkNoise(
            level: trouble == .hall ? (meanSquare * pow(10, Self.noiseDecibels / 10)).squareRoot() : 0)
        var block = [Float](repeating: 0, count: 4_096)
        var played = 0
        for stretch in stretches {
            try reader.seek(toFrame: Int(stretch.from * rate.hertz))
            var left = Int((stretch.to - stretch.from) * rate.hertz)
            while left > 0 {
                let wanted = min(block.count, left)
                let step = Int(Double(played) / rate.hertz / MadeTrouble.tempoStepSeconds)
                let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(SoundFileError) in
                    try reader.read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<wanted]))
                }
                guard count > 0 else { break }
                left -= count
                var heard =
                    stretcher?.process(block[..<count], tempo: trouble.tempo(step: step))
                    ?? Array(block[..<count])
                played += count
                heard.withUnsafeMutableBufferPointer { buffer in
                    hall?.addReverberation(to: buffer)
                    if noise.level > 0 { noise.add(to: buffer) }
                }
                guard heard.withUnsafeBufferPointer(take) else { return }
            }
        }
    }
}

/// Noise whose power falls by 3 dB an octave, the same in every run.
///
/// - Source: P. Kellet, a filter for pink noise (musicdsp.org, 1999).
private struct PinkNoise {
    /// The root mean square of the noise.
    let level: Double
    private var random = SeededRandomGenerator(seed: 1)
    private var low: Float = 0
    private var middle: Float = 0
    private var high: Float = 0
    /// The root mean square of the filter's output for white noise in -1…1; measured.
    private static let ownLevel = 1.70

    init(level: Double) { self.level = level }

    mutating func add(to samples: UnsafeMutableBufferPointer<Float>) {
        let gain = Float(level / Self.ownLevel)
        for index in samples.indices {
            let white = Float(Int32(truncatingIfNeeded: random.next())) / Float(Int32.max)
            low = 0.99765 * low + white * 0.0990460
            middle = 0.96300 * middle + white * 0.2965164
            high = 0.57000 * high + white * 1.0526913
            samples[index] += gain * (low + middle + high + white * 0.1848)
        }
    }
}
