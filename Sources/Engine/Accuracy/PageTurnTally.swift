/// Figures over many page turns; a page that never came counts as outside every tolerance.
public struct PageTurnTally: Sendable {
    public let caseCount: Int
    public let turnCount: Int
    public let missed: Int
    public let wrong: Int
    public let whileLost: Int
    /// The number of turns more than half a second early or late because the follower was wrong; `offByForesight`
    /// counts those after a change of tempo. Turns that never came are in neither.
    public let offByFollower: Int
    public let offByForesight: Int
    /// Errors of the turns that were made, in seconds, in rising order.
    private let errors: [Double]
    /// The follower's own error at each wished moment, in seconds; infinite if the follower did not reach the position.
    private let followerErrors: [Double]

    init(_ entries: [PageTurnReport.Entry]) {
        let parts = entries.flatMap(\.partScores)
        let turns = parts.flatMap(\.turns)
        caseCount = entries.count { $0.partScores.contains { !$0.turns.isEmpty } }
        turnCount = turns.count
        errors = turns.compactMap(\.errorSeconds).sorted()
        missed = turns.count { $0.errorSeconds == nil }
        followerErrors = turns.map { $0.followerSeconds ?? .infinity }
        wrong = parts.reduce(0) { $0 + $1.unwishedTurns.count }
        whileLost = parts.reduce(0) { $0 + $1.whileLost.count }
        offByFollower = turns.count { $0.cause == .follower }
        offByForesight = turns.count { $0.cause == .foresight }
    }

    /// Returns the share of the wished turns that came within the given seconds of the wished moment, 0…1; nil if no
    /// turn was wished.
    public func share(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(errors.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    /// Returns the share of the wished moments at which the follower's own error was within the given seconds, 0…1.
    /// Turns without foresight could not do better.
    public func followerShare(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(followerErrors.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    public var medianSeconds: Double? {
        errors.isEmpty ? nil : Statistics.quantile(ofSorted: errors, 0.5)
    }

    /// Returns a quantile of the turns' errors without sign, in seconds.
    public func absoluteSeconds(quantile: Double) -> Double? {
        errors.isEmpty
            ? nil : Statistics.quantile(ofSorted: errors.map { abs($0) }.sorted(), quantile)
    }

    public var earliestSeconds: Double? { errors.first }
    public var latestSeconds: Double? { errors.last }

    static let heads = [
        "cases", "turns", "<=.25", "<=.5", "<=1", "median s", "|median|", "|p95|", "earliest", "latest",
        "off by follower", "off by foresight", "missed", "wrong", "while lost", "follower <=.5",
    ]

    var cells: [String] {
        func text(_ value: Double?, _ places: Int = 4) -> String { PageTurnReport.text(value, places) }
        return [
            "\(caseCount)", "\(turnCount)", text(share(within: 0.25)), text(share(within: 0.5)),
            text(share(within: 1)), text(medianSeconds, 3), text(absoluteSeconds(quantile: 0.5), 3),
            text(absoluteSeconds(quantile: 0.95), 3), text(earliestSeconds, 2), text(latestSeconds, 2),
            "\(offByFollower)", "\(offByForesight)", "\(missed)", "\(wrong)", "\(whileLost)",
            text(followerShare(within: 0.5)),
        ]
    }

    var json: OrderedJSON {
        func number(_ value: Double?, _ places: Int = 4) -> OrderedJSON {
            OrderedJSON(value?.rounded(places: places))
        }
        return .object([
            .init("cases", .integer(caseCount)), .init("turns", .integer(turnCount)),
            .init("within_0.25", number(share(within: 0.25))),
            .init("within_0.5", number(share(within: 0.5))),
            .init("within_1", number(share(within: 1))),
            .init("median_s", number(medianSeconds, 3)),
            .init("abs_median_s", number(absoluteSeconds(quantile: 0.5), 3)),
            .init("abs_p95_s", number(absoluteSeconds(quantile: 0.95), 3)),
            .init("earliest_s", number(earliestSeconds, 3)), .init("latest_s", number(latestSeconds, 3)),
            .init("off_by_follower", .integer(offByFollower)),
            .init("off_by_foresight", .integer(offByForesight)),
            .init("missed", .integer(missed)), .init("wrong", .integer(wrong)),
            .init("while_lost", .integer(whileLost)),
            .init("follower_within_0.5", number(followerShare(within: 0.5))),
        ])
    }
}
