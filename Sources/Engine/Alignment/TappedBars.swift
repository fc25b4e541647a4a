import RealModule

/// All bars of a recording, found from a person's taps on every bar, or on every second or fourth one.
///
/// Taps are snapped to the sound, and the bars in between are found by the beats that fit the sound best
/// (``TappedBarSearch``). Into how many beats the bars are divided, and how far the sound is trusted, is chosen for each
/// recording: by the settings that predict left-out taps best.
public struct TappedBars: Sendable {
    /// A person's tap.
    public struct Tap: Sendable, Hashable {
        /// The time of the tap, in seconds of the recording.
        public var seconds: Double
        /// The number of the bar that begins here.
        public var bar: Int

        public init(seconds: Double, bar: Int) {
            self.seconds = seconds
            self.bar = bar
        }
    }

    /// A bar that was tapped or found.
    public struct Bar: Sendable, Hashable {
        /// The number of the bar, counted on from the tap before it.
        public var number: Int
        /// The onset in seconds of the recording.
        public var seconds: Double
        /// The doubt about the onset, from 0 (none) to 1; from ``OfflineScoreAlignment/doubtfulFrom`` on a person should
        /// check it by ear.
        public var doubt: Double
        public var reasons: MeasureTransferDoubt
        public var isTapped: Bool
    }

    /// The bars from the first tap to the last one; their onsets rise strictly.
    public let bars: [Bar]
    /// The taps that came so soon after another one that they were left out.
    public let doubleTaps: [Tap]
    /// The bars that were probably to be tapped and were not, as they are numbered in ``bars``.
    public let missedBars: [Int]

    /// A difference of onsets from which two ways of finding a bar disagree, in seconds.
    private static let disagreementSeconds = 0.07
    /// The weight that settings lose for each unit of log-likelihood by which they predict a left-out tap less well.
    private static let weightOfPrediction = 4.0
    private static let trusts: [Float] = [0.4, 1]
    private static let shortestBeatSeconds = 0.22

    /// Finds the bars.
    /// - Parameters:
    ///   - taps: in any order; taps outside the recording are left out.
    ///   - every: the number of bars from one tap to the next where their numbers do not tell: after a repeat.
    ///   - beatsPerBar: the beats of a bar, if known.
    ///   - progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Throws: ``OfflineAlignmentError/cancelled``.
    /// - Complexity: some twenty searches of ``TappedBarSearch``.
    public init(
        taps: [Tap], every: Int, frames: ReferenceFeatureFrames, framesPerSecond: Int = 50,
        beatsPerBar: Int? = nil, progress: (Double) -> Bool = { _ in true }
    ) throws(OfflineAlignmentError) {
        let length = Double(frames.frameCount) / Double(framesPerSecond)
        let counted = CountedTaps(
            taps.filter { $0.seconds >= 0 && $0.seconds < length }, every: max(every, 1))
        doubleTaps = counted.doubleTaps
        missedBars = counted.missedBars
        guard counted.taps.count > 1 else {
            bars = counted.taps.map {
                Bar(number: $0.number, seconds: $0.seconds, doubt: 0, reasons: [], isTapped: true)
            }
            return
        }
        let search = TappedBarSearch(
            evidence: TappedBarEvidence(frames, framesPerSecond: framesPerSecond),
            framesPerSecond: framesPerSecond)
        let positions = counted.taps.map { (bar: $0.index, seconds: $0.seconds) }
        let choices = Self.settings(beatsPerBar, positions)
        var found: [(onsets: [Double], prediction: Double)] = []
        for choice in choices {
            guard progress(Double(found.count) / Double(choices.count)) else { throw .cancelled }
            found.append(
                (
                    search.onsets(taps: positions, settings: choice),
                    Self.predictionOfTaps(positions, by: search, choice)
                ))
        }
        let best = found.max { $0.prediction < $1.prediction }!
        let weights = found.map { Double.exp(Self.weightOfPrediction * ($0.prediction - best.prediction)) }
        let onsets = Self.rising(best.onsets, least: 1 / Double(framesPerSecond))
        let numbers = counted.numbers
        let tapped = Set(positions.map(\.bar))
        bars = onsets.indices.map { index in
            var others = 0.0
            for (other, weight) in zip(found, weights)
            where abs(other.onsets[index] - onsets[index]) > Self.disagreementSeconds { others += weight }
            var doubt = others / weights.reduce(0, +)
            var reasons: MeasureTransferDoubt = doubt >= OfflineScoreAlignment.doubtfulFrom ? .ambiguous : []
            if Self.changesTempo(onsets, at: index) {
                reasons.insert(.improbableTempo)
                doubt = max(doubt, OfflineScoreAlignment.doubtfulFrom)
            }
            return Bar(
                number: numbers[index], seconds: onsets[index], doubt: doubt, reasons: reasons,
                isTapped: tapped.contains(index))
        }
    }

