/// Converts seconds of one recording to another measure of the same music, by its bar lines: to beats, or to seconds of
/// another recording. Between bar lines, before the first and after the last, it goes evenly.
public struct BarLineConversion: Sendable, Equatable {
    private let seconds: [Double]
    private let values: [Double]

    /// - Parameters:
    ///   - seconds: of the bar lines in the recording, and of its end; they rise.
    ///   - values: what is there in the other measure; as many, and rising.
    /// - Returns: nil if there are less than two, or they do not fit.
    public init?(seconds: [Double], values: [Double]) {
        func rises(_ numbers: [Double]) -> Bool { zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } }
        guard seconds.count == values.count, seconds.count > 1, rises(seconds), rises(values) else {
            return nil
        }
        (self.seconds, self.values) = (seconds, values)
    }

    /// - Complexity: O(log bar lines).
    public func value(at second: Double) -> Double {
        let bar = bar(at: second)
        return values[bar] + (second - seconds[bar]) * slope(ofBar: bar)
    }

    /// The rise of the value in a second.
    public func slope(at second: Double) -> Double { slope(ofBar: bar(at: second)) }

    private func slope(ofBar bar: Int) -> Double {
        (values[bar + 1] - values[bar]) / (seconds[bar + 1] - seconds[bar])
    }

    private func bar(at second: Double) -> Int {
        var (low, high) = (0, seconds.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if second >= seconds[middle] { low = middle } else { high = middle }
        }
        return low
    }
}
