import Basics
import Concert
import Foundation
import Hosting
import ReferenceStore
import Score
import ScoreFiles
import WebServer

/// Turns a task into work, and its result into a change of the piece.
package struct TaskCarrier: Sendable {
    enum Outcome: Sendable {
        /// - Parameter further: the tasks that follow from it; they are stored with the piece already.
        case done(sentence: String?, further: [PendingTask])
        case failed(sentence: String, kind: PreparationFailureKind? = nil)
    }

    let store: DraftStore
    /// The absolute paths of the folders of all models and of all recordings.
    let models: String
    let recordings: String
    let evenings: any RecordedEvenings
    /// Space on the disk that is kept for the show.
    let diskReserve: DiskReserve
    let readMilliseconds: @Sendable () -> Int64
    /// Puts the score of a prepared piece into the library; nil without one.
    let keepScore: PieceNeighbours.ScoreKeeper?

    /// The bytes that a second of sound takes as a listening copy with its pictures.
    private static let bytesPerSecond = 72_000
    /// FLAC with 16 bits and one channel is never larger by more than a few bytes.
    private static let bytesPerConvertedSample = 2
    /// FLAC with 24 bits and one channel, at 48,000 samples a second.
    private static let bytesPerEveningSecond = 3 * 48_000
    /// Five seconds of stereo with 16 bits and 44,100 samples a second: more than a bar lasts in nearly all music.
    private static let bytesPerRenderedBar = 5 * 4 * 44_100

    /// Refuses a task that the piece lacks something for.
    func check(_ task: PreparationTask, of record: DraftRecord) throws(Refusal) {
        switch task {
        case .listen(let recording): _ = try record.recording(recording)
        case .align(let route, _):
            _ = try mainRecording(of: record)
            guard record.score != nil else {
                throw .refused(code: "no-score", sentence: "Upload the score first: MusicXML or MIDI.")
            }
            guard ScoreRouteChoice(route) != nil else {
                throw .refused(
                    code: "bad-route",
                    sentence:
                        "The bars that are played are “found”, “written”, or ranges such as 1-8,1-8,9-16.")
            }
        case .snap(let taps, let every, _):
            let main = try mainRecording(of: record)
            guard (2...DraftLimits.mostBars).contains(taps.count), (1...64).contains(every),
                taps.allSatisfy({
                    (0...main.seconds).contains($0.seconds) && DraftLimits.printedNumbers.contains($0.bar)
                })
            else {
                throw .refused(
                    code: "bad-taps",
                    sentence: "Tap at least two bars within the recording, every bar or every few bars.")
            }
        case .render:
            guard record.score != nil else {
                throw .refused(code: "no-score", sentence: "Upload the score first: MusicXML or MIDI.")
            }
            guard record.main == nil else {
                throw .refused(
                    code: "has-recording",
                    sentence: "The piece has a recording already; find its bars by the score.")
            }
        case .takeEvening(let range):
            guard record.recordings.count < DraftRecord.mostRecordings else {
                throw .tooManyRecordings
            }
            try range.check(in: try eveningSound(of: range))
        case .reference(let id):
            let recording = try record.recording(id)
            guard recording.id != record.main else {
                throw .refused(code: "is-main", sentence: "This is the piece's main recording.")
            }
            _ = try playableMeasures(of: record)
        case .prepare(let folder):
            guard ModelFolder.isValidName(folder) else {
                throw .refused(code: "bad-folder", sentence: ReferenceStoreError.invalidName(folder).sentence)
            }
            do { _ = try PieceName(entered: record.draft.name) } catch {
                throw .refused(code: "bad-name", sentence: error.sentence)
            }
            _ = try playableMeasures(of: record)
            try checkOwner(of: folder, record)
        case .tryTrouble(let folder):
            guard record.prepared?.folder == folder else {
                throw .refused(code: "not-prepared", sentence: "Prepare the piece first.")
            }
        }
    }

    private func mainRecording(of record: DraftRecord) throws(Refusal) -> DraftRecording {
        guard let main = record.mainRecording else {
            throw .refused(code: "no-recording", sentence: "Upload a recording first.")
        }
        return main
    }

    private func eveningSound(of range: EveningRange) throws(Refusal) -> EveningSound {
        guard let evening = evenings.evening(named: range.evening) else {
            throw .refused(
                code: "no-evening",
                sentence: "This recording of an evening no longer exists. Reload the list and choose "
                    + "another.")
        }
        return EveningSound(name: evening.name, parts: evening.parts)
    }

    /// The bars with an end, if a model can be made of them.
    private func playableMeasures(of record: DraftRecord) throws(Refusal) -> (
        bars: [OrderedBar], end: Double
    ) {
        let main = try mainRecording(of: record)
        let bars = record.draft.bars.map { OrderedBar(printed: $0.printed, seconds: $0.seconds) }
        guard bars.count > 1 else {
            throw .refused(
                code: "no-bars",
                sentence: bars.isEmpty
                    ? "The piece has no bars yet. Find them by a score, tap them, or import their times."
                    : "The piece has one bar; two at least can be followed. Put in another one, or tap the bars."
            )
        }
        let end = min(record.draft.end ?? main.seconds, main.seconds)
        if let late = bars.first(where: { $0.seconds >= end }) {
            throw .refused(
                code: "late-bars",
                sentence:
                    "Bar \(late.printed) begins at \(Int(late.seconds)) s, after the end at \(Int(end)) s. "
                    + "Move or delete it, or correct the end.")
        }
        return (bars, end)
    }

    /// Refuses the folder of another piece, so that no prepared piece is lost by a name that was used twice.
    private func checkOwner(of folder: String, _ record: DraftRecord) throws(Refusal) {
        let owner = RecordingsFolderWriter.owner(of: recordings + "/" + folder)
        let isFree = owner == .some(nil) && !ModelFolder(path: models).contains(folder)
        // A piece whose draft was deleted may be prepared again under its own name.
        let file = RecordingsFolderWriter.pieceFile(of: recordings + "/" + folder)
        let isOrphan =
            file?.name == record.draft.name && file?.draft.map { !store.pieceIDs().contains($0) } ?? false
        guard isFree || owner == record.id || isOrphan else {
            throw .refused(
                code: "folder-taken",
                sentence:
                    "There is another piece in the folder “\(folder)” already. Give this one another folder.")
        }
    }

    /// Carries out a task. The change of the piece and the end of the task are saved together.
    func carryOut(
        _ task: PreparationTask, _ id: String, of piece: String, _ library: DraftLibrary,
        _ worker: any PreparationWorker, progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> Outcome {
        let folder = store.workFolder(of: piece) + "/" + id
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do throws(Refusal) {
            let before = try await library.record(piece)
            try check(task, of: before)
            try checkSpace(for: task, of: before)
            try? FileManager.default.removeItem(atPath: folder)
            try store.makeFolder(folder, of: piece)
            let work = try work(for: task, of: before, in: folder)
            let result = await worker.perform(work, in: folder, progress: progress)
            if let failure = result.failure {
                if case .listen(let recording) = task, !Task.isCancelled {
                    try await noteFailure(failure.sentences, of: recording, of: piece, library)
                }
                return .failed(sentence: failure.sentences.joined(separator: " "), kind: failure.kind)
            }
            // A result that comes although the task was interrupted is not used.
            guard !Task.isCancelled else { return .failed(sentence: "It was interrupted.") }
            var (sentence, further): (String?, [PendingTask]) = (nil, [])
            try await library.change(piece, label: task.kind) { record throws(Refusal) in
                (sentence, further) = try merge(result, of: task, begunWith: before, into: &record, folder)
                record.pending.removeAll { $0.id == id }
                record.pending += further
                return nil
            }
            if case .prepare(let folder) = task {
                sentence = await putScoreIntoLibrary(of: before, folder, after: sentence)
            }
            return .done(sentence: sentence, further: further)
        } catch {
            if case .listen(let recording) = task {
                try? await noteFailure([error.sentence], of: recording, of: piece, library)
            }
            return .failed(sentence: error.sentence)
        }
    }

    /// Puts the score of a piece that was prepared into the library, unless it is somebody's tab.
    /// - Returns: the sentence, with what became of the score.
    private func putScoreIntoLibrary(
        of record: DraftRecord, _ folder: String, after sentence: String?
    ) async -> String? {
        guard let keepScore, record.tabOwner == nil, let score = scorePath(of: record) else {
            return sentence
        }
        do {
            guard try await keepScore(score, folder, record.draft.name) else { return sentence }
            return [sentence, "Its score is in the library, for stands and letters."].compactMap(\.self)
                .joined(separator: " ")
        } catch {
            return [sentence, "Its score could not be put into the library: \(error.explanation)"].compactMap(
                \.self
            )
            .joined(separator: " ")
        }
    }

    /// Refuses to fill the disk with sound, or with a model of some megabytes.
    private func checkSpace(for task: PreparationTask, of record: DraftRecord) throws(Refusal) {
        let needed = try Self.neededBytes(for: task, of: record)
        guard let free = diskReserve.freeBytes(above: 1), free < needed else { return }
        throw .refused(
            code: "disk-full",
            sentence:
                "The server's disk has no space for this: \(needed >> 20) MB are needed. Free some space, then "
                + "try again.")
    }

    /// The bytes that a task writes at most; for the sound of a score an estimate.
    static func neededBytes(for task: PreparationTask, of record: DraftRecord) throws(Refusal) -> Int {
        let sound: Int
        switch task {
        case .listen(let id): sound = Int(try record.recording(id).seconds) * bytesPerSecond
        case .render: sound = (record.score?.bars ?? 0) * bytesPerRenderedBar
        case .prepare:
            sound = record.recordings.filter { RecordingsFolderWriter.keptEnding(of: $0.file) == nil }
                .reduce(0) { $0 + Int($1.seconds * Double($1.sampleRate)) * bytesPerConvertedSample }
        case .takeEvening(let range): sound = Int((range.to - range.from) * Double(bytesPerEveningSecond))
        case .align, .snap, .reference, .tryTrouble: sound = 0
        }
        return sound + (64 << 20)
    }

    /// Tells people at a recording why it cannot be heard.
    private func noteFailure(
        _ sentences: [String], of recording: String, of piece: String, _ library: DraftLibrary
    ) async throws(Refusal) {
        try await library.change(piece) { record in
            guard let index = record.recordings.firstIndex(where: { $0.id == recording }) else { return [] }
            record.recordings[index].warnings = sentences.map(WebResponse.removeMachinePaths)
            return nil
        }
    }

    private func work(
        for task: PreparationTask, of record: DraftRecord, in folder: String
    ) throws(Refusal) -> PreparationWork {
        func path(of recording: DraftRecording) -> String { store.soundPath(of: record.id, recording) }
        switch task {
        case .listen(let id):
            let recording = try record.recording(id)
            return .listen(
                path: path(of: recording), name: recording.name,
                folder: store.soundFolder(of: record.id, id))
        case .align(let route, let insists):
            let main = try mainRecording(of: record)
            return .align(
                ScoreAlignmentOrder(
                    recording: path(of: main), name: main.name, seconds: main.seconds,
                    score: scorePath(of: record) ?? "", route: route, insists: insists))
        case .snap(let taps, let every, _):
            let main = try mainRecording(of: record)
            return .findTappedBars(
                TapOrder(
                    recording: path(of: main), name: main.name, taps: taps, every: every,
                    beatsPerBar: record.draft.beatsPerBar))
        case .render: return .render(score: scorePath(of: record) ?? "", folder: folder)
        case .takeEvening(let range):
            return .takeEvening(
                EveningRangeOrder(range: range, parts: try eveningSound(of: range).parts), folder: folder)
        case .reference(let id):
            let (bars, end) = try playableMeasures(of: record)
            let (main, recording) = (try mainRecording(of: record), try record.recording(id))
            return .alignReference(
                ReferenceAlignmentOrder(
                    main: path(of: main), mainName: main.name, bars: bars, end: end,
                    recording: path(of: recording), recordingName: recording.name))
        case .prepare(let folder): return .writeModel(try modelOrder(for: record, folder))
        case .tryTrouble(let folder):
            var order = TroubleTrialOrder(models: models, folder: folder, recordings: recordings)
            order.adviceReader = .page
            return .tryTrouble(order)
        }
    }

    private func scorePath(of record: DraftRecord) -> String? {
        record.score.map { store.scoreFolder(of: record.id) + "/" + $0.file }
    }

    private func modelOrder(for record: DraftRecord, _ folder: String) throws(Refusal) -> ModelOrder {
        let main = try mainRecording(of: record)
        let (bars, _) = try playableMeasures(of: record)
        var names = RecordingsFolderWriter.takenNames(
            in: recordings + "/" + folder,
            references: (try? ModelFolder(path: models).contents(of: folder))?.references ?? [], by: record.id
        )
        func ordered(_ recording: DraftRecording) -> ModelOrder.Recording {
            let path = store.soundPath(of: record.id, recording)
            let name = CheckedRecording.defaultReferenceName(for: "recording/" + recording.name)
            var (unique, number) = (name, 2)
            while !names.insert(unique).inserted {
                unique = "\(name)-\(number)"
                number += 1
            }
            return ModelOrder.Recording(path: path, file: recording.name, name: unique)
        }
        let byScore = record.draft.bars.contains { $0.origin == .score }
        let byTaps = record.draft.bars.contains { [.tap, .between].contains($0.origin) }
        return ModelOrder(
            piece: record.id, name: record.draft.name, folder: folder, models: models,
            recordings: recordings, main: ordered(main), bars: bars, end: record.draft.end,
            doubtful: record.draft.bars.enumerated().filter(\.element.isDoubtful).map { index, bar in
                DoubtfulMeasureTime(
                    played: index + 1, printed: bar.printed, seconds: bar.seconds, reasons: bar.reasons)
            }, score: byScore ? scorePath(of: record) : nil,
            origin: main.isRendered
                ? .rendered : byScore ? .transferred : byTaps ? .tapped : .given,
            further: record.recordings.filter { $0.id != main.id }.map(ordered), tabOwner: record.tabOwner,
            tab: record.tab, beatsPerBar: record.draft.beatsPerBar,
            sections: enteredSections(of: record.draft))
    }

    private func enteredSections(of draft: PieceDraft) -> [EnteredSection] {
        draft.bars.enumerated().flatMap { played, bar in
            draft.marks.filter { $0.bar == bar.id && [.section, .rehearsal].contains($0.kind) }.map {
                EnteredSection(label: $0.text, printed: bar.printed, played: played, source: .preparation)
            }
        }
    }
}
