/// Reports how trustworthy the follower's confidence was and how the follower behaved, over a set of cases. It
/// supplements the benchmark's figures.
public struct FollowerBehaviourReport: Sendable {
    /// The follower's behaviour in one case.
    public struct CaseBehaviour: Sendable {
        public var id: String
        public var group: String
        public var calibration: ConfidenceCalibration
        public var behaviour: FollowerBehaviour

        public init(
            id: String, group: String, truth: GroundTruth, trace: FollowTrace,
            disruption: MusicDisruption? = nil
        ) {
            let samples = SampledPositions(truth: truth, trace: trace)
            self.id = id
            self.group = group
            calibration = ConfidenceCalibration(samples: samples, trace: trace)
            behaviour = FollowerBehaviour(
                truth: truth, trace: trace, samples: samples, disruption: disruption)
        }
    }

    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    private let groups: [(name: String, calibration: ConfidenceCalibration, conduct: FollowerBehaviour)]
    private let caseBehaviours: [CaseBehaviour]

    public init(_ entries: [CaseBehaviour]) {
        var names: [String] = []
        for entry in entries where !names.contains(entry.group) { names.append(entry.group) }
        groups = (names.map { name in (name, entries.filter { $0.group == name }) } + [("ALL", entries)]).map
        {
            (
                $0.0, ConfidenceCalibration(pooling: $0.1.map(\.calibration)),
                FollowerBehaviour(pooling: $0.1.map(\.behaviour))
            )
        }
        self.caseBehaviours = entries
    }

    /// Returns a Markdown table, ending in a line feed: for each group the calibration error, the wrong seconds, the
    /// steps back and the longest stay in each state.
    public func behaviourTable() -> String {
        let states = FollowTrace.State.allCases
        var out = "| group | ECE 10 | ECE 15 | wrong s | share of it known | wrong as certain s/h | "
        out += "right doubted | decided s | never decided | steps back | "
        out += states.map { "longest \($0.rawValue) s" }.joined(separator: " | ") + " |\n"
        out += "|" + String(repeating: "---|", count: 10 + states.count) + "\n"
        for group in groups {
            let conduct = group.conduct
            let cells =
                [
                    group.name, Self.formatNumber(group.calibration.expectedError(bins: 10), 4),
                    Self.formatNumber(group.calibration.expectedError(bins: 15), 4),
                    Self.formatNumber(conduct.wrongSeconds, 1),
                    Self.formatNumber(conduct.admittedShareOfWrongSeconds, 4),
                    Self.formatNumber(conduct.wrongCertainSecondsPerHour, 1),
                    Self.formatNumber(conduct.doubtedShareOfRightSeconds, 4),
                    Self.formatNumber(conduct.medianSecondsUntilDecided, 2), "\(conduct.undecidedCaseCount)",
                    "\(conduct.backwardStepCount)",
                ] + states.map { Self.formatNumber(conduct.longestStaySecondsByState[$0], 1) }
            out += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return out
    }

    /// Returns the reliability diagram of all cases as a Markdown table of ten rows, without empty bins.
    public func reliabilityTable() -> String {
        var out = "| confidence | samples | mean confidence | right within one |\n|---|---|---|---|\n"
        for bin in groups.last?.calibration.sortIntoBins(10) ?? [] where bin.claimCount > 0 {
            out +=
                "| \(bin.lowerConfidence.rounded(places: 1)) to \(bin.upperConfidence.rounded(places: 1)) | "
                + "\(bin.claimCount) | "
            out +=
                "\(Self.formatNumber(bin.meanConfidence, 4)) | \(Self.formatNumber(bin.correctShare, 4)) |\n"
        }
        return out
    }

    /// The figures of each group and each case that a baseline can accept, by the names of both.
    var acceptableFigures: (groups: [String: FollowerBehaviour], cases: [String: FollowerBehaviour]) {
        (
            Dictionary(groups.map { ($0.name, $0.conduct) }) { first, _ in first },
            Dictionary(caseBehaviours.map { ($0.id, $0.behaviour) }) { first, _ in first }
        )
    }

    /// The figures of groups and cases and the bins of the reliability diagram, as one JSON object.
    public var json: OrderedJSON {
        let bins = (groups.last?.calibration.sortIntoBins(10) ?? []).map { bin in
            OrderedJSON.object([
                .init("lower", .number(bin.lowerConfidence)), .init("upper", .number(bin.upperConfidence)),
                .init("samples", .integer(bin.claimCount)),
                .init("mean_confidence", Self.roundedJSON(bin.meanConfidence, 4)),
                .init("right", Self.roundedJSON(bin.correctShare, 4)),
            ])
        }
        return .object([
            .init(
                "groups",
                .object(groups.map { .init($0.name, Self.jsonOfFigures($0.calibration, $0.conduct)) })),
            .init(
                "cases",
                .object(caseBehaviours.map { .init($0.id, Self.jsonOfFigures($0.calibration, $0.behaviour)) })
            ),
            .init("reliability", .list(bins)),
        ])
    }

    private static func jsonOfFigures(_ calibration: ConfidenceCalibration, _ conduct: FollowerBehaviour)
        -> OrderedJSON
    {
        .object(
            [
                .init("samples", .integer(calibration.confidenceClaims.count)),
                .init("ece_10", roundedJSON(calibration.expectedError(bins: 10), 4)),
                .init("ece_15", roundedJSON(calibration.expectedError(bins: 15), 4)),
                .init("wrong_s", roundedJSON(conduct.wrongSeconds, 1)),
                .init("known_wrong", roundedJSON(conduct.admittedShareOfWrongSeconds, 4)),
            ] + ConductMetric.allCases.map { .init($0.rawValue, OrderedJSON($0.value(in: conduct))) } + [
                .init("backward_steps", .integer(conduct.backwardStepCount)),
                .init(
                    "longest_in_state_s",
                    .object(
                        FollowTrace.State.allCases.map {
                            .init($0.rawValue, roundedJSON(conduct.longestStaySecondsByState[$0] ?? 0, 1))
                        })),
            ])
    }

    private static func roundedJSON(_ value: Double?, _ places: Int) -> OrderedJSON {
        OrderedJSON(value.map { $0.rounded(places: places) })
    }

    private static func formatNumber(_ value: Double?, _ places: Int) -> String {
        value.map { "\($0.rounded(places: places))" } ?? "-"
    }
}
