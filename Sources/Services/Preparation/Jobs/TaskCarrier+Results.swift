import Drafts
import Foundation

extension TaskCarrier {
    /// The seconds that are heard before and after a place of the recording where it differs from the score.
    private static let proposalReach = 5.0

    /// Puts a result into the piece.
    /// - Parameters:
    ///   - before: the piece when the work began.
    ///   - folder: the folder of the work.
    /// - Returns: the result in words, nil if there is nothing to say; and the tasks that follow from it.
    func merge(
        _ result: PreparationWorkResult, of task: PreparationTask, begunWith before: DraftRecord,
        into record: inout DraftRecord, _ folder: String
    ) throws(DraftFault) -> (sentence: String?, further: [PendingTask]) {
        switch (task, result) {
        case (.listen(let id), .heard(let warnings)):
            try change(&record, id) { recording in
                recording.isReady = true
                recording.warnings = warnings
            }
            return (nil, [])
        case (.align, .aligned(let found)):
            guard record.main == before.main, record.score?.file == before.score?.file else {
                throw .refused(
                    code: "changed", sentence: "Recording or score were exchanged meanwhile; find the bars again.")
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
            return (
                "\(found.bars.count) bars were found; "
                    + (doubtful == 0 ? "none of them is doubtful." : "\(doubtful) should be checked by ear."), []
            )
        case (.render, .rendered(let facts, let found)):
            guard record.main == nil else {
                throw .refused(code: "changed", sentence: "A recording was uploaded meanwhile; it is used.")
            }
            let recording = DraftRecording(
                id: DraftStore.makeID("r"), name: record.score?.name ?? "score", file: "score.wav",
                seconds: facts.seconds, sampleRate: facts.sampleRate, channels: facts.channels,
                isRendered: true)
            let place = store.soundFolder(of: record.id, recording.id)
            try DurableFile.makeFolder(place)
            guard rename(folder + "/score.wav", place + "/" + recording.file) == 0 else {
                throw .notWritten(reason: String(cString: strerror(errno)))
            }
            DurableFile.flush(folder: place)
            record.recordings.append(recording)
            record.main = recording.id
            try replaceBars(of: &record, with: found, isSure: true)
            record.proposals = []
            let listening = PendingTask(id: DraftStore.makeID("j"), task: .listen(recording: recording.id))
            return ("The score was made into sound, with \(found.bars.count) bars.", [listening])
        case (.reference(let id), .reference(let found)):
            let bars = before.draft.bars
            guard found.seconds.count == bars.count else { break }
            var doubtful = 0
            try change(&record, id) { recording in
                recording.alignment = ReferenceAlignment(
                    bars: bars.indices.map { index in
                        ReferenceAlignment.Bar(
                            bar: bars[index].id, seconds: found.seconds[index], reasons: found.reasons[index])
                    }, end: found.end)
                doubtful = found.reasons.count { !$0.isEmpty }
            }
            return (
                doubtful == 0
                    ? "Its bars were found; none of them is doubtful."
                    : "Its bars were found; \(doubtful) are doubtful.", []
            )
        case (.prepare(let folder), .written(let sentence)):
            // The change of saving this counts as well: the piece is as it was prepared if the revisions are equal.
            let isSame = record.draft == before.draft && record.recordings == before.recordings
            record.prepared = PreparedState(
                folder: folder, revision: isSame ? record.revision + 1 : before.revision, at: readMilliseconds())
            return (sentence, [])
        default: break
        }
        throw .refused(code: "failed", sentence: "The server did something else than was asked for.")
    }

    private func change(
        _ record: inout DraftRecord, _ id: String, _ change: (inout DraftRecording) -> Void
    ) throws(DraftFault) {
        guard let index = record.recordings.firstIndex(where: { $0.id == id }) else {
            throw .noSuchRecording
        }
        change(&record.recordings[index])
    }

    /// - Parameter isSure: true if the bars need no check.
    private func replaceBars(
        of record: inout DraftRecord, with found: ScoreAlignedBars, isSure: Bool
    ) throws(DraftFault) {
        let bars = found.bars.map { bar in
            DraftBar(
                id: DraftStore.makeID("b"), seconds: bar.seconds, printed: bar.printed, doubt: bar.doubt,
                reasons: bar.reasons, origin: .score, isChecked: isSure)
        }
        do throws(DraftEditRefusal) {
            _ = try record.draft.apply(.replaceBars(bars: bars, end: found.end))
        } catch {
            throw .refused(code: "bad-bars", sentence: error.sentence)
        }
    }
}
