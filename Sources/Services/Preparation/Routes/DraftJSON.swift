import Concert
import Hosting

/// A piece as the page gets it.
struct DraftJSON: Encodable {
    struct Recording: Encodable {
        struct Doubt: Encodable {
            var bar: String
            var seconds: Double
            var reasons: [String]
        }

        var id: String
        var name: String
        var seconds: Double
        var sampleRate: Int
        var channels: Int
        var isMain: Bool
        var isReady: Bool
        var isAligned: Bool
        var warnings: [String]
        var doubts: [Doubt]
    }

    struct Score: Encodable {
        var name: String
        var bars: Int
        var sentences: [String]
    }

    struct Proposal: Encodable {
        var id: String
        var sentence: String
        @OrNull var from: Double?
        @OrNull var to: Double?
        @OrNull var route: String?
    }

    struct Prepared: Encodable {
        var folder: String
        var revision: Int
        var at: Int64
    }

    var id: String
    var name: String
    var revision: Int
    @OrNull var beatsPerBar: Int?
    @OrNull var main: String?
    var recordings: [Recording]
    @OrNull var score: Score?
    var bars: [DraftBar]
    @OrNull var end: Double?
    var marks: [DraftMark]
    var proposals: [Proposal]
    @OrNull var forecast: PieceForecast?
    /// True while the recordings are followed with made trouble, for the forecast.
    var triesTrouble: Bool
    @OrNull var prepared: Prepared?
    @OrNull var job: PreparationJob?

    init(_ record: DraftRecord, job: PreparationJob?) {
        (id, revision, main) = (record.id, record.revision, record.main)
        (name, beatsPerBar, bars) = (record.draft.name, record.draft.beatsPerBar, record.draft.bars)
        (end, marks) = (record.draft.end, record.draft.marks)
        recordings = record.recordings.map { recording in
            Recording(
                id: recording.id, name: recording.name, seconds: roundedToThousandths(recording.seconds),
                sampleRate: recording.sampleRate, channels: recording.channels,
                isMain: recording.id == record.main, isReady: recording.isReady,
                isAligned: recording.alignment != nil, warnings: record.warnings(about: recording),
                doubts: (recording.alignment?.bars ?? []).filter { !$0.reasons.isEmpty }.map {
                    Recording.Doubt(bar: $0.bar, seconds: $0.seconds, reasons: $0.reasons)
                })
        }
        score = record.score.map { Score(name: $0.name, bars: $0.bars, sentences: $0.sentences) }
        proposals = record.proposals.map {
            Proposal(id: $0.id, sentence: $0.sentence, from: $0.from, to: $0.to, route: $0.route)
        }
        prepared = record.prepared.map { Prepared(folder: $0.folder, revision: $0.revision, at: $0.at) }
        forecast = record.forecast
        triesTrouble = record.pending.contains { $0.task.kind == "forecast" }
        self.job = job
    }
}

/// A piece of the list.
struct ListedPieceJSON: Encodable {
    var id: String
    var name: String
    /// The length of the main recording in seconds; nil if there is none.
    @OrNull var seconds: Double?
    /// The names of all recordings, the main one first.
    var recordings: [String] = []
    var bars: Int
    var doubtful: Int
    var isPrepared: Bool
    /// True if the piece was changed since it was prepared.
    var isChanged = false
    /// The folder of the model; nil before the piece was prepared.
    @OrNull var folder: String?
    var changedAt: Int64
    @OrNull var job: PreparationJob?
    /// The reason why the piece cannot be opened; nil if it can.
    @OrNull var damage: String?

    init(_ piece: DraftLibrary.ListedPiece, job: PreparationJob?) {
        self.job = job
        switch piece {
        case .readable(let record):
            (id, name, bars) = (record.id, record.draft.name, record.draft.bars.count)
            seconds = record.mainRecording.map { roundedToThousandths($0.seconds) }
            let others = record.recordings.filter { $0.id != record.main }
            recordings = (record.mainRecording.map { [$0] } ?? []).map(\.name) + others.map(\.name)
            doubtful = record.draft.bars.count(where: \.isDoubtful)
            isPrepared = record.prepared != nil
            isChanged = record.prepared.map { $0.revision != record.revision } ?? false
            folder = record.prepared?.folder
            changedAt = record.changedAt
        case .damaged(let id, let fault):
            (self.id, name, bars, doubtful, isPrepared, changedAt) = (id, id, 0, 0, false, 0)
            damage = fault.sentence
        }
    }
}
