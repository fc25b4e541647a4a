@testable import Alignment

/// A made-up melody that glides from chord to chord, so that every moment of it sounds different.
struct Melody {
    static let partCount = 12
    /// Start of each note in frames, and behind the last one the end.
    private(set) var starts: [Double] = [0]
    /// What each note begins with, and the last one ends with.
    private var chords: [[Float]] = []
    private var generator: UInt64

    init(noteCount: Int, frames: ClosedRange<Double> = 8...24, seed: UInt64 = 1) {
        generator = seed
        chords = [chord()]
        for _ in 0..<noteCount {
            addNote(frames: frames.lowerBound + random() * (frames.upperBound - frames.lowerBound))
        }
    }

    mutating func addNote(frames: Double) {
        chords.append(chord())
        starts.append(starts[starts.count - 1] + frames)
    }

    /// Adds a note that does not glide: one moment of it sounds like another.
    mutating func addHeldNote(frames: Double) {
        chords.append(chords[chords.count - 1])
        starts.append(starts[starts.count - 1] + frames)
    }

    /// The melody played so many times as fast.
    func frames(tempo: Double = 1) -> ReferenceFeatureFrames {
        var values: [Float] = []
        let count = Int(starts[starts.count - 1] / tempo)
        var note = 0
        for frame in 0..<count {
            let place = Double(frame) * tempo
            while place >= starts[note + 1] { note += 1 }
            let share = Float((place - starts[note]) / (starts[note + 1] - starts[note]))
            let glide = zip(chords[note], chords[note + 1]).map { $0 + ($1 - $0) * share }
            let norm = glide.reduce(0) { $0 + $1 * $1 }.squareRoot()
            values += glide.map { $0 / norm }
            values += glide.reversed().map { $0 / norm }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: 2 * Self.partCount,
            powerByFrame: [Float](repeating: 1, count: count))
    }

    /// Three parts of unit norm together.
    private mutating func chord() -> [Float] {
        var chord = [Float](repeating: 0, count: Self.partCount)
        for _ in 0..<3 { chord[Int(random() * Double(Self.partCount))] += Float(0.5 + random()) }
        let norm = chord.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return chord.map { $0 / norm }
    }

    /// Between 0 and 1; a linear congruential generator, so that every run of a test is the same.
    private mutating func random() -> Double {
        generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(generator >> 11) / Double(1 << 53)
    }
}

extension ReferenceFeatureFrames {
    /// Frames followed by others.
    static func + (before: ReferenceFeatureFrames, after: ReferenceFeatureFrames) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: before.featureValues + after.featureValues, dimensions: before.dimensions,
            powerByFrame: before.powerByFrame + after.powerByFrame)
    }

    /// Frames of nothing.
    static func silence(_ count: Int) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: count * 2 * Melody.partCount),
            dimensions: 2 * Melody.partCount, powerByFrame: [Float](repeating: 0, count: count))
    }

    func part(_ range: Range<Int>) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: Array(
                featureValues[range.lowerBound * dimensions..<range.upperBound * dimensions]),
            dimensions: dimensions, powerByFrame: Array(powerByFrame[range]))
    }

    /// Two sequences whose local costs are those of a matrix: rows of one value, columns of the costs.
    static func pair(costs: [[Float]]) -> (rows: ReferenceFeatureFrames, columns: ReferenceFeatureFrames) {
        var rows: [Float] = []
        for row in costs.indices { rows += costs.indices.map { $0 == row ? 1 : 0 } }
        var columns: [Float] = []
        for column in costs[0].indices { columns += costs.map { 2 * (1 - $0[column]) } }
        return (
            ReferenceFeatureFrames(
                featureValues: rows, dimensions: costs.count,
                powerByFrame: [Float](repeating: 1, count: costs.count)),
            ReferenceFeatureFrames(
                featureValues: columns, dimensions: costs.count,
                powerByFrame: [Float](repeating: 1, count: costs[0].count))
        )
    }
}
