import Foundation
import Podium

/// The accuracy of the measures that were shown in a piece, compared with a file of true measure times.
public struct ShowAccuracy: Codable, Equatable, Sendable {
    /// The name of the piece.
    public var piece: String
    /// The number of shown measures that were compared.
    public var measures: Int
    /// The number of true measures that were not shown within ``TrueMeasureTimes/matchingRangeSeconds`` of their time.
    public var missed: Int
    /// The median error in seconds; positive if the measures were shown too late.
    public var medianSeconds: Double
    /// The absolute error in seconds that 95 % of the measures did not exceed.
    public var ninetyFiveSeconds: Double
    public var worstSeconds: Double
    /// The share of all true measures, 0…1, that were shown with at most this error.
    public var within300Milliseconds: Double
    public var within500Milliseconds: Double
    public var withinOneSecond: Double
    /// The time, in milliseconds of the show, that corresponds to 0 seconds in the file of true times.
    public var beginsAt: Int64
    /// True if the beginning was estimated from the measures, because nobody stated it. A constant delay is then
    /// invisible.
    public var isBeginningEstimated: Bool
}

/// The true start time of each measure, read from a file with rows of `measure,time`.
public struct TrueMeasureTimes: Equatable, Sendable {
    /// The true start time of one measure, in seconds.
    public struct MeasureTimeRow: Equatable, Sendable {
        public var measure: Int
        public var seconds: Double
    }

    /// The longest time, in seconds, between a row and the shown measure that is compared with it. A row without a
    /// shown measure in this range counts as missed.
    public static let matchingRangeSeconds = 30.0
    static let mostFileBytes = 4 << 20

    public var rows: [MeasureTimeRow]

    public init(rows: [MeasureTimeRow]) { self.rows = rows }

    /// Reads a file with rows of `measure,time`; the first row may be a heading.
    /// - Throws: ``ShowLogFault`` that names the unreadable row.
    public init(file path: String) throws(ShowLogFault) {
        let descriptor = try OwnedFileDescriptor(reading: path)
        let handle = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        guard let bytes = try? handle.read(upToCount: Self.mostFileBytes) else {
            throw .unreadable(path: path, reason: "it is empty")
        }
        rows = []
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        for (index, line) in lines.enumerated() {
            let fields = line.split(separator: 0x2C).map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            }
            guard fields.count >= 2, let measure = Int(fields[0]), let seconds = Double(fields[1]),
                seconds.isFinite
            else {
                if index == 0 { continue }
                throw .unreadableMeasureTimeRow(path: path, row: index + 1)
            }
            rows.append(MeasureTimeRow(measure: measure, seconds: seconds))
        }
        rows.sort { $0.seconds < $1.seconds }
    }
}

extension ShowReport {
    /// Calculates the accuracy of one piece and stores it in the report.
    /// - Parameter beginsAt: the show time that corresponds to 0 in the true times; if nil, it is estimated from the
    ///   measures.
    public mutating func addAccuracy(
        piece: Int, comparedWith truth: TrueMeasureTimes, beginsAt: ShowTime? = nil
    ) {
        guard pieces.indices.contains(piece), !truth.rows.isEmpty else { return }
        let shown = pieces[piece].measures
        let beginning = beginsAt?.milliseconds ?? Self.estimateBeginning(of: truth, in: shown)
        guard let beginning else { return }
        var errors: [Double] = []
        for row in truth.rows {
            let nearest = shown.lazy.filter { $0.measure == row.measure }
                .map { Double($0.at - beginning) / 1_000 - row.seconds }.min { abs($0) < abs($1) }
            if let nearest, abs(nearest) <= TrueMeasureTimes.matchingRangeSeconds { errors.append(nearest) }
        }
        guard !errors.isEmpty else { return }
        let sizes = errors.map(abs).sorted()
        func share(_ seconds: Double) -> Double {
            rounded(Double(sizes.count { $0 <= seconds }) / Double(truth.rows.count))
        }
        accuracy = ShowAccuracy(
            piece: pieces[piece].name, measures: errors.count, missed: truth.rows.count - errors.count,
            medianSeconds: rounded(Self.quantile(errors.sorted(), 0.5)),
            ninetyFiveSeconds: rounded(Self.quantile(sizes, 0.95)), worstSeconds: rounded(sizes.last!),
            within300Milliseconds: share(0.3), within500Milliseconds: share(0.5),
            withinOneSecond: share(1), beginsAt: beginning, isBeginningEstimated: beginsAt == nil)
    }

    /// Estimates the show time, in milliseconds, that corresponds to 0 in the true times: the median difference between
    /// shown measures and rows of the same measure number, matched in order.
    private static func estimateBeginning(of truth: TrueMeasureTimes, in shown: [Measure]) -> Int64? {
        var distances: [Double] = []
        var next = shown[...]
        for row in truth.rows {
            guard let index = next.firstIndex(where: { $0.measure == row.measure }) else { continue }
            distances.append(Double(next[index].at) - row.seconds * 1_000)
            next = next[(index + 1)...]
        }
        return distances.isEmpty ? nil : Int64(quantile(distances.sorted(), 0.5).rounded())
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted[min(Int((share * Double(sorted.count)).rounded(.down)), sorted.count - 1)]
    }

    private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
