import ReferenceStore
import Rehearsal
import Score

/// One score in one session: the unit of the statistics.
struct RehearsedScore: Hashable, Sendable {
    /// The id of the session.
    var session: String
    var score: Rehearsal.Score.ID
}

/// Remembers what was computed for histories: the time on each bar of sessions that are over, and the measures of
/// pieces that are not on the programme.
actor RoomHistories {
    /// The newest sessions of a room that a history has.
    static let mostSessions = 100
    private static let mostKept = 1_000

    private struct Kept {
        var seconds: [[Double]]
        var measures: [MeasureMap?]
    }

    private var kept: [RehearsedScore: Kept] = [:]
    private var maps: [String: MeasureMap?] = [:]

    /// The time on each bar in a session; nil if it is not known for these measures.
    func known(_ key: RehearsedScore, _ measures: [MeasureMap?]) -> [[Double]]? {
        kept[key].flatMap { $0.measures == measures ? $0.seconds : nil }
    }

    func keep(_ seconds: [[Double]], of key: RehearsedScore, _ measures: [MeasureMap?]) {
        if kept.count >= Self.mostKept { kept = [:] }
        kept[key] = Kept(seconds: seconds, measures: measures)
    }

    /// The measures of each movement of a score: those of tonight's programme, else those of the prepared piece.
    func measures(
        of score: Rehearsal.Score, in programme: ProgrammePieceMaps, _ models: ModelFolder?
    ) -> [MeasureMap?] {
        score.movements.map { movement in
            guard let piece = movement.piece else { return nil }
            if let map = programme.measureMapsByPiece[piece] { return map }
            if let known = maps[piece] { return known }
            guard let models, let stored = try? models.loadModel(piece) else { return nil }
            if maps.count >= 200 { maps = [:] }
            maps[piece] = .some(stored.model.measures)
            return stored.model.measures
        }
    }
}
