import Alignment
import Features
import Following
import Foundation
import Listening
import ReferenceStore
import Score

/// Adds what was played of a piece on a recorded evening to the piece's model, as a further reference.
///
/// The positions of the show are the first guess where the piece was played; the alignment of the sound decides.
package struct EveningReference: Sendable {
    package let sound: EveningSound
    package let log: EveningLog
    package let modelsFolder: String
    /// True to check everything and write nothing.
    package let onlyChecks: Bool
    package let console: PreparationConsole
    package let cleanup: PreparationCleanup

    package init(
        sound: EveningSound, log: EveningLog, modelsFolder: String, onlyChecks: Bool,
        console: PreparationConsole, cleanup: PreparationCleanup
    ) {
        (self.sound, self.log, self.modelsFolder) = (sound, log, modelsFolder)
        (self.onlyChecks, self.console, self.cleanup) = (onlyChecks, console, cleanup)
    }

    /// The longest sound that is searched at once, in seconds.
    private static let longestSearch = 75.0 * 60
    /// A recording of which more than this share of the measures is doubtful makes no reference.
    static let largestDoubtfulShare = 0.5
    /// The sound before the first onset and after the end that belongs to the piece, in seconds.
    private static let leadSeconds = 0.2...2.0
    private static let tailSeconds = 0.5...4.0

    /// Finds the piece in the evening, cuts it out and adds it to the model.
    /// - Parameter piece: the piece's folder.
    /// - Throws: ``PreparationError``; the model is then as it was.
    package func add(_ piece: String) async throws -> EveningReferenceResult {
        defer { cleanup.deleteScratchFiles() }
        let model = try ModelFolder(path: modelsFolder).loadModel(piece)
        guard !model.referenceDetails.contains(where: { $0.name == referenceName }) else {
            throw PreparationError(
                "The evening “\(sound.name)” is a reference of “\(model.model.pieceName)” already.")
        }
        try makeScratchFolder()
        var sentences: [String] = []
        let passages = try findPassages(model, sentences: &sentences)
        let run = try chooseRun(passages, of: model, sentences: &sentences)
        let cut = makeCut(run, of: model.model)
        let path = cleanup.scratchFolder.appendingPathComponent(sound.name + ".flac").path
        console.beginStage("Cutting out “\(model.model.pieceName)”")
        try sound.write(cut.ranges, to: path)
        sentences += gapSentences(cut, run, model.model.measures)
        let added = try await PreparationRun(
            request: PreparationRequest(
                pieceFolder: piece, recording: path, measureTimesFormat: "automatic",
                referenceName: referenceName, modelsFolder: modelsFolder, channel: "mix",
                replacesModel: false, addsToModel: true, checkOnly: onlyChecks),
            console: console, cleanup: cleanup
        ).run()
        return EveningReferenceResult(
            piece: piece, name: model.model.pieceName.text, reference: referenceName,
            isWritten: !onlyChecks, measures: model.model.measures.marks.count,
            begins: sound.place(of: cut.eveningTime(of: 0)) ?? RecordingPlace(part: 1, seconds: 0),
            segments: run.segments.compactMap { segment in
                sound.place(of: segment.time.lowerBound).map {
                    .init(
                        from: Self.printed(segment.played.lowerBound, model),
                        to: Self.printed(segment.played.upperBound - 1, model), place: $0,
                        seconds: (segment.time.upperBound - segment.time.lowerBound).rounded())
                }
            },
            doubtful: added.newestReference.doubtful.compactMap { bar in
                sound.place(of: cut.eveningTime(of: bar.seconds)).map {
                    .init(played: bar.played, printed: bar.printed, place: $0, reasons: bar.reasons)
                }
            }, sentences: sentences)
    }

    private static func printed(_ played: Int, _ model: StoredModel) -> Int {
        model.model.measures.marks[played].printed
    }

    /// The recording's name, if it can name a reference.
    private var referenceName: String {
        ModelFolder.isValidName(sound.name) ? sound.name : "evening"
    }

    private func makeScratchFolder() throws {
        do {
            try FileManager.default.createDirectory(
                at: cleanup.scratchFolder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw PreparationError(
                "\(cleanup.scratchFolder.path) could not be made: \(error.localizedDescription)")
        }
    }

    // MARK: - Finding

    /// Looks where the show was in the piece; if that does not sound like it, or nobody knows, in all of the recording.
    private func findPassages(
        _ model: StoredModel, sentences: inout [String]
    ) throws -> [PlayedPassage] {
        switch log {
        case .unusable(let sentence): sentences.append(sentence)
        case .positions(let positions):
            let name = model.model.pieceName.text
            let guess = EveningStretches(in: positions, piece: name, measures: model.model.measures).ranges
            if guess.isEmpty {
                sentences.append(
                    "The show log knows no bar of “\(name)”, so all of the recording is searched.")
                break
            }
            let found = try passages(in: guess, of: model.model)
            if !found.isEmpty { return found }
            sentences.append(
                "Where the show was in “\(name)”, the recording does not sound like it, so all of it is searched."
            )
        }
        let found = try passages(in: sound.stretches, of: model.model)
        guard !found.isEmpty else {
            throw PreparationError(
                sentences + ["“\(model.model.pieceName)” is not heard in the recording “\(sound.name)”."])
        }
        return found
    }

    /// The passages of the piece that are heard in some ranges of the evening.
    private func passages(
        in ranges: [Range<Double>], of model: ReferenceModel
    ) throws -> [PlayedPassage] {
        let bounds = searches(ranges, pieceSeconds: model.measures.end.seconds)
        var found: [PlayedPassage] = []
        for (number, range) in bounds.enumerated() {
            let which = bounds.count > 1 ? ", \(number + 1) of \(bounds.count)" : ""
            for passage in try search(range, model, name: "“\(model.pieceName)”\(which)") {
                // The overlap of two searches finds some passages twice.
                let isKnown = found.contains {
                    $0.played == passage.played && abs($0.onsets[0] - passage.onsets[0]) < 2
                }
                if !isKnown { found.append(passage) }
            }
        }
        return found
    }

    /// Joins what touches and divides what is too long, with an overlap in which the whole piece has room.
    private func searches(_ ranges: [Range<Double>], pieceSeconds: Double) -> [Range<Double>] {
        guard let first = sound.stretches.first, let last = sound.stretches.last else { return [] }
        let whole = first.lowerBound..<last.upperBound
        let overlap = pieceSeconds * EveningStretches.slowestTempo + 2 * EveningStretches.margin
        let longest = max(Self.longestSearch, overlap * 1.5)
        var joined: [Range<Double>] = []
        for range in ranges.map({ $0.clamped(to: whole) }) where !range.isEmpty {
            if let before = joined.last, range.lowerBound - before.upperBound <= EveningStretches.longestPause
            {
                joined[joined.count - 1] =
                    before.lowerBound..<max(before.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined.flatMap { range -> [Range<Double>] in
            var parts: [Range<Double>] = []
            var from = range.lowerBound
            while range.upperBound - from > longest {
                parts.append(from..<from + longest)
                from += longest - overlap
            }
            return parts + [from..<range.upperBound]
        }
    }

    private func search(
        _ range: Range<Double>, _ model: ReferenceModel, name: String
    ) throws -> [PlayedPassage] {
        let path = cleanup.scratchFolder.appendingPathComponent("search.flac").path
        try sound.write([range], to: path)
        console.beginStage("Listening for \(name)")
        let console = console
        let marks = model.measures.marks
        let heard = try computeReferenceFrames(path, rooms: [], progress: console.showProgress).frames
        try? FileManager.default.removeItem(atPath: path)
        guard heard.frameCount > 0 else { return [] }
        console.beginStage("Searching \(name)")
        let found = try OfflineScoreAlignment(
            score: model.framesByRecording[0].unpacked,
            measures: UnfoldedScoreMeasures(
                onsets: marks.map(\.onset.seconds), end: model.measures.end.seconds,
                writtenIndices: marks.map(\.printed)),
            recording: heard, framesPerSecond: model.framesPerSecond, amongOtherMusic: true
        ) { share in
            console.showProgress(share)
            return true
        }
        guard found.likeness >= OfflineScoreAlignment.leastLikeness else { return [] }
        return PassageFinder(boundaries: Self.boundaries(model.measures))
            .passages(of: found, from: range.lowerBound)
    }

    private static func boundaries(_ measures: MeasureMap) -> [Double] {
        measures.marks.map(\.onset.seconds) + [measures.end.seconds]
    }

    // MARK: - Choosing

    private func chooseRun(
        _ passages: [PlayedPassage], of model: StoredModel, sentences: inout [String]
    ) throws -> WholeRun {
        let printed = model.model.measures.marks.map(\.printed)
        switch WholeRun.find(in: passages, count: printed.count) {
        case .incomplete(let missing):
            let names = missing.map { EveningSentences.bars($0, printed) }.joined(separator: ", ")
            throw PreparationError(
                sentences + [
                    "“\(model.model.pieceName)” was not played completely: \(names) "
                        + "\(missing.count == 1 && missing[0].count == 1 ? "is" : "are") missing in the recording. "
                        + "Nothing was written."
                ])
        case .whole(let run):
            guard Double(run.doubtfulCount) <= Self.largestDoubtfulShare * Double(printed.count) else {
                throw PreparationError(
                    sentences + [
                        "\(run.doubtfulCount) of \(printed.count) bars of “\(model.model.pieceName)” are doubtful in this "
                            + "recording, too many for a reference. Nothing was written."
                    ])
            }
            sentences += EveningSentences.sentences(about: run, printed: printed, in: sound)
            return run
        }
    }

    /// The ranges of the evening that make the reference's sound.
    private func makeCut(_ run: WholeRun, of model: ReferenceModel) -> EveningCut {
        var ranges = run.segments.map(\.time)
        let measures = model.measures
        let length = Double(model.framesByRecording[0].frameCount) / Double(model.framesPerSecond)
        let lead = min(
            max(measures.marks[0].onset.seconds, Self.leadSeconds.lowerBound), Self.leadSeconds.upperBound)
        let tail = min(
            max(length - measures.end.seconds, Self.tailSeconds.lowerBound), Self.tailSeconds.upperBound)
        let (first, last) = (ranges[0], ranges[ranges.count - 1])
        if let stretch = sound.stretches.last(where: { $0.lowerBound <= first.lowerBound }) {
            ranges[0] = max(first.lowerBound - lead, stretch.lowerBound)..<first.upperBound
        }
        if let stretch = sound.stretches.last(where: { $0.lowerBound < last.upperBound }) {
            let end = max(min(last.upperBound + tail, stretch.upperBound), last.upperBound)
            ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<end
        }
        return EveningCut(ranges: ranges)
    }

    private func gapSentences(_ cut: EveningCut, _ run: WholeRun, _ measures: MeasureMap) -> [String] {
        cut.ranges.flatMap(sound.gaps(within:)).map { gap in
            let segment = run.segments.last { $0.time.lowerBound <= gap.lowerBound } ?? run.segments[0]
            let share =
                (gap.lowerBound - segment.time.lowerBound)
                / (segment.time.upperBound - segment.time.lowerBound)
            let bounds = Self.boundaries(measures)
            let from = bounds[segment.played.lowerBound]
            let seconds = from + min(max(share, 0), 1) * (bounds[segment.played.upperBound] - from)
            let played = max((bounds.firstIndex { $0 > seconds } ?? 1) - 1, 0)
            let printed = measures.marks[min(played, measures.marks.count - 1)].printed
            return
                "\(EveningSentences.seconds(gap.upperBound - gap.lowerBound)) of the recording are missing near bar "
                + "\(printed); the reference is silent there."
        }
    }
}

/// The ranges of an evening that were written one after the other into a file.
struct EveningCut: Equatable, Sendable {
    var ranges: [Range<Double>]

    /// The time of the evening at a time of the file, both in seconds.
    func eveningTime(of seconds: Double) -> Double {
        var left = max(seconds, 0)
        for range in ranges {
            let length = range.upperBound - range.lowerBound
            if left <= length { return range.lowerBound + left }
            left -= length
        }
        return ranges.last?.upperBound ?? 0
    }
}
