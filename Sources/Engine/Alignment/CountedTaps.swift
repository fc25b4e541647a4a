/// Taps with the bars counted from the first one, without double taps, and with the bars of missed taps.
struct CountedTaps {
    struct Tap {
        var seconds: Double
        /// The bar, counted from the first tap's.
        var index: Int
        var number: Int
    }

    /// Two taps that are further apart than their neighbours suggest: a tap is missing, or a note was held.
    struct Gap {
        /// The last taps before the gap, and the first ones after it.
        var before: [Double]
        var after: [Double]
        /// The bars from one tap to the next.
        var every: Int

        /// The taps with the bars counted from the first one, if a tap is missing.
        var tapsIfMissing: [(bar: Int, seconds: Double)] { taps(gapBars: 2 * every) }
        /// The same if no tap is missing.
        var tapsIfHeld: [(bar: Int, seconds: Double)] { taps(gapBars: every) }

        private func taps(gapBars: Int) -> [(bar: Int, seconds: Double)] {
            let early = before.enumerated().map { (bar: every * $0.offset, seconds: $0.element) }
            let first = every * (before.count - 1) + gapBars
            return early + after.enumerated().map { (bar: first + every * $0.offset, seconds: $0.element) }
        }

        /// The onsets of all bars if no tap is missing and one bar of the gap is held, the others being as long as
        /// those before and after the gap.
        /// - Parameter held: the bar, counted from the gap's first one.
        func onsets(heldAt held: Int) -> [Double] {
            let gap = (from: before[before.count - 1], to: after[0])
            let usual = (gap.to - gap.from) / Double(2 * every)
            let lengthBefore =
                before.count > 1 ? (gap.from - before[before.count - 2]) / Double(every) : usual
            let lengthAfter = after.count > 1 ? (after[1] - gap.to) / Double(every) : usual
            var onsets = TappedBarSearch.interpolated(tapsIfHeld)
            let first = every * (before.count - 1)
            for bar in 1..<max(every, 1) {
                onsets[first + bar] =
                    bar <= held
                    ? gap.from + lengthBefore * Double(bar) : gap.to - lengthAfter * Double(every - bar)
            }
            return onsets
        }
    }

    private(set) var taps: [Tap] = []
    private(set) var doubleTaps: [TappedBars.Tap] = []
    private(set) var missedBars: [Int] = []
    /// The numbers of the bars before which a tap may be missing by the spacing of the taps, although the sound does
    /// not say so.
    private(set) var heldBars: [Int] = []
    /// The bars, counted from the first tap's, at which a person should check whether a tap is missing.
    private(set) var uncertainIndices: Set<Int> = []
    /// Two taps that are nearer than this, in seconds, and than half the typical distance, are one.
    private static let doubleTapSeconds = 0.35
    /// Neighbouring distances that differ by less than this factor show a steady tempo.
    private static let steadyFactor = 1.25
    private static let tapsAroundGap = 3
    /// The probability from which on a tap may be missing, and that from which on it is missing if the sound agrees.
    private static let doubtfulProbability = 0.5
    private static let clearProbability = 0.95

    /// - Parameter isTapMissing: decides by the sound whether a tap is missing in a gap; otherwise it is a hold.
    init(_ given: [TappedBars.Tap], every: Int, isTapMissing: (Gap) -> Bool) {
        var sorted = given.sorted { $0.seconds < $1.seconds }
        // The numbers of a person who taps count on by themselves, so that a double or missed tap shifts all after it.
        // Taps with other numbers are taken as they are.
        let isCounting = zip(sorted, sorted.dropFirst()).allSatisfy { $1.bar - $0.bar == every }
        if isCounting { (sorted, doubleTaps) = Self.withoutDoubleTaps(sorted) }
        guard let first = sorted.first else { return }
        taps = [Tap(seconds: first.seconds, index: 0, number: first.bar)]
        let missing = isCounting ? TapSpacing(sorted.map { $0.seconds }).probabilitiesOfMissingTap : []
        for (position, tap) in sorted.enumerated().dropFirst() {
            let last = taps[taps.count - 1]
            guard isCounting else {
                let step = tap.bar - sorted[position - 1].bar
                taps.append(
                    Tap(seconds: tap.seconds, index: last.index + (step > 0 ? step : every), number: tap.bar))
                continue
            }
            var step = every
            let near = Self.nearbyDistances(sorted, position)
            let share = (tap.seconds - last.seconds) / near.median
            let isTwiceTheUsual =
                near.isSteady && (1.75...2.25).contains(share)
                || missing[position - 1] >= Self.clearProbability && (1.5...2.25).contains(share)
            if isTwiceTheUsual || missing[position - 1] >= Self.doubtfulProbability {
                let gap = Gap(
                    before: taps.suffix(Self.tapsAroundGap).map { $0.seconds },
                    after: sorted[position...].prefix(Self.tapsAroundGap).map { $0.seconds }, every: every)
                // Otherwise the place is only named: a bar that is put in wrongly shifts all numbers after it.
                if isTwiceTheUsual, isTapMissing(gap) {
                    step = 2 * every
                    missedBars.append(last.number + every)
                } else {
                    heldBars.append(last.number + every)
                }
                uncertainIndices.insert(last.index + every)
            }
            taps.append(Tap(seconds: tap.seconds, index: last.index + step, number: last.number + step))
        }
    }

    /// Leaves out taps that come so soon after another one that they are the same.
    private static func withoutDoubleTaps(
        _ sorted: [TappedBars.Tap]
    ) -> (kept: [TappedBars.Tap], doubles: [TappedBars.Tap]) {
        var (kept, doubles): ([TappedBars.Tap], [TappedBars.Tap]) = ([], [])
        for (position, tap) in sorted.enumerated() {
            if let last = kept.last,
                tap.seconds - last.seconds
                    < min(doubleTapSeconds, nearbyDistances(sorted, position).median / 2)
            {
                doubles.append(tap)
            } else {
                kept.append(tap)
            }
        }
        return (kept, doubles)
    }

    /// The median of the distances of the taps around one, and whether they are alike.
    private static func nearbyDistances(
        _ taps: [TappedBars.Tap], _ position: Int
    ) -> (median: Double, isSteady: Bool) {
        let around = max(position - 4, 1)...min(position + 4, taps.count - 1)
        let distances = around.filter { $0 != position || taps.count == 2 }.map {
            taps[$0].seconds - taps[$0 - 1].seconds
        }.sorted()
        guard let median = distances.isEmpty ? nil : distances[distances.count / 2] else { return (0, false) }
        let alike = distances.filter { $0 < median * steadyFactor && $0 > median / steadyFactor }
        return (median, distances.count >= 4 && alike.count * 4 >= distances.count * 3)
    }

    /// The number of each bar from the first tap to the last one.
    var numbers: [Int] {
        var numbers: [Int] = []
        for (tap, next) in zip(taps, taps.dropFirst()) {
            for bar in 0..<next.index - tap.index { numbers.append(tap.number + bar) }
        }
        return numbers + taps.suffix(1).map { $0.number }
    }
}
