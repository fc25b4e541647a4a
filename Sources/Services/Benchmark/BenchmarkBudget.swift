import Hosting

/// A limit on the engine's use of time or memory, and the value measured.
package struct BudgetCheck: Encodable {
    package var name: String
    package var limit: String
    package var measured: String
    package var isKept: Bool
}

extension BudgetCheck {
    static let longestCoreShare = 0.05
    static let longestResidentBytes = 60_000_000
    /// Largest processor time of a hop: half the time between two hops.
    static let longestHopNanoseconds: Int64 = 10_000_000
    static let slowestReplay = 200.0

    /// The limits for one length of reference, with the measured values.
    package static func lines(_ engine: EngineCosts) -> [BudgetCheck] {
        let minutes = "\(Int(engine.referenceMinutes)) min"
        var lines = [
            BudgetCheck(
                name: "share of one core in real time, \(minutes)", limit: "<= \(longestCoreShare.percent)",
                measured: engine.pacedCoreShare.percent,
                isKept: engine.pacedCoreShare <= longestCoreShare),
            BudgetCheck(
                name: "resident above the model, \(minutes)", limit: "<= \(longestResidentBytes.megabytes)",
                measured: engine.residentBytes.megabytes,
                isKept: engine.residentBytes <= longestResidentBytes),
            BudgetCheck(
                name: "hop, 99.9 %, \(minutes)", limit: "<= \(longestHopNanoseconds.milliseconds)",
                measured: engine.steady.p999Nanoseconds.milliseconds,
                isKept: engine.steady.p999Nanoseconds <= longestHopNanoseconds),
            BudgetCheck(
                name: "hop in real time, longest, \(minutes)",
                limit: "<= \(longestHopNanoseconds.milliseconds)",
                measured: engine.paced.longestNanoseconds.milliseconds,
                isKept: engine.paced.longestNanoseconds <= longestHopNanoseconds),
            BudgetCheck(
                name: "hop while the key is open, longest, \(minutes)",
                limit: "<= \(longestHopNanoseconds.milliseconds)",
                measured: engine.opening.longestNanoseconds.milliseconds,
                isKept: engine.opening.longestNanoseconds <= longestHopNanoseconds),
        ]
        if let allocations = engine.allocations {
            lines.append(
                BudgetCheck(
                    name: "allocations in \(engine.steady.turns + engine.paced.turns) hops, \(minutes)",
                    limit: "0",
                    measured: "\(allocations)", isKept: allocations == 0))
        }
        return lines
    }

    package static func line(_ replay: ReplayCosts) -> BudgetCheck {
        BudgetCheck(
            name: "replay at once, \(Int(replay.audioSeconds / 60)) min", limit: ">= \(Int(slowestReplay)) x",
            measured: "\(Int(replay.speed)) x", isKept: replay.speed >= slowestReplay)
    }
}
