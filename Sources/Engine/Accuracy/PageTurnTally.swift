/// Figures over many page turns; a page that never came counts as outside every tolerance.
public struct PageTurnTally: Sendable {
    public let caseCount: Int
    public let turnCount: Int
    public let missedTurnCount: Int
    public let unwishedTurnCount: Int
    public let turnCountWhileLost: Int
    /// The number of turns more than half a second early or late because the follower was wrong; `countOffByForesight`
    /// counts those after a change of tempo. Turns that never came are in neither.
    public let countOffByFollower: Int
    public let countOffByForesight: Int
    /// Errors of the turns that were made, in seconds, in rising order.
    private let sortedErrorSeconds: [Double]
    /// The follower's own error at each wished moment, in seconds; infinite if the follower did not reach the position.
    private let followerErrorSeconds: [Double]

    init(_ entries: [PageTurnReport.CasePageTurns]) {
        let parts = entries.flatMap(\.accuracyByPageLayout)
        let turns = parts.flatMap(\.turnResults)
        caseCount = entries.count { $0.accuracyByPageLayout.contains { !$0.turnResults.isEmpty } }
        turnCount = turns.count
        sortedErrorSeconds = turns.compactMap(\.errorSeconds).sorted()
        missedTurnCount = turns.count { $0.errorSeconds == nil }
        followerErrorSeconds = turns.map { $0.followerSeconds ?? .infinity }
        unwishedTurnCount = parts.reduce(0) { $0 + $1.unwishedTurns.count }
        turnCountWhileLost = parts.reduce(0) { $0 + $1.turnsWhileLost.count }
        countOffByFollower = turns.count { $0.cause == .follower }
        countOffByForesight = turns.count { $0.cause == .foresight }
    }

    /// Returns the share of the wished turns that came within the given seconds of the wished moment, 0…1; nil if no
    /// turn was wished.
    public func turnShare(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(sortedErrorSeconds.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    /// Returns the share of the wished moments at which the follower's own error was within the given seconds, 0…1.
    /// Turns without foresight could not do better.
    public func shareWithFollowerError(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(followerErrorSeconds.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    public var medianErrorSeconds: Double? {
        sortedErrorSeconds.isEmpty ? nil : Statistics.quantile(ofSorted: sortedErrorSeconds, 0.5)
    }

    /// Returns a quantile of the turns' errors without sign, in seconds.
    public func absoluteErrorSeconds(quantile: Double) -> Double? {
        sortedErrorSeconds.isEmpty
            ? nil : Statistics.quantile(ofSorted: sortedErrorSeconds.map { abs($0) }.sorted(), quantile)
    }

    public var earliestErrorSeconds: Double? { sortedErrorSeconds.first }
    public var latestErrorSeconds: Double? { sortedErrorSeconds.last }

    static let columnHeadings = [
        "cases", "turns", "<=.25", "<=.5", "<=1", "median s", "|median|", "|p95|", "earliest", "latest",
        "off by follower", "off by foresight", "missed", "wrong", "while lost", "follower <=.5",
    ]

    var tableCells: [String] {
        func text(_ value: Double?, _ places: Int = 4) -> String {
            PageTurnReport.formatNumber(value, places)
        }
        return [
            "\(caseCount)", "\(turnCount)", text(turnShare(within: 0.25)), text(turnShare(within: 0.5)),
            text(turnShare(within: 1)), text(medianErrorSeconds, 3),
            text(absoluteErrorSeconds(quantile: 0.5), 3),
            text(absoluteErrorSeconds(quantile: 0.95), 3), text(earliestErrorSeconds, 2),
            text(latestErrorSeconds, 2),
            "\(countOffByFollower)", "\(countOffByForesight)", "\(missedTurnCount)", "\(unwishedTurnCount)",
            "\(turnCountWhileLost)",
            text(shareWithFollowerError(within: 0.5)),
        ]
    }

    var json: OrderedJSON {
        func number(_ value: Double?, _ places: Int = 4) -> OrderedJSON {
            OrderedJSON(value?.rounded(places: places))
        }
        return .object([
            .init("cases", .integer(caseCount)), .init("turns", .integer(turnCount)),
            .init("within_0.25", number(turnShare(within: 0.25))),
            .init("within_0.5", number(turnShare(within: 0.5))),
            .init("within_1", number(turnShare(within: 1))),
            .init("median_s", number(medianErrorSeconds, 3)),
            .init("abs_median_s", number(absoluteErrorSeconds(quantile: 0.5), 3)),
            .init("abs_p95_s", number(absoluteErrorSeconds(quantile: 0.95), 3)),
            .init("earliest_s", number(earliestErrorSeconds, 3)),
            .init("latest_s", number(latestErrorSeconds, 3)),
            .init("off_by_follower", .integer(countOffByFollower)),
            .init("off_by_foresight", .integer(countOffByForesight)),
            .init("missed", .integer(missedTurnCount)), .init("wrong", .integer(unwishedTurnCount)),
            .init("while_lost", .integer(turnCountWhileLost)),
            .init("follower_within_0.5", number(shareWithFollowerError(within: 0.5))),
        ])
    }
}
