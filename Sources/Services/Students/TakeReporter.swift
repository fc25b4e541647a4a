import Alignment
import Following
import Foundation
import Listening
import MusicalTime
import ReferenceStore
import Score
import SoundFiles
import TakeReport
import WebServer

/// Makes the report on a take, by aligning the whole of it with the reference. Nothing of it comes from the live
/// follower. It runs on a thread of low priority, one take after another.
actor TakeReporter {
    private let thread: PracticeThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let models: ModelFolder
    private let recordings: String
    private var recent: [(key: String, report: TakeReportJSON)] = []
    /// The reports that are being made, or wait for the thread.
    private var running: [String: Task<TakeReportJSON, Never>] = [:]
    private let quota = SharedResourceQuota(places)

    /// The reports that are kept in memory.
    private static let mostRecent = 32
    /// As many reports may wait as students may practise; one of an account.
    static let places = ResourceQuota.Limits(total: 24, reserve: 4, perAddress: 20, perAccount: 1)
    /// A shorter take has nothing to align.
    static let shortestSeconds = 3.0

    init(modelsFolder: String, recordings: String, thread: PracticeThread) {
        models = ModelFolder(path: modelsFolder)
        self.recordings = recordings
        self.thread = thread
    }

    /// Reports on a take. Takes about a second for each two minutes of sound.
    /// - Parameters:
    ///   - key: identifies the take, so that its report is made once.
    ///   - holder: whoever asks. A report that is known or being made takes no place.
    func report(
        on take: Take, sound: String, key: String, for holder: ResourceQuota.Holder
    ) async throws(ResourceQuota.Refusal) -> TakeReportJSON {
        if let known = recent.first(where: { $0.key == key }) { return known.report }
        if let making = running[key] { return await making.value }
        let place = try quota.takePlace(holder)
        defer { place.giveBackPlace() }
        let making = Task { await make(take, sound) }
        running[key] = making
        let report = await making.value
        running[key] = nil
        keep(report, key)
        return report
    }

    /// Keeps a report in memory. One that was refused is made again, because the reason may pass.
    private func keep(_ report: TakeReportJSON, _ key: String) {
        guard report.refusal == nil, report.notesRefusal == nil else { return }
        recent.append((key, report))
        if recent.count > Self.mostRecent { recent.removeFirst() }
    }

    private func make(_ take: Take, _ sound: String) async -> TakeReportJSON {
        guard let seconds = take.seconds, seconds >= Self.shortestSeconds else {
            return TakeReportJSON(refusal: "The take is too short for a report.")
        }
        do {
            let model = try models.loadModel(take.piece).model
            let heard = try computeReferenceFrames(sound, rooms: [])
            let marks = model.measures.marks
            let found = try OfflineScoreAlignment(
                score: model.framesByRecording[0],
                measures: UnfoldedScoreMeasures(
                    onsets: marks.map(\.onset.seconds), end: model.measures.end.seconds,
                    writtenIndices: marks.map(\.printed)),
                recording: heard.frames, framesPerSecond: model.framesPerSecond, amongOtherMusic: true)
            guard found.likeness >= OfflineScoreAlignment.leastLikeness, !found.measures.isEmpty else {
                return TakeReportJSON(
                    refusal:
                        "The take does not sound like \(model.pieceName.text): it was too soft, too noisy, or "
                        + "another piece.")
            }
            var report = TakeReportJSON(found, measures: model.measures)
            do {
                let notes = try await PieceNotes.read(
                    piece: take.piece, recordings: recordings, bars: marks.count)
                report.add(
                    try TakeNotes.judge(
                        notes, in: found, measures: model.measures, sound: sound, cents: heard.tuningCents))
            } catch let fault as PieceNotes.Fault {
                report.notesRefusal = fault.sentence
            }
            return report
        } catch ReferenceStoreError.noSuchPiece {
            return TakeReportJSON(
                refusal:
                    "“\(take.pieceName)” is not on this server any more, so that the take has nothing to be "
                    + "compared with. You can still hear it.")
        } catch let error as ReferenceStoreError {
            return TakeReportJSON(refusal: error.sentence)
        } catch let error as SoundFileError {
            return TakeReportJSON(refusal: error.sentence)
        } catch let error as OfflineAlignmentError {
            return TakeReportJSON(refusal: error.sentence)
        } catch {
            return TakeReportJSON(refusal: "The report could not be made: \(error)")
        }
    }
}