    private static func settings(
        _ beatsPerBar: Int?, _ taps: [(bar: Int, seconds: Double)]
    ) -> [TappedBarSearch.Settings] {
        let lengths = zip(taps, taps.dropFirst()).map { ($1.seconds - $0.seconds) / Double($1.bar - $0.bar) }
        let typical = lengths.sorted()[lengths.count / 2]
        let divisions =
            beatsPerBar.map { beats in [1, beats, 2 * beats, 3 * beats] } ?? [1, 2, 3, 4, 6, 8, 12]
        let audible = divisions.filter { $0 == 1 || typical / Double($0) >= shortestBeatSeconds }
        return trusts.flatMap { trust in
            audible.map { TappedBarSearch.Settings(beatsPerBar: $0, trust: trust) }
        }
    }

    /// The mean log-likelihood of taps that the search has to do without: first every second one, then the others.
    private static func predictionOfTaps(
        _ taps: [(bar: Int, seconds: Double)], by search: TappedBarSearch,
        _ settings: TappedBarSearch.Settings
    ) -> Double {
        guard taps.count > 3 else { return settings.beatsPerBar == 1 ? 0 : -1 }
        var sum = 0.0
        for phase in 0...1 {
            let kept = taps.indices.filter { $0 % 2 == phase || $0 == 0 || $0 == taps.count - 1 }
            let onsets = search.onsets(taps: kept.map { taps[$0] }, settings: settings)
            for (index, tap) in taps.enumerated() where !kept.contains(index) {
                let deviation =
                    (onsets[tap.bar - taps[0].bar] - tap.seconds) / TappedBarSearch.tapErrorSeconds
                let density = Double.exp(-deviation * deviation / 2) / TappedBarSearch.tapErrorSeconds
                sum += Double.log(0.9 * density + 0.1)
            }
        }
        return sum / Double(taps.count - 2)
    }

    /// True if the bars before and after an onset differ in length by more than a half.
    private static func changesTempo(_ onsets: [Double], at index: Int) -> Bool {
        guard index > 0, index < onsets.count - 1 else { return false }
        let ratio = (onsets[index + 1] - onsets[index]) / (onsets[index] - onsets[index - 1])
        return ratio > 1.5 || ratio < 1 / 1.5
    }

    private static func rising(_ onsets: [Double], least: Double) -> [Double] {
        var risen = onsets
        for index in risen.indices.dropFirst() { risen[index] = max(risen[index], risen[index - 1] + least) }
        return risen
    }
}

/// Taps with the bars counted from the first one, without double taps, and with the bars of missed taps.
struct CountedTaps {
    struct Tap {
        var seconds: Double
        /// The bar, counted from the first tap's.
        var index: Int
        var number: Int
    }

    private(set) var taps: [Tap] = []
    private(set) var doubleTaps: [TappedBars.Tap] = []
    private(set) var missedBars: [Int] = []
    /// Two taps that are nearer than this, in seconds, and than half the typical distance, are one.
    private static let doubleTapSeconds = 0.35
    /// Neighbouring distances that differ by less than this factor show a steady tempo.
    private static let steadyFactor = 1.25

    init(_ given: [TappedBars.Tap], every: Int) {
        let sorted = given.sorted { $0.seconds < $1.seconds }
        guard let first = sorted.first else { return }
        taps = [Tap(seconds: first.seconds, index: 0, number: first.bar)]
        // The numbers of a person who taps count on by themselves, so that a double or missed tap shifts all after it.
        // Taps with other numbers are taken as they are.
        let isCounting = zip(sorted, sorted.dropFirst()).allSatisfy { $1.bar - $0.bar == every }
        var shift = 0
        for (position, tap) in sorted.enumerated().dropFirst() {
            let last = taps[taps.count - 1]
            var step = tap.bar - sorted[position - 1].bar
            if step <= 0 { step = every }
            let near = Self.nearbyDistances(sorted, position)
            let distance = tap.seconds - last.seconds
            if isCounting, distance < min(Self.doubleTapSeconds, near.median / 2) {
                doubleTaps.append(tap)
                shift -= step
                continue
            }
            if isCounting, near.isSteady, (1.75...2.25).contains(distance / near.median) {
                step = 2 * every
                shift += every
                missedBars.append(last.number + every)
            }
            taps.append(Tap(seconds: tap.seconds, index: last.index + step, number: tap.bar + shift))
        }
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
        return numbers + taps.suffix(1).map(\.number)
    }
}
