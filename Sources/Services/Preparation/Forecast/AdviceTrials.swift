import Following
import Foundation
import ReferenceStore
import Score
import Sound

/// Tries what might help a prepared piece: follows its own recordings with the step and without it.
struct AdviceTrials {
    /// A recording of the piece that is there.
    struct Sound {
        /// The place among the recordings of the model, counted from 0.
        var index: Int
        var path: String
    }

    let stored: StoredModel
    let sounds: [Sound]
    let adviceReader: AdviceReader
    let observer: any PreparationObserver
    /// True as long as there is time.
    let mayGoOn: () -> Bool

    private static let mostPassages = 3

    /// - Parameter trials: those with made trouble, which have been done.
    /// - Returns: what was tried while there was time.
    func perform(
        passages: [PieceForecast.LiteralCopy], after trials: [TroubleTrials.Trial]
    ) throws -> [TriedAdvice] {
        var tried: [TriedAdvice] = []
        let repeats = UnmarkedRepeat.find(among: passages, in: stored.model.measures)
        for unmarked in repeats.prefix(Self.mostPassages) {
            guard let advice = try trySameNumbers(unmarked) else { return tried }
            tried.append(advice)
        }
        if stored.referenceDetails.count > 2 {
            if let advice = try tryFurtherRecordings() { tried.append(advice) }
        } else if let other = trials.first(where: { $0.trouble == .otherRecording }) {
            tried.append(
                TriedAdvice(
                    furtherRecordingAfter: other.rightShare, other.trouble, reader: adviceReader))
        }
        return tried
    }

    // MARK: - The same numbers for a repeat

    /// - Returns: nil if there was no time.
    private func trySameNumbers(_ unmarked: UnmarkedRepeat) throws -> TriedAdvice? {
        guard let sound = sounds.last else { return nil }
        let passage = unmarked.passage
        let count = passage.to - passage.from + 1
        let ending = passage.playedFrom + count
        let returns = passage.otherPlayedFrom..<passage.otherPlayedFrom + count
        let model = stored.modelWithout(sound.index)
        var marked = model
        marked.measures = Self.renumbered(model.measures, returns, from: passage.from)
        var seconds: [Double] = []
        for (model, words) in [(model, "as it is"), (marked, "with the same numbers")] {
            observer.beginStage("Leaving out bars \(passage.otherFrom)–\(passage.otherTo) \(words)")
            guard let found = try recovery(leavingOut: ending..<returns.upperBound, of: sound, model: model)
            else { return nil }
            seconds.append(found)
        }
        return TriedAdvice(sameNumbersFor: unmarked, without: seconds[0], with: seconds[1])
    }

    /// The seconds after a left-out passage until the right bar is shown; nil if there was no time.
    private func recovery(
        leavingOut passage: Range<Int>, of sound: Sound, model: ReferenceModel
    ) throws -> Double? {
        let details = stored.referenceDetails[sound.index]
        let performance = TroubledPerformance(leavingOut: passage, measures: details.measures)
        var judge = RecoveryJudge(performance, measures: model.measures)
        let reader = try SoundFileReader(path: sound.path, channel: details.channel)
        let isWhole = try performance.follow(
            reader, meanSquare: stored.meanSquare(of: sound.index), model: model, report: goesOn
        ) { judge.add($0) }
        return isWhole ? judge.seconds : nil
    }

    static func renumbered(_ measures: MeasureMap, _ bars: Range<Int>, from number: Int) -> MeasureMap {
        var marks = measures.marks
        for bar in bars { marks[bar].printed = number + bar - bars.lowerBound }
        // The onsets are as they were, so nothing can be wrong with them.
        return (try? MeasureMap(marks: marks, end: measures.end)) ?? measures
    }

    // MARK: - One more recording

    /// Plays each recording; it is followed with one other recording, and with all others.
    /// - Returns: nil if there was no time.
    private func tryFurtherRecordings() throws -> TriedAdvice? {
        var shares: (one: [Double], all: [Double]) = ([], [])
        for sound in sounds {
            let others = stored.modelWithout(sound.index)
            guard let one = try rightShare(sound, model: others.withFirstRecording),
                let all = try rightShare(sound, model: others)
            else { break }
            shares.one.append(one)
            shares.all.append(all)
        }
        guard !shares.one.isEmpty else { return nil }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        return TriedAdvice(
            furtherRecordingFrom: mean(shares.one), to: mean(shares.all), reader: adviceReader)
    }

    private func rightShare(_ sound: Sound, model: ReferenceModel) throws -> Double? {
        let details = stored.referenceDetails[sound.index]
        observer.beginStage(
            "Following “\(details.name)” with \(model.recordingCount == 1 ? "one other recording" : "all others")"
        )
        let reader = try SoundFileReader(path: sound.path, channel: details.channel)
        let trial = try TroubleTrial(
            TroubledPerformance(.uneven, measures: details.measures, duration: reader.duration.value),
            of: reader, meanSquare: stored.meanSquare(of: sound.index), model: model, report: goesOn)
        guard let bars = trial?.bars, !bars.isEmpty else { return nil }
        return bars.reduce(0) { $0 + $1.rightShare } / Double(bars.count)
    }

    private func goesOn(_ share: Double) -> Bool {
        observer.showProgress(share)
        return mayGoOn()
    }
}

/// The time after a leap until the right bar is shown and stays.
struct RecoveryJudge {
    private let bars: [TroubledPerformance.PlayedBar]
    private let measures: MeasureMap
    private let leap: Double
    private var rightSince: Double?
    private var found: Double?

    /// The bar must stay right for this many seconds.
    private static let lasting = 1.5
    /// The display may be as early or late as this at a bar line, in seconds.
    private static let lateness = 0.3
    private static let leastConfidence = 0.5

    /// - Parameter performance: with one leap.
    init(_ performance: TroubledPerformance, measures: MeasureMap) {
        (bars, self.measures) = (performance.bars, measures)
        let first = performance.stretches[1].bars.lowerBound
        leap = performance.bars.last { $0.played == first }?.from ?? 0
    }

    /// The seconds after the leap; ``TroubledPerformance/secondsAfterLeap`` if the right bar was never shown.
    var seconds: Double { found ?? TroubledPerformance.secondsAfterLeap }

    /// Takes the next report, in order of time.
    mutating func add(_ report: PositionReport) {
        let time = report.liveTime.seconds
        guard found == nil, time >= leap else { return }
        guard isRight(report, at: time) else { return rightSince = nil }
        let since = rightSince ?? time
        rightSince = since
        if time - since >= Self.lasting { found = since - leap }
    }

    private func isRight(_ report: PositionReport, at time: Double) -> Bool {
        guard report.state == .following, report.confidence >= Self.leastConfidence,
            let number = report.printedMeasure
        else { return false }
        return bars.contains {
            $0.from >= leap && $0.from - Self.lateness <= time && time <= $0.to + Self.lateness
                && measures.marks[$0.played].printed == number
        }
    }
}

extension ReferenceModel {
    /// The model with its first recording alone.
    fileprivate var withFirstRecording: ReferenceModel {
        var first = self
        first.framesByRecording = Array(framesByRecording.prefix(1))
        first.roomCopies = Array(roomCopies.prefix(1))
        return first
    }
}
