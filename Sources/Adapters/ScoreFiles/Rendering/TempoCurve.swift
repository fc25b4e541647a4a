import Basics

/// A tempo curve over the measures of a score: points joined by straight lines, constant before the first point and
/// after the last.
///
/// The text form is a header and one point a line; `#` begins a comment:
///
///     measure,ratio        printed measure numbers; 1.1 is a tenth faster than the score says
///     measure,bpm          quarters a minute instead of the score's own tempo
///     played,ratio         performed measures counted from 1, so that a repeat can differ
///     played,bpm
///
/// `12.5` is the middle of measure 12. Two equal measures in a row make a sudden change.
public struct TempoCurve: Equatable, Sendable {
    /// The numbers by which a curve names its measures.
    public enum MeasureCounting: String, Sendable { case printed = "measure", played }
    /// The unit of a curve's tempi.
    public enum TempoUnit: String, Sendable { case ratio, quartersPerMinute = "bpm" }

    /// The tempo at one measure.
    public struct Point: Equatable, Sendable {
        public var measure: Double
        public var tempoValue: Double

        public init(measure: Double, tempoValue: Double) {
            self.measure = measure
            self.tempoValue = tempoValue
        }
    }

    public let measureCounting: MeasureCounting
    public let tempoUnit: TempoUnit
    public let points: [Point]

    static let maximumPoints = 100_000

    /// Parses a curve from its text form.
    public init(text: String) throws(ExplainedError) {
        var header: (axis: MeasureCounting, unit: TempoUnit)?
        var points: [Point] = []
        for (index, rawLine) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = rawLine.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            if line.isEmpty { continue }
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 2 else {
                throw ExplainedError("line \(index + 1) should hold two numbers with a comma between")
            }
            guard let (_, unit) = header else {
                guard let axis = MeasureCounting(rawValue: fields[0]),
                    let unit = TempoUnit(rawValue: fields[1])
                else {
                    throw ExplainedError(
                        "line \(index + 1) should be the header: measure,ratio or measure,bpm or played,ratio or "
                            + "played,bpm")
                }
                header = (axis, unit)
                continue
            }
            guard let measure = Double(fields[0]), measure.isFinite, let value = Double(fields[1]) else {
                throw ExplainedError("line \(index + 1) holds something that is not a number")
            }
            guard Self.allowedTempoRange(of: unit).contains(value) else {
                throw ExplainedError(
                    "line \(index + 1) asks for \(value); ratios go from 0.05 to 20, quarters a minute from 2 to 1000"
                )
            }
            if let last = points.last, measure < last.measure {
                throw ExplainedError("line \(index + 1) goes back to an earlier measure")
            }
            guard points.count < Self.maximumPoints else {
                throw ExplainedError("there are too many points; line \(index + 1) is one more than is read")
            }
            points.append(Point(measure: measure, tempoValue: value))
        }
        guard let header, !points.isEmpty else { throw ExplainedError("it has no points") }
        (measureCounting, tempoUnit) = header
        self.points = points
    }

    /// The value at a measure and fraction, for example 12.5.
    /// - Complexity: O(log points).
    public func tempoValue(at measure: Double) -> Double {
        var low = 0
        var high = points.count
        while low < high {
            let middle = (low + high) / 2
            if points[middle].measure <= measure { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return points[0].tempoValue }
        let before = points[low - 1]
        guard low < points.count else { return before.tempoValue }
        let after = points[low]
        let share = (measure - before.measure) / (after.measure - before.measure)
        return before.tempoValue + (after.tempoValue - before.tempoValue) * share
    }

    static func allowedTempoRange(of unit: TempoUnit) -> ClosedRange<Double> {
        switch unit {
        case .ratio: 0.05...20
        case .quartersPerMinute: 2...1_000
        }
    }
}
