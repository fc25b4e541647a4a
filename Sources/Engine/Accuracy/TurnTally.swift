/// Figures of many turns; a page that never came counts as one beyond every tolerance.
public struct TurnTally: Sendable {
    public let caseCount: Int
    public let turnCount: Int
    public let missed: Int
    public let wrong: Int
    public let whileLost: Int
    /// Turns off by more than half a second, by cause; those missed are not among them.
    public let offByFollower: Int
    public let offByForesight: Int
    /// Of the turns made, rising.
    private let errors: [Double]
    /// Of all wishes, infinite where the follower never came there.
    private let followerErrors: [Double]

    init(_ entries: [TurnReport.Entry]) {
        let parts = entries.flatMap(\.parts)
        let turns = parts.flatMap(\.turns)
        caseCount = entries.count { $0.parts.contains { !$0.turns.isEmpty } }
        turnCount = turns.count
        errors = turns.compactMap(\.errorSeconds).sorted()
        missed = turns.count { $0.errorSeconds == nil }
        followerErrors = turns.map { $0.followerSeconds ?? .infinity }
        wrong = parts.reduce(0) { $0 + $1.wrong.count }
        whileLost = parts.reduce(0) { $0 + $1.whileLost.count }
        offByFollower = turns.count { $0.cause == .follower }
        offByForesight = turns.count { $0.cause == .foresight }
    }

    /// Share of the wishes met within so many seconds, 0…1; nil where there are none.
    public func share(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(errors.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    /// The same of the follower's own error at those moments: what turns that foresee nothing could reach.
    public func followerShare(within seconds: Double) -> Double? {
        turnCount > 0 ? Double(followerErrors.count { abs($0) <= seconds }) / Double(turnCount) : nil
    }

    public var medianSeconds: Double? {
        errors.isEmpty ? nil : Statistics.quantile(ofSorted: errors, 0.5)
    }

    /// Of the amounts by which turns were early or late.
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
        func text(_ value: Double?, _ places: Int = 4) -> String { TurnReport.text(value, places) }
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
