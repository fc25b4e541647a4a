import Foundation

/// Plays sound faster or slower at the same pitch, block by block.
///
/// Overlapping grains of the input are added at another distance than they were taken. Each grain is taken where it
/// continues the grain before best, so that tones go on without a break.
///
/// Cost: some 40 operations a sample.
/// - Source: W. Verhelst, M. Roelands, "An overlap-add technique based on waveform similarity (WSOLA)", ICASSP 1993.
struct TempoStretcher {
    private static let grainSeconds = 0.06
    /// The furthest that a grain is taken from its own place, on either side.
    private static let reachSeconds = 0.01
    /// Likeness is searched at every fourth sample, then around the best place at each.
    private static let coarseStep = 4

    /// Half of a grain: the distance of two grains in the output.
    private let half: Int
    private let reach: Int
    private let window: [Float]
    private var input: [Float] = []
    /// The number of the first sample of `input`, counted from the beginning of the sound.
    private var inputStart = 0
    private var grainCount = 0
    /// The place of the newest grain in the sound.
    private var newestGrain = 0
    /// The place from which the next grain would be taken if it had not to continue the one before.
    private var wantedPlace = 0.0
    /// The falling half of the newest grain, to which the rising half of the next one is added.
    private var tail: [Float]

    /// - Parameter rate: the sample rate in hertz.
    init(rate: Double) {
        half = Int(Self.grainSeconds * rate / 2) / Self.coarseStep * Self.coarseStep
        reach = Int(Self.reachSeconds * rate) / Self.coarseStep * Self.coarseStep
        let grain = 2 * half
        window = (0..<grain).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(grain))) }
        tail = [Float](repeating: 0, count: half)
    }

    /// Takes the next samples of the input and returns the output that they complete.
    /// - Parameter tempo: that of these samples; above 1 for faster.
    mutating func process(_ samples: ArraySlice<Float>, tempo: Double) -> [Float] {
        input.append(contentsOf: samples)
        var output: [Float] = []
        while let place = nextPlace() {
            output.append(contentsOf: addGrain(at: place))
            wantedPlace += Double(half) * tempo
        }
        let used = max(min(newestGrain, Int(wantedPlace) - furthest) - inputStart, 0)
        if used > 1 << 16 {
            input.removeFirst(used)
            inputStart += used
        }
        return output
    }

    /// The furthest place that is compared, in samples from the wanted one.
    private var furthest: Int { reach + Self.coarseStep }

    /// Returns the place of the next grain; nil if the input does not reach so far yet.
    private func nextPlace() -> Int? {
        let middle = Int(wantedPlace) - inputStart
        // The sound that would follow the newest grain in the input.
        let natural = newestGrain + half - inputStart
        guard max(middle + furthest, natural) + 2 * half <= input.count else { return nil }
        guard grainCount > 0 else { return 0 }
        return inputStart
            + input.withUnsafeBufferPointer { input in
                var (best, likeness) = (middle, -Float.infinity)
                func consider(_ places: some Sequence<Int>) {
                    for place in places where place >= 0 {
                        var (product, power): (Float, Float) = (0, 1e-9)
                        for offset in stride(from: 0, to: half, by: Self.coarseStep) {
                            let sample = input[place + offset]
                            product += sample * input[natural + offset]
                            power += sample * sample
                        }
                        let found = product / power.squareRoot()
                        if found > likeness { (best, likeness) = (place, found) }
                    }
                }
                consider(stride(from: middle - reach, through: middle + reach, by: Self.coarseStep))
                consider(best - Self.coarseStep + 1..<best + Self.coarseStep)
                return best
            }
    }

    /// Adds a grain and returns the finished samples before its middle.
    private mutating func addGrain(at place: Int) -> [Float] {
        let first = place - inputStart
        var finished = tail
        for index in 0..<half {
            finished[index] += input[first + index] * window[index]
            tail[index] = input[first + half + index] * window[half + index]
        }
        (newestGrain, grainCount) = (place, grainCount + 1)
        return finished
    }
}
