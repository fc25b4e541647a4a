import Following
import Foundation
import ReferenceStore
import Score
import Sound

/// The bars at which the follower hesitates or is wrong when a piece's own recordings are played with made trouble.
package struct TroubleTrials: Sendable, Equatable, Codable {
    /// Neighbouring bars at which it hesitates or is wrong.
    package struct Passage: Sendable, Equatable, Codable {
        /// Printed numbers of the first and last bars.
        package var from, to: Int
        /// The places of the first and last bars among the played bars, counted from 0.
        package var playedFrom, playedTo: Int
        /// The trouble with which it happens.
        package var troubles: [MadeTrouble]
        /// True if another bar is shown most of the time; false if none is shown with confidence.
        package var isWrong: Bool
        /// The printed number of a bar that is shown instead; nil if there is none.
        package var shownInstead: Int?
        /// The passage for people.
        package var sentence: String
    }

    /// The result of one performance.
    package struct Trial: Sendable, Equatable, Codable {
        package var trouble: MadeTrouble
        /// The name of the recording that was played.
        package var recording: String
        /// The share of the judged time in which the right bar was shown with confidence.
        package var rightShare: Double
    }

    package var trials: [Trial]
    /// For each played bar, the share of its time without the right bar, on average over the trials; nil if none was
    /// judged.
    package var doubtByBar: [Double?]
    /// The passages with the most doubt, at most ``mostPassages``, in the order of the piece.
    package var passages: [Passage]
    /// The steps that were tried; nil if these trials are older than such trials.
    package var tried: [TriedAdvice]?

    static let mostPassages = 8
    /// A bar is named from this share of its time on.
    private static let namedFrom = 0.5

    init(_ results: [(trial: TroubleTrial, recording: String)], measures: MeasureMap) {
        trials = results.map { trial, recording in
            Trial(
                trouble: trial.trouble, recording: recording,
                rightShare: Self.mean(trial.bars.map(\.rightShare)) ?? 1)
        }
        let count = measures.marks.count
        var doubts = [[Double]](repeating: [], count: count)
        for (trial, _) in results {
            for bar in trial.bars { doubts[bar.played].append(1 - bar.rightShare) }
        }
        doubtByBar = doubts.map { Self.mean($0).map { ($0 * 1_000).rounded() / 1_000 } }
        var named = [[(trouble: MadeTrouble, bar: TroubleTrial.JudgedBar)]](repeating: [], count: count)
        for (trial, _) in results {
            for bar in trial.bars where 1 - bar.rightShare >= Self.namedFrom {
                named[bar.played].append((trial.trouble, bar))
            }
        }
        var passages: [(weight: Double, passage: Passage)] = []
        var first = 0
        while let start = (first..<count).first(where: { !named[$0].isEmpty }) {
            let end = (start..<count).first { named[$0].isEmpty } ?? count
            first = end
            let bars = named[start..<end].joined()
            passages.append(
                (
                    bars.reduce(0) { $0 + 1 - $1.bar.rightShare },
                    Passage(start..<end, Array(bars), measures: measures)
                ))
        }
        self.passages = passages.sorted { $0.weight > $1.weight }.prefix(Self.mostPassages).map(\.passage)
            .sorted { $0.playedFrom < $1.playedFrom }
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

extension TroubleTrials.Passage {
    fileprivate init(
        _ played: Range<Int>, _ bars: [(trouble: MadeTrouble, bar: TroubleTrial.JudgedBar)],
        measures: MeasureMap
    ) {
        (playedFrom, playedTo) = (played.lowerBound, played.upperBound - 1)
        (from, to) = (measures.marks[playedFrom].printed, measures.marks[playedTo].printed)
        troubles = MadeTrouble.allCases.filter { kind in bars.contains { $0.trouble == kind } }
        let wrong = bars.reduce(0) { $0 + $1.bar.wrongShare }
        isWrong = wrong * 2 > bars.reduce(0) { $0 + 1 - $1.bar.rightShare }
        // Another bar than its neighbours; being early or late by a bar is told by `isWrong` alone.
        let others = bars.compactMap { found in
            found.bar.shownInstead.flatMap {
                abs($0 - measures.marks[found.bar.played].printed) > 2 ? $0 : nil
            }
        }
        shownInstead = isWrong ? others.first : nil
        let place = from == to ? "bar \(from)" : "bars \(from)–\(to)"
        let circumstances = troubles.map(\.words).joined(separator: ", ")
        sentence =
            isWrong
            ? "Shows \(shownInstead.map { "bar \($0)" } ?? "a bar next to it") at \(place) \(circumstances)."
            : "Hesitates at \(place) \(circumstances)."
    }
}

/// Follows the recordings of a prepared piece with made trouble.
package struct TroubleTrialOrder: Codable, Equatable, Sendable {
    /// The folder of all models and the name of the piece's folder in it.
    var models, folder: String
    /// The folder of all recordings.
    var recordings: String
    /// The paths of recordings that lie elsewhere, by the names of the references.
    var further: [String: String] = [:]
    /// The place at which the advice is read.
    var adviceReader = AdviceReader.command

    package init(models: String, folder: String, recordings: String, further: [String: String] = [:]) {
        (self.models, self.folder, self.recordings, self.further) = (models, folder, recordings, further)
    }

    /// The processor time for a second of music, and the least for a piece, in seconds. Trying advice takes at most half
    /// as much besides.
    private static let processorTimePerSecond = 0.1
    private static let leastProcessorTime = 15.0
    /// A recording whose length differs by more from that of the reference is another one.
    private static let lengthTolerance = 1.0

    /// - Returns: nil if none of the recordings is there.
    package func perform(observer: any PreparationObserver) throws -> TroubleTrials? {
        let stored = try ModelFolder(path: models).loadModel(folder)
        let readable = ReadableRecordings()
        defer { withExtendedLifetime(readable) {} }
        let sounds = stored.referenceDetails.indices.compactMap { index in
            soundPath(of: stored.referenceDetails[index], readable).map {
                AdviceTrials.Sound(index: index, path: $0)
            }
        }
        guard !sounds.isEmpty else { return nil }
        let time = max(
            stored.model.measures.end.seconds * Self.processorTimePerSecond, Self.leastProcessorTime)
        let end = Self.processorSeconds + time
        var results: [(TroubleTrial, String)] = []
        // The trouble is spread over the recordings, so that each is played if there is time.
        let kinds = MadeTrouble.allCases.filter { $0 != .otherRecording || stored.referenceDetails.count > 1 }
        for (number, kind) in kinds.enumerated() {
            let sound = sounds[(number + sounds.count - 1) % sounds.count]
            let details = stored.referenceDetails[sound.index]
            observer.beginStage("Following “\(details.name)” \(kind.words)")
            let reader = try SoundFileReader(path: sound.path, channel: details.channel)
            let trial = try TroubleTrial(
                TroubledPerformance(kind, measures: details.measures, duration: reader.duration.value),
                of: reader, meanSquare: stored.meanSquare(of: sound.index),
                model: stored.modelWithout(sound.index)
            ) { share in
                observer.showProgress(share)
                return Self.processorSeconds < end
            }
            guard let trial else { break }
            results.append((trial, details.name))
        }
        guard !results.isEmpty else { return nil }
        var trials = TroubleTrials(results, measures: stored.model.measures)
        let adviceEnd = Self.processorSeconds + time / 2
        trials.tried = try AdviceTrials(
            stored: stored, sounds: sounds, adviceReader: adviceReader, observer: observer
        ) { Self.processorSeconds < adviceEnd }
        .perform(passages: PieceForecast(model: stored.model).literalCopies, after: trials.trials)
        return trials
    }

    /// The path of the recording of which a reference was made, as a file that ``SoundFileReader`` reads.
    func soundPath(of reference: StoredReference, _ readable: ReadableRecordings) -> String? {
        let sounds = SoundFileKinds.sounds(in: recordings + "/" + folder + "/" + reference.name)
        return ([further[reference.name]].compactMap { $0 } + sounds).lazy.compactMap { recording in
            guard let path = try? readable.pathBlocking(of: recording),
                let reader = try? SoundFileReader(path: path, channel: reference.channel),
                abs(reader.duration.value - reference.durationSeconds) <= Self.lengthTolerance
            else { return nil }
            return path
        }.first
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

extension StoredModel {
    /// The model without a recording, so that it does not know what is played; the whole one if there is no other.
    func modelWithout(_ index: Int) -> ReferenceModel {
        var rest = model
        guard model.framesByRecording.count > 1 else { return rest }
        rest.framesByRecording.remove(at: index)
        if rest.roomCopies.indices.contains(index) { rest.roomCopies.remove(at: index) }
        return rest
    }

    func meanSquare(of index: Int) -> Double {
        let powers = model.framesByRecording[index].powerByFrame
        return Double(powers.reduce(0, +)) / Double(max(powers.count, 1))
    }
}
