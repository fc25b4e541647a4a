import Hosting
import Podium
import Rehearsal
import Score

/// The follower's position in the piece that is on, as the rehearsal rooms receive it.
struct PerformancePosition: Hashable, Sendable {
    /// Folder of the piece that is on; rooms find their movement by it.
    var folder: String
    /// Position, tempo and trust. The movement is 0 here: each room sets it, since scores number movements
    /// differently.
    var word: LiveUpdate
    var at: ShowTime
    /// True in rehearsal mode: a pinpoint of a conductor's stand moves the follower.
    var pinpointsMoveFollower: Bool

    init(folder: String, word: LiveUpdate, at: ShowTime, pinpointsMoveFollower: Bool = false) {
        self.folder = folder
        self.word = word
        self.at = at
        self.pinpointsMoveFollower = pinpointsMoveFollower
    }

    init(_ snapshot: ShowEngineSnapshot, after last: PerformancePosition?) {
        folder = snapshot.piece.folder
        at = snapshot.now
        guard snapshot.state.check == nil else {
            // The pre-show check plays test sound to the follower; stands show it as "waiting".
            word = LiveUpdate(movement: 0, position: nil, trust: .waiting)
            pinpointsMoveFollower = false
            return
        }
        pinpointsMoveFollower = snapshot.state.isRehearsal
        word = LiveUpdate(snapshot.state, printed: snapshot.printed, movement: 0)
        guard word.position != nil else {
            word.measure = nil
            return
        }
        // The position extrapolated to now, not as of the follower's last report.
        let played = snapshot.state.position.played
        word.position = ScorePosition(played: played, fraction: snapshot.fraction)
        if let last, last.folder == folder, let before = last.word.position?.played {
            word.jumped = played < before || played > before + 2
        }
    }

    /// True if the change matters to a stand that shows `old`: another piece, measure or state, a jump, or other
    /// rights. A moving fraction of a measure alone is no news.
    func isSignificantChange(after old: PerformancePosition?) -> Bool {
        guard let old else { return true }
        return folder != old.folder || word.trust != old.word.trust || word.measure != old.word.measure
            || word.jumped || pinpointsMoveFollower != old.pinpointsMoveFollower
    }
}

/// Measure maps and sections of the pieces in the programme, by the piece's folder.
struct ProgrammePieceMaps: Sendable {
    var measures: [String: MeasureMap] = [:]
    var sections: [String: [ShowSection]] = [:]

    init() {}

    init(_ course: ShowProgramme) {
        for piece in course.pieces {
            measures[piece.folder] = piece.measures
            sections[piece.folder] = piece.sections
        }
    }

    func measures(of score: Rehearsal.Score) -> [MeasureMap?] {
        score.movements.map { $0.piece.flatMap { measures[$0] } }
    }

    func sections(of score: Rehearsal.Score) -> [[ShowSection]] {
        score.movements.map { $0.piece.flatMap { sections[$0] } ?? [] }
    }
}
