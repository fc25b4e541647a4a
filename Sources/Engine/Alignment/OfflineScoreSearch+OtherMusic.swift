/// The search for a piece in a recording that holds other music too, such as a rehearsal or a whole concert.
///
/// The first search must decide what is the piece and what is not, before it knows how well the piece fits. So it is
/// made with a low cost of other sound first, at which only music that fits very well belongs to the piece, and with
/// higher ones until enough of the piece is found.
extension OfflineScoreSearch {
    /// The costs of a row of other sound that are tried. Measured: a row of the same piece played by others costs 0.08
    /// to 0.3, a row of another piece 0.37 to 0.45 at the best place of this one.
    static let otherSoundCosts: [Float] = [0.34, 0.37, 0.4, 0.44, 0.5, 0.58]
    /// The share of the piece's length that is enough of it.
    private static let enoughShare = 0.5
    /// Recordings of one piece are seldom further apart in tempo; the search itself allows a factor of four.
    private static let tempi = [0.8, 1.0, 1.25]
    /// Whoever practises may play far more slowly: as a row that stays in its place costs, a slow take would be taken
    /// for other music.
    private static let practisedTempi = [0.4, 0.5, 0.65] + tempi

    /// - Returns: nil if `progress` returned false.
    func findRouteAmongOtherMusic(progress: @escaping (Double) -> Bool) -> Finding? {
        let roughRate = rowRate(Self.roughRowsPerSecond, atMost: Self.mostRoughCells)
        let rough = recording.averaged(every: framesPerSecond / roughRate)
        var best: (attempt: Attempt, likeness: Double, otherSound: Float)?
        for (index, cost) in Self.otherSoundCosts.enumerated() {
            guard progress(0.6 * Double(index) / Double(Self.otherSoundCosts.count)),
                let attempt = attempt(rough, roughRate, otherSound: cost),
                let backwards = search(
                    rough, roughRate, tempo: attempt.tempo, semitones: 0, otherSound: cost, isBackwards: true)
            else { return nil }
            // If nothing of the piece played backwards is found, it would have cost as much as other sound.
            let cheapestOther = backwards.way.musicRowCount > 0 ? backwards.way.meanMusicCost : cost
            let likeness =
                attempt.way.musicRowCount > 0 ? Double(1 - attempt.way.meanMusicCost / cheapestOther) : 0
            if likeness > best?.likeness ?? -1 || best?.attempt.way.musicRowCount == 0 {
                best = (attempt, likeness, cost)
            }
            let found = Double(attempt.way.musicRowCount) / roughRate * attempt.tempo
            // A few bars backwards may sound like themselves; who practises them plays hardly anything else.
            let isFitting = edgeSeconds != nil && Self.fit(attempt.way) >= OfflineScoreAlignment.convincingFit
            if isFitting { best = (attempt, likeness, cost) }
            if found >= Self.enoughShare * scoreSeconds,
                likeness >= OfflineScoreAlignment.leastLikeness || isFitting
            {
                break
            }
        }
        guard let best else { return nil }
        let rate = rowRate(Self.rowsPerSecond, atMost: Self.mostCells)
        let rows = recording.averaged(every: framesPerSecond / rate)
        let otherSound = min(best.otherSound, best.attempt.way.medianMusicCost + Self.otherSoundMargin)
        guard
            let fine = search(
                rows, rate, tempo: best.attempt.tempo, semitones: 0, otherSound: otherSound,
                progress: { progress(0.6 + 0.4 * $0) })
        else { return nil }
        return Finding(
            route: OfflineScoreRoute(
                fine.way, startColumns: fine.startColumns, secondsPerRow: fine.secondsPerRow),
            semitonesHigher: 0, likeness: best.likeness, scorePlacesPerRow: fine.tempo,
            fit: Self.fit(fine.way))
    }

    private func attempt(_ rows: ReferenceFeatureFrames, _ rate: Double, otherSound: Float) -> Attempt? {
        var best: Attempt?
        for tempo in edgeSeconds == nil ? Self.tempi : Self.practisedTempi {
            guard let attempt = search(rows, rate, tempo: tempo, semitones: 0, otherSound: otherSound) else {
                return nil
            }
            if attempt.cost < best?.cost ?? .infinity { best = attempt }
        }
        return best
    }

    /// The piece is not stretched to the recording's length, so only its own length counts.
    private func rowRate(_ wanted: Double, atMost cells: Double) -> Double {
        min(wanted, (cells / (recordingSeconds * scoreSeconds)).squareRoot())
    }
}
