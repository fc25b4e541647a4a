import Glibc

/// Converts sound to another sample rate by windowed sinc filters, one for each phase between the two rates.
///
/// The pass band ends at 90 % of the lower Nyquist frequency, and what lies above it is 60 dB lower.
package struct Resampler: Sendable {
    /// The length of a filter on either side, in periods of the lower rate.
    private static let halfWidth = 12.0
    private static let passShare = 0.95

    /// Output samples a block of `inputStep` input samples makes.
    private let phaseCount: Int
    private let inputStep: Int
    /// The filters, one after the other, `tapCount` values each.
    private let filters: [Float]
    private let tapCount: Int
    /// The input samples that are still needed; the first is number `bufferStart` of the input.
    private var buffer: [Float]
    private var bufferStart: Int
    private var nextOutput = 0

    /// - Parameters:
    ///   - from: the rate of the input in whole hertz.
    ///   - to: the rate of the output in whole hertz.
    package init(from: Int, to: Int) {
        var (a, b) = (from, to)
        while b != 0 { (a, b) = (b, a % b) }
        phaseCount = to / a
        inputStep = from / a
        let cutoff = min(1, Double(to) / Double(from)) * Self.passShare
        let half = Int((Self.halfWidth / cutoff).rounded(.up))
        tapCount = 2 * half
        var filters: [Float] = []
        filters.reserveCapacity(phaseCount * tapCount)
        for phase in 0..<phaseCount {
            let offset = Double(phase * inputStep % phaseCount) / Double(phaseCount)
            let taps = (0..<tapCount).map { tap -> Double in
                let distance = Double(tap - half + 1) - offset
                let window = 0.5 + 0.5 * cos(Double.pi * min(1, abs(distance) / Double(half)))
                let angle = Double.pi * distance * cutoff
                return window * (angle == 0 ? 1 : sin(angle) / angle)
            }
            let sum = taps.reduce(0, +)
            filters += taps.map { Float($0 / sum) }
        }
        self.filters = filters
        // Silence before the first sample, so that the filters of the first output have something to reach into.
        buffer = [Float](repeating: 0, count: half - 1)
        bufferStart = -(half - 1)
    }

    /// Adds input and appends the output that it completes.
    package mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Float]) {
        buffer.append(contentsOf: input)
        drain(into: &output)
    }

    /// Appends the rest of the output after the last input.
    package mutating func finish(into output: inout [Float]) {
        buffer.append(contentsOf: [Float](repeating: 0, count: tapCount / 2))
        drain(into: &output)
    }

    private mutating func drain(into output: inout [Float]) {
        let half = tapCount / 2
        filters.withUnsafeBufferPointer { filters in
            buffer.withUnsafeBufferPointer { buffer in
                while true {
                    let position = nextOutput * inputStep
                    let first = position / phaseCount - half + 1 - bufferStart
                    guard first + tapCount <= buffer.count else { return }
                    let filter = (nextOutput % phaseCount) * tapCount
                    var sums = SIMD4<Float>.zero
                    var tap = 0
                    while tap + 4 <= tapCount {
                        let x = SIMD4(
                            buffer[first + tap], buffer[first + tap + 1], buffer[first + tap + 2],
                            buffer[first + tap + 3])
                        let w = SIMD4(
                            filters[filter + tap], filters[filter + tap + 1], filters[filter + tap + 2],
                            filters[filter + tap + 3])
                        sums += x * w
                        tap += 4
                    }
                    var sum = sums.sum()
                    while tap < tapCount {
                        sum += buffer[first + tap] * filters[filter + tap]
                        tap += 1
                    }
                    output.append(sum)
                    nextOutput += 1
                }
            }
        }
        let used = nextOutput * inputStep / phaseCount - half + 1 - bufferStart
        // Moved rarely, because moving costs as much as the rest.
        guard used > 65_536 else { return }
        buffer.removeFirst(used)
        bufferStart += used
    }
}