/// The report on a take as the page gets it. All times are in seconds.
struct TakeReportJSON: Encodable, Equatable, Sendable {
    struct Bar: Encodable, Equatable, Sendable {
        /// The played bar of the piece, counted from 0.
        var played: Int
        var printed: Int
        /// The onset in the take.
        var seconds: Double
        /// The tempo as a multiple of the reference's; nil if it cannot be judged.
        var tempo: Double?
        /// Seconds late, or early if negative; nil if that cannot be judged.
        var lateness: Double?
        /// `early`, `late`, `steady`, or `unknown`.
        var verdict: String
        /// The reason why it is unknown.
        var reason: String?
    }

    /// Bars that were played one after the other.
    struct Passage: Encodable, Equatable, Sendable {
        var bars: [Bar]
        /// The end of the last bar in the take.
        var end: Double
        /// The median of the bars' tempo; nil if none is certain.
        var tempo: Double?
    }

    /// The sentence why there is no report; nil if there is one.
    var refusal: String?
    var passages: [Passage] = []
    /// Lateness below this is not told from none.
    var leastLateness = BarTiming.leastLateness
    /// The sentence why the notes are not judged; nil if they are.
    var notesRefusal: String?
    /// The number of notes that were right.
    var rightNotes = 0
    /// The mistakes and the extra notes, in the order of the take.
    var notes: [TakeNotes.Finding] = []
    /// The numbers of notes that were not judged, by the reason.
    var unknownNotes: [String: Int] = [:]

    mutating func add(_ judged: TakeNotes) {
        (rightNotes, notes, unknownNotes) = (judged.rightCount, judged.findings, judged.unknown)
    }

    init(refusal: String) { self.refusal = refusal }

    init(_ found: OfflineScoreAlignment, measures: MeasureMap) {
        var first = 0
        passages = found.passages.map { passage in
            let bars = found.measures[first..<first + passage.played.count]
            first += passage.played.count
            let end = first < found.measures.count ? found.measures[first].seconds : found.endSeconds
            return Passage(Array(bars), end: end, measures: measures)
        }
    }
}

extension TakeReportJSON.Passage {
    fileprivate init(_ bars: [OfflineScoreAlignment.Measure], end: Double, measures: MeasureMap) {
        let aligned = bars.map { bar in
            AlignedBar(
                played: bar.played, seconds: bar.seconds,
                referenceSeconds: measures.marks[bar.played].onset.seconds, doubt: BarDoubt(bar))
        }
        let timings = BarTiming.judge(
            aligned, end: (end, measures.onset(after: bars[bars.count - 1].played).seconds))
        self.bars = timings.map { timing in
            TakeReportJSON.Bar(timing, printed: measures.marks[timing.played].printed)
        }
        self.end = (end * 1_000).rounded() / 1_000
        let tempos = timings.compactMap(\.tempo).sorted()
        tempo = tempos.isEmpty ? nil : (tempos[tempos.count / 2] * 1_000).rounded() / 1_000
    }
}

extension BarDoubt {
    /// The first reason to doubt an aligned bar; nil if there is none.
    fileprivate init?(_ bar: OfflineScoreAlignment.Measure) {
        guard bar.doubt >= OfflineScoreAlignment.doubtfulFrom else { return nil }
        if bar.reasons.contains(.recordingsDiffer) {
            self = .unlike
        } else if bar.reasons.contains(.improbableTempo) {
            self = .improbableTempo
        } else {
            self = .ambiguous
        }
    }

    /// The reason as a part of a sentence.
    var words: String {
        switch self {
        case .ambiguous: "the sound fits other moments as well"
        case .unlike: "it sounds unlike the piece here"
        case .improbableTempo: "there was a stop, or a part is missing"
        case .afterJump: "you began here"
        case .fewNeighbours: "too few bars beside it are certain"
        }
    }
}

extension TakeReportJSON.Bar {
    fileprivate init(_ timing: BarTiming, printed: Int) {
        func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
        played = timing.played
        self.printed = printed
        seconds = rounded(timing.seconds)
        tempo = timing.tempo.map(rounded)
        lateness = timing.lateness.map(rounded)
        reason = timing.doubt?.words
        verdict =
            switch timing.lateness {
            case nil: "unknown"
            case let late? where late >= BarTiming.leastLateness: "late"
            case let late? where late <= -BarTiming.leastLateness: "early"
            default: "steady"
            }
    }
}
