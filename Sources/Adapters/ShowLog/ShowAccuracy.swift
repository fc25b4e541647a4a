import Foundation
import Podium

/// The accuracy of the shown measures, compared with a file of true measure times.
public struct ShowAccuracy: Codable, Equatable, Sendable {
    /// Name of the piece.
    public var piece: String
    /// Number of shown measures that were compared.
    public var measures: Int
    /// True measures that were never shown within ``TrueMeasureTimes/matchingRangeSeconds`` of their time.
    public var missed: Int
    /// In seconds; positive if shown after the true time.
    public var medianSeconds: Double
    /// The absolute error in seconds that 95 of 100 measures did not exceed.
    public var ninetyFiveSeconds: Double
    public var worstSeconds: Double
    /// The shares of all true measures that were shown within these times, 0…1.
    public var within300Milliseconds: Double
    public var within500Milliseconds: Double
    public var withinOneSecond: Double
    /// The show time at which the true times have their zero.
    public var beginsAt: Int64
    /// True if nobody gave the beginning: a constant delay is then not visible.
    public var isBeginningEstimated: Bool
}

/// The true start of each measure: rows of `measure,time`.
public struct TrueMeasureTimes: Equatable, Sendable {
    public struct MeasureTimeRow: Equatable, Sendable {
        public var measure: Int
        public var seconds: Double
    }

    /// A measure shown farther from a row than this belongs to another row, or counts as missed.
    public static let matchingRangeSeconds = 30.0
    static let mostBytes = 4 << 20

    public var rows: [MeasureTimeRow]

    public init(rows: [MeasureTimeRow]) { self.rows = rows }

    /// Reads `measure,time` rows; the first row may be a heading.
    /// - Throws: ``ShowLogFault`` that names the row.
    public init(file path: String) throws(ShowLogFault) {
        let descriptor = try OwnedDescriptor(reading: path)
        let handle = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        guard let bytes = try? handle.read(upToCount: Self.mostBytes) else {
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
                throw .truthRow(path: path, row: index + 1)
            }
            rows.append(MeasureTimeRow(measure: measure, seconds: seconds))
        }
        rows.sort { $0.seconds < $1.seconds }
    }
}

extension ShowReport {
    /// Adds the accuracy of one piece.
    /// - Parameter beginsAt: the show's time at the zero of the true times; nil estimates it from the measures.
    public mutating func judge(piece: Int, by truth: TrueMeasureTimes, beginsAt: ShowTime? = nil) {
        guard pieces.indices.contains(piece), !truth.rows.isEmpty else { return }
        let shown = pieces[piece].measures
        let beginning = beginsAt?.milliseconds ?? Self.beginning(of: truth, in: shown)
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

    /// The median distance between shown measures and rows of the same number, matched in order.
    private static func beginning(of truth: TrueMeasureTimes, in shown: [Measure]) -> Int64? {
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
