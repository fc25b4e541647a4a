import Hosting

/// A limit on the engine's use of time or memory, and the value measured.
package struct BudgetCheck: Encodable {
    package var name: String
    package var limit: String
    package var measured: String
    package var isKept: Bool
}

extension BudgetCheck {
    static let maximumCoreShare = 0.05
    static let maximumResidentBytes = 60_000_000
    /// The longest permitted processor time of one hop, in nanoseconds: half the time between two hops.
    static let longestHopNanoseconds: Int64 = 10_000_000
    static let minimumReplaySpeed = 200.0

    /// Compares the measured costs with the limits, for one length of reference.
    package static func engineChecks(_ engine: EngineCosts) -> [BudgetCheck] {
        let minutes = "\(Int(engine.referenceMinutes)) min"
        var lines = [
            BudgetCheck(
                name: "share of one core in real time, \(minutes)",
                limit: "<= \(maximumCoreShare.formattedAsPercent)",
                measured: engine.pacedCoreShare.formattedAsPercent,
                isKept: engine.pacedCoreShare <= maximumCoreShare),
            BudgetCheck(
                name: "resident above the model, \(minutes)",
                limit: "<= \(maximumResidentBytes.formattedAsMegabytes)",
                measured: engine.residentBytes.formattedAsMegabytes,
                isKept: engine.residentBytes <= maximumResidentBytes),
            BudgetCheck(
                name: "hop, 99.9 %, \(minutes)", limit: "<= \(longestHopNanoseconds.formattedAsMilliseconds)",
                measured: engine.steady.p999Nanoseconds.formattedAsMilliseconds,
                isKept: engine.steady.p999Nanoseconds <= longestHopNanoseconds),
            BudgetCheck(
                name: "hop in real time, longest, \(minutes)",
                limit: "<= \(longestHopNanoseconds.formattedAsMilliseconds)",
                measured: engine.paced.longestNanoseconds.formattedAsMilliseconds,
                isKept: engine.paced.longestNanoseconds <= longestHopNanoseconds),
            BudgetCheck(
                name: "hop while the key is open, longest, \(minutes)",
                limit: "<= \(longestHopNanoseconds.formattedAsMilliseconds)",
                measured: engine.opening.longestNanoseconds.formattedAsMilliseconds,
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

    package static func replayCheck(_ replay: ReplayCosts) -> BudgetCheck {
        BudgetCheck(
            name: "replay at once, \(Int(replay.audioSeconds / 60)) min",
            limit: ">= \(Int(minimumReplaySpeed)) x",
            measured: "\(Int(replay.speed)) x", isKept: replay.speed >= minimumReplaySpeed)
    }
}
