import RealModule

/// All bars of a recording, found from a person's taps on every bar, or on every second or fourth one.
///
/// Taps are snapped to the sound, and the bars in between are found by the beats that fit the sound best
/// (``TappedBarSearch``). The search is made with several numbers of beats in a bar, with more or less trust in the
/// sound, and with a steady tempo or not (``TappedBarRefinement``); the bars on which these ways agree best are used
/// (``TappedBarAgreement``).
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
        /// The doubt about the onset, from 0 (none) to 1; from ``OfflineScoreAlignment/doubtfulFrom`` on a person
        /// should check it by ear.
        public var doubt: Double
        public var reasons: MeasureTransferDoubt
        public var isTapped: Bool
    }

    /// The bars from the first tap to the last one; their onsets rise strictly.
    public let bars: [Bar]
    /// The taps that came so soon after another one that they were left out.
    public let doubleTaps: [Tap]
    /// The bars that were probably to be tapped and were not, as they are numbered in ``bars``; they are doubtful.
    public let missedBars: [Int]
    /// The bars before which a tap may be missing by the spacing of the taps, without a sign of it in the sound:
    /// perhaps a note is held. No bars were put in; they are doubtful.
    public let heldBars: [Int]

    /// The doubt for each share of the ways that put a bar elsewhere: a bar is doubtful from one in five on.
    private static let doubtByDisagreement = 2.5

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
        beatsPerBar: Int? = nil,
        progress: (Double) -> Bool = { _ in true }
    ) throws(OfflineAlignmentError) {
        let length = Double(frames.frameCount) / Double(framesPerSecond)
        let search = TappedBarSearch(
            evidence: TappedBarEvidence(frames, framesPerSecond: framesPerSecond),
            framesPerSecond: framesPerSecond)
        let counted = CountedTaps(
            taps.filter { $0.seconds >= 0 && $0.seconds < length }, every: max(every, 1),
            isTapMissing: search.isTapMissing)
        doubleTaps = counted.doubleTaps
        missedBars = counted.missedBars
        heldBars = counted.heldBars
        guard counted.taps.count > 1 else {
            bars = counted.taps.map {
                Bar(number: $0.number, seconds: $0.seconds, doubt: 0, reasons: [], isTapped: true)
            }
            return
        }
        let positions = counted.taps.map { (bar: $0.index, seconds: $0.seconds) }
        let refinement = try TappedBarRefinement(
            search, taps: positions, beatsPerBar: beatsPerBar, progress: progress)
        let agreement = TappedBarAgreement(refinement.ways)
        let onsets = Self.rising(agreement.onsets, least: 1 / Double(framesPerSecond))
        let numbers = counted.numbers
        let tapped = Set(positions.map { $0.bar })
        bars = onsets.indices.map { index in
            var doubt = min(Self.doubtByDisagreement * agreement.disagreements[index], 1)
            var reasons: MeasureTransferDoubt = doubt >= OfflineScoreAlignment.doubtfulFrom ? .ambiguous : []
            if Self.changesTempo(onsets, at: index) {
                reasons.insert(.improbableTempo)
                doubt = max(doubt, OfflineScoreAlignment.doubtfulFrom)
            }
            if counted.uncertainIndices.contains(index) {
                reasons.insert(.missingTap)
                doubt = max(doubt, OfflineScoreAlignment.doubtfulFrom)
            }
            return Bar(
                number: numbers[index], seconds: onsets[index], doubt: doubt, reasons: reasons,
                isTapped: tapped.contains(index))
        }
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
