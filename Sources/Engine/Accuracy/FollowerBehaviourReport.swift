/// Reports how trustworthy the follower's confidence was and how the follower behaved, over a set of cases. It
/// supplements the benchmark's figures.
public struct FollowerBehaviourReport: Sendable {
    public struct Entry: Sendable {
        public var id: String
        public var group: String
        public var calibration: ConfidenceCalibration
        public var conduct: FollowerBehaviour

        public init(id: String, group: String, truth: GroundTruth, trace: FollowTrace) {
            let samples = SampledPositions(truth: truth, trace: trace)
            self.id = id
            self.group = group
            calibration = ConfidenceCalibration(samples: samples, trace: trace)
            conduct = FollowerBehaviour(truth: truth, trace: trace, samples: samples)
        }
    }

    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    private let groups: [(name: String, calibration: ConfidenceCalibration, conduct: FollowerBehaviour)]
    private let entries: [Entry]

    public init(_ entries: [Entry]) {
        var names: [String] = []
        for entry in entries where !names.contains(entry.group) { names.append(entry.group) }
        groups = (names.map { name in (name, entries.filter { $0.group == name }) } + [("ALL", entries)]).map
        {
            (
                $0.0, ConfidenceCalibration(pooling: $0.1.map(\.calibration)),
                FollowerBehaviour(pooling: $0.1.map(\.conduct))
            )
        }
        self.entries = entries
    }

    /// Returns a Markdown table, ending in a line feed: for each group the calibration error, the wrong seconds, the
    /// steps back and the longest stay in each state.
    public func table() -> String {
        let states = FollowTrace.State.allCases
        var out = "| confidence | ECE 10 | ECE 15 | wrong s | of it known | steps back | "
        out += states.map { "longest \($0.rawValue) s" }.joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: 6 + states.count) + "\n"
        for group in groups {
            let conduct = group.conduct
            let cells =
                [
                    group.name, Self.text(group.calibration.expectedError(bins: 10), 4),
                    Self.text(group.calibration.expectedError(bins: 15), 4),
                    Self.text(conduct.wrongSeconds, 1),
                    Self.text(conduct.admittedShare, 4), "\(conduct.backwardSteps)",
                ] + states.map { Self.text(conduct.longestInState[$0], 1) }
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    /// Returns the reliability diagram of all cases as a Markdown table of ten rows, without empty bins.
    public func reliabilityTable() -> String {
        var out = "| confidence | samples | mean confidence | right within one |\n|---|---|---|---|\n"
        for bin in groups.last?.calibration.bins(10) ?? [] where bin.count > 0 {
            out += "| \(bin.lower.rounded(places: 1)) to \(bin.upper.rounded(places: 1)) | \(bin.count) | "
            out += "\(Self.text(bin.meanConfidence, 4)) | \(Self.text(bin.correctShare, 4)) |\n"
        }
        return out
    }

    /// The figures of groups and cases and the bins of the reliability diagram, as one JSON object.
    public var json: OrderedJSON {
        let bins = (groups.last?.calibration.bins(10) ?? []).map { bin in
            OrderedJSON.object([
                .init("lower", .number(bin.lower)), .init("upper", .number(bin.upper)),
                .init("samples", .integer(bin.count)),
                .init("mean_confidence", Self.number(bin.meanConfidence, 4)),
                .init("right", Self.number(bin.correctShare, 4)),
            ])
        }
        return .object([
            .init("groups", .object(groups.map { .init($0.name, Self.json($0.calibration, $0.conduct)) })),
            .init("cases", .object(entries.map { .init($0.id, Self.json($0.calibration, $0.conduct)) })),
            .init("reliability", .list(bins)),
        ])
    }

    private static func json(_ calibration: ConfidenceCalibration, _ conduct: FollowerBehaviour)
        -> OrderedJSON
    {
        .object([
            .init("samples", .integer(calibration.claims.count)),
            .init("ece_10", number(calibration.expectedError(bins: 10), 4)),
            .init("ece_15", number(calibration.expectedError(bins: 15), 4)),
            .init("wrong_s", number(conduct.wrongSeconds, 1)),
            .init("known_wrong", number(conduct.admittedShare, 4)),
            .init("backward_steps", .integer(conduct.backwardSteps)),
            .init(
                "longest_in_state_s",
                .object(
                    FollowTrace.State.allCases.map {
                        .init($0.rawValue, number(conduct.longestInState[$0] ?? 0, 1))
                    })),
        ])
    }

    private static func number(_ value: Double?, _ places: Int) -> OrderedJSON {
        OrderedJSON(value.map { $0.rounded(places: places) })
    }

    private static func text(_ value: Double?, _ places: Int) -> String {
        value.map { "\($0.rounded(places: places))" } ?? "-"
    }
}
