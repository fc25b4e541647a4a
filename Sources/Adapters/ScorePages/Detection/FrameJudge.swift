import Foundation

/// A frame with what was measured to judge it.
struct MeasureFrame {
    var system: Int
    var columns: MeasureColumns
    var features: [Double]
}

/// Says how likely a frame is right, as a small network that was fitted to right and wrong frames of damaged pages.
struct FrameJudge {
    static let featureCount = 17

    let systems: [StaffSystem]
    let columns: [[MeasureColumns]]

    private let mostStaves: Int
    private let longest: Double
    private let usualCount: Double

    init(systems: [StaffSystem], columns: [[MeasureColumns]]) {
        (self.systems, self.columns) = (systems, columns)
        mostStaves = systems.map(\.staves.count).max() ?? 1
        longest = systems.map(\.length).max() ?? 1
        usualCount = Double(Self.median(columns.map { Double($0.count) }) ?? 1)
    }

    static func confidence(_ features: [Double]) -> Double {
        SmallNetwork.probability(SmallNetwork.frames.odds(of: features))
    }

    /// Lengths are compared by their logarithms; odds lie between −1 and 1.
    func features(of frame: MeasureColumns, in index: Int) -> [Double] {
        let system = systems[index]
        let width = max(frame.right - frame.left, 1)
        let usual = Self.median(columns[index].map { $0.right - $0.left }) ?? width
        let lefts = system.staves.map(\.left)
        let left = Self.median(lefts) ?? 0
        let odd = lefts.count { abs($0 - left) > 3 * system.space }
        let (start, end) = (Self.odds(frame.start), Self.odds(frame.end))
        let alike = systems.count { $0.staves.count == system.staves.count }
        return [
            start, end, min(start, end), Self.odds(frame.within),
            log(width / max(usual, 1)), log(width / (8 * system.space)), frame.isOpen ? 1 : 0,
            1 - Double(system.staves.count) / Double(mostStaves), 1 / Double(system.staves.count),
            Double(alike) / Double(systems.count), system.weakestSeam, system.strongestOutside,
            system.length / longest, Double(odd) / Double(lefts.count),
            log(Double(max(columns[index].count, 1)) / max(usualCount, 1)),
            Self.median(system.staves.map(\.clearShare)) ?? 0, system.staves.map(\.clearShare).min() ?? 0,
        ]
    }

    private static func odds(_ probability: Double) -> Double {
        min(max(SmallNetwork.odds(ofProbability: probability) / 6, -1), 1)
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
