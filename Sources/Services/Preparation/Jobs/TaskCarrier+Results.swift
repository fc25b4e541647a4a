import Basics
import Concert
import Foundation
import WebServer

extension TaskCarrier {
    /// The seconds that are heard before and after a place of the recording where it differs from the score.
    private static let proposalReach = 5.0

    /// The sentence that tells a person the result of a task, nil if none is needed; and the tasks that follow from it.
    typealias MergedResult = (sentence: String?, further: [PendingTask])

    /// Puts a result into the piece.
    /// - Parameters:
    ///   - before: the piece when the work began.
    ///   - folder: the folder of the work.
    func merge(
        _ result: PreparationWorkResult, of task: PreparationTask, begunWith before: DraftRecord,
        into record: inout DraftRecord, _ folder: String
    ) throws(Refusal) -> MergedResult {
        switch (task, result) {
        case (.listen(let id), .heard(let warnings)):
            try change(&record, id) { recording in
                recording.isReady = true
                recording.warnings = warnings
            }
            return (nil, [])
        case (.align, .aligned(let found)):
            return try mergeFoundBars(found, begunWith: before, into: &record)
        case (.snap(let taps, _, let replacesAll), .tapped(let found)):
            return try mergeTappedBars(
                found, from: taps, replacesAll: replacesAll, begunWith: before, into: &record)
        case (.render, .rendered(let facts, let found)):
            return try mergeRenderedScore(facts, found, into: &record, folder)
        case (.takeEvening(let range), .taken(let facts, let sentences)):
            return try mergeEvening(range, facts, sentences, into: &record, folder)
        case (.reference(let id), .reference(let found)) where found.seconds.count == before.draft.bars.count:
            return try mergeReference(found, of: id, begunWith: before, into: &record)
        case (.prepare(let folder), .written(let sentence, let forecast)):
            return mergeModel(
                in: folder, sentence: sentence, forecast: forecast, begunWith: before, into: &record)
        case (.tryTrouble(let folder), .tried(let trouble)):
            // A model that was made meanwhile has trials of its own.
            if record.prepared?.at == before.prepared?.at, record.prepared?.folder == folder {
                record.forecast?.take(trouble)
            }
            return (nil, [])
        default:
            throw .refused(code: "failed", sentence: "The server did something else than was asked for.")
        }
    }

    private func mergeFoundBars(
        _ found: ScoreAlignedBars, begunWith before: DraftRecord, into record: inout DraftRecord
    ) throws(Refusal) -> MergedResult {
        guard record.main == before.main, record.score?.file == before.score?.file else {
            throw .refused(
                code: "changed", sentence: "Recording or score were exchanged meanwhile; find the bars again."
            )
        }
        try replaceBars(of: &record, with: found, isSure: false)
        record.score?.sentences = found.sentences
        record.proposals = found.proposals.map { proposal in
            DraftProposal(
                id: DraftStore.makeID("f"), sentence: proposal.sentence,
                from: proposal.seconds.map { max(0, $0 - Self.proposalReach) },
                to: proposal.seconds.map { $0 + Self.proposalReach }, route: proposal.route)
        }
        let doubtful = record.draft.bars.count(where: \.isDoubtful)
        let isOne = found.bars.count == 1
        let checked =
            doubtful > 0
            ? "\(doubtful) should be checked by ear."
            : isOne ? "it is not doubtful." : "none of them is doubtful."
        return ("\(Self.counted(found.bars.count)) \(isOne ? "was" : "were") found; \(checked)", [])
    }

    private func mergeTappedBars(
        _ found: TappedResult, from taps: [TapOrder.Tap], replacesAll: Bool, begunWith before: DraftRecord,
        into record: inout DraftRecord
    ) throws(Refusal) -> MergedResult {
        guard record.main == before.main else {
            throw .refused(code: "changed", sentence: "The recording was exchanged meanwhile; tap again.")
        }
        try put(found, into: &record, replacesAll: replacesAll)
        let doubtful = found.bars.count { $0.doubt >= DraftLimits.doubtfulFrom }
        let counted =
            "\(Self.counted(found.bars.count)) from \(taps.count) taps; "
            + (doubtful == 0 ? "none is doubtful." : "\(doubtful) \(doubtful == 1 ? "is" : "are") doubtful.")
        return (([counted] + found.notes).joined(separator: " "), [])
    }

    private func mergeRenderedScore(
        _ facts: RecordingFacts, _ found: ScoreAlignedBars, into record: inout DraftRecord, _ folder: String
    ) throws(Refusal) -> MergedResult {
        guard record.main == nil else {
            throw .refused(code: "changed", sentence: "A recording was uploaded meanwhile; it is used.")
        }
        let recording = DraftRecording(
            id: DraftStore.makeID("r"), name: record.score?.name ?? "score", file: "score.wav",
            seconds: facts.seconds, sampleRate: facts.sampleRate, channels: facts.channels,
            isRendered: true)
        let listening = try add(recording, from: folder, to: &record)
        record.main = recording.id
        try replaceBars(of: &record, with: found, isSure: true)
        record.proposals = []
        return ("The score was made into sound, with \(Self.counted(found.bars.count)).", [listening])
    }

    private static func counted(_ bars: Int) -> String { bars == 1 ? "1 bar" : "\(bars) bars" }

    private func mergeEvening(
        _ range: EveningRange, _ facts: RecordingFacts, _ sentences: [String], into record: inout DraftRecord,
        _ folder: String
    ) throws(Refusal) -> MergedResult {
        guard record.recordings.count < DraftRecord.mostRecordings else { throw .tooManyRecordings }
        let recording = DraftRecording(
            id: DraftStore.makeID("r"), name: eveningName(of: range, in: record),
            file: EveningRangeOrder.soundFile, seconds: facts.seconds, sampleRate: facts.sampleRate,
            channels: facts.channels, warnings: facts.warnings)
        let listening = try add(recording, from: folder, to: &record)
        if record.main == nil { record.main = recording.id }
        let length = EveningSentences.clock(facts.seconds)
        let said = ["\(length) of the evening were taken."] + sentences
        return (said.joined(separator: " "), [listening])
    }

