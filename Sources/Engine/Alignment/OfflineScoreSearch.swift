import RealModule

/// Finds key, tempo and route of a recording through a score, by coarse searches.
struct OfflineScoreSearch {
    struct Finding {
        var route: OfflineScoreRoute
        var semitonesHigher: Int
        /// See ``OfflineScoreAlignment/likeness``.
        var likeness: Double
        /// The seconds of the rendered score that pass in a second of the recording.
        var scorePlacesPerRow: Double
        /// See ``OfflineScoreAlignment/fit``.
        var fit: Double
    }

    struct Attempt {
        var way: OfflineLeapSearch.Way
        var cost: Float
        var startColumns: [Int]
        var secondsPerRow: Double
        var tempo: Double
        var semitones: Int
    }

    /// The numbers of rows per second of the two resolutions, for recordings that are not too long for them.
    static let roughRowsPerSecond = 2.0
    static let rowsPerSecond = 5.0
    /// The largest numbers of cells; longer recordings get fewer rows per second.
    static let mostRoughCells = 1.2e7
    static let mostCells = 1.6e8
    /// Transpositions that are tried if the score does not fit as it is written.
    private static let otherKeys = [-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6, -6]
    /// The likeness from which on other keys are not tried.
    private static let convincingLikeness = 0.25
    /// The cost of a row of other sound minus the cost of a typical row of music. Noise and applause would cost 0.2 to
    /// 0.3 more than music if they were taken for music.
    static let otherSoundMargin: Float = 0.17
    private static let tempoRange = 0.15...6.0
    /// The cost of a leap for whoever practises, where loops and restarts are usual: less than two bars in a wrong place
    /// cost; see ``OfflineLeapSearch/Costs/cutSeconds``.
    private static let practisedCutSeconds: Float = 0.6
    /// The cost of a row of another piece at the best place of this one.
    private static let costOfOtherMusic: Float = 0.45

    static func fit(_ way: OfflineLeapSearch.Way) -> Double {
        Double(way.musicRowCount) / Double(max(way.places.count, 1))
            * Double(max(costOfOtherMusic - way.meanMusicCost, 0))
    }

    let score: ReferenceFeatureFrames
    let measures: UnfoldedScoreMeasures
    let recording: ReferenceFeatureFrames
    let framesPerSecond: Double
    let mayLeap: Bool
    /// See ``OfflineLeapSearch/Costs/edgeSeconds``.
    var edgeSeconds: Float?

    var recordingSeconds: Double { Double(recording.frameCount) / framesPerSecond }
    var scoreSeconds: Double { measures.end - measures.onsets[0] }

    /// - Returns: nil if `progress` returned false.
    func findRoute(progress: @escaping (Double) -> Bool) -> Finding? {
        let roughRate = rowRate(Self.roughRowsPerSecond, cells: Self.mostRoughCells)
        let rough = recording.averaged(every: framesPerSecond / roughRate)
        guard var best = bestTempo(rough, roughRate, semitones: 0, progress: { progress(0.1 * $0) }) else {
            return nil
        }
        var likeness = likenessOfAttempt(best, rough, roughRate)
        if likeness < Self.convincingLikeness {
            for (index, key) in Self.otherKeys.enumerated() {
                let share = Double(index) / Double(Self.otherKeys.count)
                guard progress(0.1 + 0.3 * share),
                    let attempt = bestTempo(rough, roughRate, semitones: key, progress: { _ in true })
                else { return nil }
                if attempt.cost < best.cost { best = attempt }
            }
            likeness = likenessOfAttempt(best, rough, roughRate)
        }
        let rate = rowRate(Self.rowsPerSecond, cells: Self.mostCells)
        let rows = recording.averaged(every: framesPerSecond / rate)
        // The second search knows the tempo and how well the music fits.
        for pass in 0..<2 {
            let from = 0.4 + 0.3 * Double(pass)
            guard
                let attempt = search(
                    rows, rate, tempo: best.tempo, semitones: best.semitones,
                    otherSound: best.way.medianMusicCost + Self.otherSoundMargin,
                    progress: { progress(from + 0.3 * $0) })
            else { return nil }
            best = attempt
        }
        let route = OfflineScoreRoute(
            best.way, startColumns: best.startColumns, secondsPerRow: best.secondsPerRow)
        return Finding(
            route: route, semitonesHigher: best.semitones, likeness: likeness, scorePlacesPerRow: best.tempo,
            fit: Self.fit(best.way))
    }

