/// A step that may help the follower, and what became of it when it was tried.
package struct TriedAdvice: Sendable, Equatable, Codable {
    package enum Step: String, Sendable, Codable {
        /// A passage and its return get the same numbers. The figures are the seconds until the right bar is shown after
        /// the return was left out.
        case sameNumbers
        /// One more recording. The figures are the shares of time with the right bar: with one recording, and with all
        /// others than the one that is played.
        case furtherRecording
    }

    package var step: Step
    /// The figure without the step.
    package var without: Double
    /// The figure with the step; nil if that could not be tried, because there are fewer than three recordings.
    package var with: Double?
    /// True if the step is worth its work.
    package var helps: Bool
    /// The step for people, with the figures.
    package var sentence: String

    /// The least gain that is worth a person's work: in seconds, and in the share of time.
    private static let leastSeconds = 1.0
    private static let leastShare = 0.005
    /// From this share on, a further recording is not worth looking for.
    private static let goodShare = 0.97

    init(sameNumbersFor unmarked: UnmarkedRepeat, without: Double, with: Double) {
        let passage = unmarked.passage
        step = .sameNumbers
        (self.without, self.with) = (without, with)
        helps = without - with >= Self.leastSeconds
        let exception =
            switch unmarked.unlikeFirstBars {
            case 0: ""
            case 1: ", apart from the first one"
            default: ", apart from the first \(unmarked.unlikeFirstBars)"
            }
        let bars =
            "Bars \(passage.otherFrom)–\(passage.otherTo) sound like bars \(passage.from)–\(passage.to)\(exception)."
        let tried =
            "when they were left out, the right bar was shown \(Self.after(with)) instead of \(Self.after(without))."
        sentence =
            helps
            ? "\(bars) If they are a repeat, give them the same numbers: \(tried)"
            : "\(bars) The same numbers would not help: when they were left out, the right bar was shown "
                + "\(Self.after(with)) with them and \(Self.after(without)) without."
    }

    init(furtherRecordingFrom without: Double, to with: Double, reader: AdviceReader) {
        step = .furtherRecording
        (self.without, self.with) = (without, with)
        helps = with - without >= Self.leastShare
        let figures =
            "the right bar is shown in \(Self.percent(without)) of the time with one other recording, and in "
            + "\(Self.percent(with)) with all others."
        sentence =
            helps
            ? "\(reader.furtherRecordingAdvice) Each one that you have helped: \(figures)"
            : "A further recording would hardly help: \(figures)"
    }

    /// - Parameters:
    ///   - share: that of the time with the right bar with the trouble that is worst.
    ///   - trouble: that trouble.
    init(furtherRecordingAfter share: Double, _ trouble: MadeTrouble, reader: AdviceReader) {
        step = .furtherRecording
        without = share
        helps = share < Self.goodShare
        let figure = "the right bar is shown in \(Self.percent(share)) of the time \(trouble.words)."
        sentence =
            helps
            ? "\(reader.furtherRecordingAdvice) With what there is, \(figure)"
            : "A further recording would hardly help: \(figure)"
    }

    private static func after(_ seconds: Double) -> String {
        seconds >= TroubledPerformance.secondsAfterLeap
            ? "not within \(Int(TroubledPerformance.secondsAfterLeap)) s" : "after \(tenths(seconds)) s"
    }

    private static func percent(_ share: Double) -> String { "\(tenths(100 * share)) %" }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