    private func mergeReference(
        _ found: ReferenceBars, of id: String, begunWith before: DraftRecord, into record: inout DraftRecord
    ) throws(Refusal) -> MergedResult {
        let bars = before.draft.bars
        try change(&record, id) { recording in
            recording.alignment = ReferenceAlignment(
                bars: bars.indices.map { index in
                    ReferenceAlignment.Bar(
                        bar: bars[index].id, seconds: found.seconds[index], reasons: found.reasons[index])
                }, end: found.end)
        }
        let doubtful = found.reasons.count { !$0.isEmpty }
        return (
            doubtful == 0
                ? "Its bars were found; none of them is doubtful."
                : "Its bars were found; \(doubtful) \(doubtful == 1 ? "is" : "are") doubtful.", []
        )
    }

    /// Notes that the piece is prepared; the trials for its forecast come next.
    private func mergeModel(
        in folder: String, sentence: String, forecast: PieceForecast?, begunWith before: DraftRecord,
        into record: inout DraftRecord
    ) -> MergedResult {
        // The change of saving this counts as well: the piece is as it was prepared if the revisions are equal.
        let isSame = record.draft == before.draft && record.recordings == before.recordings
        record.prepared = PreparedState(
            folder: folder, revision: isSame ? record.revision + 1 : before.revision, at: readMilliseconds())
        record.forecast = forecast
        let trials = PendingTask(id: DraftStore.makeID("j"), task: .tryTrouble(folder: folder))
        return (sentence, record.pending.contains { $0.task == trials.task } ? [] : [trials])
    }

    /// Moves the sound file of a recording from the folder of the work into its own, and adds the recording.
    /// - Returns: the task that makes it heard.
    private func add(
        _ recording: DraftRecording, from folder: String, to record: inout DraftRecord
    ) throws(Refusal) -> PendingTask {
        let place = store.soundFolder(of: record.id, recording.id)
        try store.makeFolder(place, of: record.id)
        guard rename(folder + "/" + recording.file, place + "/" + recording.file) == 0 else {
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DraftFiles.flush(folder: place)
        record.recordings.append(recording)
        return PendingTask(id: DraftStore.makeID("j"), task: .listen(recording: recording.id))
    }

    /// The name of the evening; with the beginning of the range if the piece has a part of this evening already.
    private func eveningName(of range: EveningRange, in record: DraftRecord) -> String {
        record.recordings.contains { $0.name == range.evening }
            ? "\(range.evening) \(EveningSentences.clock(range.from))" : range.evening
    }

    private func change(
        _ record: inout DraftRecord, _ id: String, _ change: (inout DraftRecording) -> Void
    ) throws(Refusal) {
        guard let index = record.recordings.firstIndex(where: { $0.id == id }) else {
            throw .noSuchRecording
        }
        change(&record.recordings[index])
    }

    /// Puts tapped bars in the place of all bars, or of those from the first tap to the last.
    private func put(
        _ found: TappedResult, into record: inout DraftRecord, replacesAll: Bool
    ) throws(Refusal) {
        let bars = found.bars.map { bar in
            DraftBar(
                id: DraftStore.makeID("b"), seconds: bar.seconds, printed: bar.printed, doubt: bar.doubt,
                reasons: bar.reasons, origin: bar.isTapped ? .tap : .between)
        }
        var kept: [DraftBar] = []
        if !replacesAll, bars.count > 1 {
            // A bar that begins just before the first tap is the one that was tapped.
            let first = bars[0].seconds - (bars[1].seconds - bars[0].seconds) / 4
            let last = bars[bars.count - 1].seconds
            let lastReach = (last - bars[bars.count - 2].seconds) / 4
            kept = record.draft.bars.filter { $0.seconds < first || $0.seconds > last + lastReach }
        }
        try replace(by: kept + bars, end: replacesAll ? nil : record.draft.end, of: &record)
    }

    /// Replaces all bars. Marks go to the bars that begin nearest.
    private func replace(by bars: [DraftBar], end: Double?, of record: inout DraftRecord) throws(Refusal) {
        let ids = Set(bars.map(\.id))
        let times = Dictionary(
            record.draft.bars.map { ($0.id, $0.seconds) }, uniquingKeysWith: { first, _ in first })
        let marks = record.draft.marks.compactMap { mark -> DraftMark? in
            if ids.contains(mark.bar) { return mark }
            guard let seconds = times[mark.bar],
                let nearest = bars.min(by: { abs($0.seconds - seconds) < abs($1.seconds - seconds) })
            else { return nil }
            return DraftMark(id: mark.id, bar: nearest.id, kind: mark.kind, text: mark.text)
        }
        do {
            _ = try record.draft.apply(.replaceBars(bars: bars, end: end, marks: marks))
        } catch {
            throw Refusal.refused(code: "bad-bars", sentence: error.sentence)
        }
    }

    /// - Parameter isSure: true if the bars need no check.
    private func replaceBars(
        of record: inout DraftRecord, with found: ScoreAlignedBars, isSure: Bool
    ) throws(Refusal) {
        let bars = found.bars.map { bar in
            DraftBar(
                id: DraftStore.makeID("b"), seconds: bar.seconds, printed: bar.printed, doubt: bar.doubt,
                reasons: bar.reasons, origin: .score, isChecked: isSure)
        }
        try replace(by: bars, end: found.end, of: &record)
    }
}