    private func rowRate(_ wanted: Double, cells: Double) -> Double {
        min(wanted, (cells / (recordingSeconds * max(recordingSeconds, scoreSeconds))).squareRoot())
    }

    /// Tries the tempi that the lengths suggest: the recording may play the score as it is, half of it, or a quarter.
    private func bestTempo(
        _ rows: ReferenceFeatureFrames, _ rate: Double, semitones: Int, progress: (Double) -> Bool
    ) -> Attempt? {
        let whole = scoreSeconds / recordingSeconds
        let tempi = Set([whole, whole / 2, whole / 4, 1].map { ($0 * 50).rounded() / 50 })
            .filter(Self.tempoRange.contains)
        var best: Attempt?
        for (index, tempo) in (tempi.isEmpty ? [1] : tempi.sorted()).enumerated() {
            guard progress(Double(index) / Double(max(tempi.count, 1))),
                let attempt = search(rows, rate, tempo: tempo, semitones: semitones)
            else { return nil }
            if attempt.cost < best?.cost ?? .infinity { best = attempt }
        }
        return best
    }

    /// Searches the route at one tempo and key.
    /// - Parameter isBackwards: true to search in the score played backwards.
    func search(
        _ rows: ReferenceFeatureFrames, _ rate: Double, tempo: Double, semitones: Int,
        otherSound: Float = 0.7, isBackwards: Bool = false, progress: ((Double) -> Bool)? = nil
    ) -> Attempt? {
        let step = framesPerSecond / rate * tempo
        let start = measures.onsets[0] * framesPerSecond
        var columns = score.averaged(every: step, from: start, to: measures.end * framesPerSecond)
            .transposed(semitones: semitones)
        if isBackwards { columns = columns.reversed }
        let last = columns.frameCount - 1
        let starts = measures.onsets.map {
            min(Int((($0 * framesPerSecond - start) / step).rounded()), last)
        }
        let ends = starts.indices.map {
            $0 + 1 < starts.count ? max(starts[$0 + 1] - 1, starts[$0]) : last
        }
        var search = OfflineLeapSearch(
            rows: rows,
            columns: TiledReferenceFrames(frames: columns.featureValues, dimensions: columns.dimensions),
            rowsPerSecond: Float(rate), startColumns: starts, endColumns: ends,
            leapSources: measures.leapsOverRepeats(),
            mayEndAfter: starts.indices.map { measures.mayEndPerformance(after: $0) }, mayLeap: mayLeap)
        search.costs.otherSound = min(max(otherSound, 0.32), 0.75)
        if let edgeSeconds {
            search.costs.edgeSeconds = edgeSeconds
            (search.costs.cutSeconds, search.costs.pauseSeconds) = (Self.practisedCutSeconds, edgeSeconds)
        }
        guard let way = search.cheapestWay(progress: progress) else { return nil }
        return Attempt(
            way: way, cost: way.cost, startColumns: starts, secondsPerRow: 1 / rate,
            tempo: clampedTempo(tempo * way.meanAdvance), semitones: semitones)
    }

    private func clampedTempo(_ tempo: Double) -> Double {
        min(max(tempo, Self.tempoRange.lowerBound), Self.tempoRange.upperBound)
    }

    /// Compares the music's fit with the fit of the score played backwards, which has the same sounds in a wrong order.
    private func likenessOfAttempt(_ best: Attempt, _ rows: ReferenceFeatureFrames, _ rate: Double) -> Double
    {
        guard
            let forwards = search(rows, rate, tempo: best.tempo, semitones: best.semitones),
            let backwards = search(
                rows, rate, tempo: best.tempo, semitones: best.semitones, isBackwards: true),
            forwards.way.musicRowCount > 0, backwards.way.musicRowCount > 0
        else { return 0 }
        return Double(1 - forwards.way.meanMusicCost / backwards.way.meanMusicCost)
    }
}
