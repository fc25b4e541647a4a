import RealModule

/// Finds the bars between taps in several ways, and refines those of the most promising ones.
///
/// A way is a number of beats in a bar, a trust in the sound, and how steady the tempo is. The ways that best predict
/// left-out taps learn from the bars that they found what a bar line sounds like in this recording, and search again by
/// it, some times. ``TappedBarAgreement`` decides between them.
struct TappedBarRefinement {
    /// A way of finding bars, and how well it predicts taps that it does not know.
    struct Way {
        var settings: TappedBarSearch.Settings
        var onsets: [Double]
        /// The mean log-likelihood of a left-out tap.
        var prediction: Double
    }

    /// The ways that were refined.
    let ways: [Way]

    private static let trusts: [Float] = [0.5, 0.9]
    private static let shortestBeatSeconds = 0.22
    /// The ways that are refined, and those of them that are also tried with a steady tempo.
    private static let refinedWays = 6
    private static let steadyWays = 2
    /// The cost of tempo changes for steady pieces.
    private static let steadyTempoChangeCost = 200.0
    private static let adaptations = 3

    /// - Parameters:
    ///   - taps: the tapped bars, counted from 0, and their times in seconds, strictly rising; at least two.
    ///   - beatsPerBar: the beats of a bar, if known.
    ///   - progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Throws: ``OfflineAlignmentError/cancelled``.
    init(
        _ search: TappedBarSearch, taps: [(bar: Int, seconds: Double)], beatsPerBar: Int?,
        progress: (Double) -> Bool
    ) throws(OfflineAlignmentError) {
        let settings = Self.settings(beatsPerBar, taps)
        // A refinement takes about twice the searches of a first trial.
        let refinements = min(settings.count, Self.refinedWays) + min(settings.count, Self.steadyWays)
        let work = Double(settings.count + 2 * refinements)
        var done = 0.0
        var tried: [Way] = []
        for settings in settings {
            guard progress(done / work) else { throw .cancelled }
            tried.append(
                Way(
                    settings: settings, onsets: search.onsets(taps: taps, settings: settings),
                    prediction: Self.predictionOfTaps(taps, by: search, settings)))
            done += 1
        }
        let promising = tried.sorted { $0.prediction > $1.prediction }.prefix(Self.refinedWays)
        let steady = promising.prefix(Self.steadyWays).map { way in
            var settings = way.settings
            settings.tempoChangeCost = Self.steadyTempoChangeCost
            return settings
        }
        var ways: [Way] = []
        for settings in promising.map({ $0.settings }) + steady {
            guard progress(done / work) else { throw .cancelled }
            ways.append(Self.refined(search, taps, settings))
            done += 2
        }
        self.ways = ways
    }

    private static func refined(
        _ search: TappedBarSearch, _ taps: [(bar: Int, seconds: Double)], _ settings: TappedBarSearch.Settings
    ) -> Way {
        var search = search
        var onsets = search.onsets(taps: taps, settings: settings)
        for _ in 0..<adaptations {
            search.evidence = search.evidence.adapted(to: onsets)
            let refined = search.onsets(taps: taps, settings: settings)
            guard refined != onsets else { break }
            onsets = refined
        }
        return Way(
            settings: settings, onsets: onsets, prediction: predictionOfTaps(taps, by: search, settings))
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
}
