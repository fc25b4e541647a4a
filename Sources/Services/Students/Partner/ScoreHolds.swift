import Foundation
import TabFiles

/// The fermatas of the pieces' scores, at which a partner waits for the student. A score is read once.
actor ScoreHolds {
    /// The place of a fermata: the played bar, counted from 0, plus the share of it that has passed.
    typealias Hold = ClosedRange<Double>

    private struct Known {
        var edition: String
        var holds: [MusicXMLHolds.Hold]
    }

    private static let mostKnown = 64
    private static let mostBytes = 48_000_000
    private let thread: PracticeThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private var known: [String: Known] = [:]

    /// - Parameter thread: on which scores are read, one after the other.
    init(thread: PracticeThread) { self.thread = thread }

    /// The holds of `RECORDINGS/PIECE/score.musicxml` in playing order; none if there is no such file, or if it cannot
    /// be read.
    /// - Parameter bars: the printed numbers of the played bars.
    func holds(piece: String, recordings: String, bars: [Int]) -> [Hold] {
        let path = "\(recordings)/\(piece)/score.musicxml"
        guard !piece.contains("/"), !piece.hasPrefix("."),
            let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let size = (facts[.size] as? Int), size <= Self.mostBytes
        else { return [] }
        let changed = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let edition = "\(size)x\(Int(changed))"
        if known[piece]?.edition != edition {
            if known.count >= Self.mostKnown { known = [:] }
            let bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
            known[piece] = Known(
                edition: edition, holds: (try? MusicXMLHolds.read(bytes, name: "the score")) ?? [])
        }
        return Self.played(known[piece]?.holds ?? [], bars: bars)
    }

    /// Each hold where its measure is played.
    static func played(_ holds: [MusicXMLHolds.Hold], bars: [Int]) -> [Hold] {
        let byMeasure = Dictionary(grouping: holds, by: \.measure)
        return Array(
            bars.enumerated().lazy.flatMap { played, printed in
                (byMeasure[printed] ?? []).map { Double(played) + $0.begin...Double(played) + $0.end }
            }
            .prefix(MusicXMLHolds.most))
    }
}
