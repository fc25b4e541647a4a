import Hosting
import Podium
import Rehearsal
import Score

/// The follower's position in the piece being played, as rehearsal rooms receive it.
struct PerformancePosition: Hashable, Sendable {
    /// Folder of the piece being played. Each room finds its own movement by it.
    var pieceFolder: String
    /// Position, tempo and the follower's certainty. The movement is 0 here: each room sets its own, since scores
    /// number movements differently.
    var liveUpdate: LivePositionUpdate
    var showTime: ShowTime
    /// True in rehearsal mode: a conductor who points at a bar on a stand moves the follower there.
    var pinpointsMoveFollower: Bool
    /// True from the moment at which the evening is armed until it is over, and in a rehearsal.
    var isEveningOn: Bool

    init(
        pieceFolder: String, liveUpdate: LivePositionUpdate, showTime: ShowTime,
        pinpointsMoveFollower: Bool = false, isEveningOn: Bool = false
    ) {
        self.pieceFolder = pieceFolder
        self.liveUpdate = liveUpdate
        self.showTime = showTime
        self.pinpointsMoveFollower = pinpointsMoveFollower
        self.isEveningOn = isEveningOn
    }

    init(_ snapshot: ShowEngineSnapshot, after last: PerformancePosition?) {
        pieceFolder = snapshot.piece.folder
        showTime = snapshot.now
        isEveningOn =
            !snapshot.programme.isEmpty
            && (snapshot.state.isRehearsal || ![.notYet, .over].contains(snapshot.state.stage))
        guard snapshot.state.check == nil else {
            // The pre-show check plays test sound to the follower; stands show it as "waiting".
            liveUpdate = LivePositionUpdate(movement: 0, position: nil, trust: .waiting)
            pinpointsMoveFollower = false
            return
        }
        pinpointsMoveFollower = snapshot.state.isRehearsal
        liveUpdate = LivePositionUpdate(snapshot.state, printed: snapshot.printedMeasure, movement: 0)
        guard liveUpdate.position != nil else {
            liveUpdate.measure = nil
            return
        }
        // The position extrapolated to now, not as of the follower's last report.
        let played = snapshot.state.position.played
        liveUpdate.position = ScorePosition(played: played, fraction: snapshot.measureFraction)
        if let last, last.pieceFolder == pieceFolder, let before = last.liveUpdate.position?.played {
            liveUpdate.jumped = played < before || played > before + 2
        }
    }

    /// True if stands that show `old` must be updated: the piece, the measure, the state or the rights differ, or the
    /// music has jumped. A new fraction of the same measure does not count.
    func isSignificantChange(after old: PerformancePosition?) -> Bool {
        guard let old else { return true }
        return pieceFolder != old.pieceFolder || liveUpdate.trust != old.liveUpdate.trust
            || liveUpdate.measure != old.liveUpdate.measure
            || liveUpdate.jumped || isEveningOn != old.isEveningOn
            || pinpointsMoveFollower != old.pinpointsMoveFollower
    }
}

/// Measure maps and sections of the pieces in the programme, by the folder of the piece.
struct ProgrammePieceMaps: Sendable {
    var measureMapsByPiece: [String: MeasureMap] = [:]
    var sectionsByPiece: [String: [PieceSection]] = [:]
    /// The folders of the pieces, in the order of the programme.
    var folders: [String] = []
    /// Their names, in the same order.
    var names: [String] = []
    /// The names of the evening's people.
    var people: [String] = []

    init() {}

    init(_ course: ShowProgramme) {
        folders = course.isEmpty ? [] : course.pieces.map(\.folder)
        names = course.isEmpty ? [] : course.pieces.map(\.name.text)
        people = course.evening.people.map(\.name)
        for piece in course.pieces {
            measureMapsByPiece[piece.folder] = piece.measures
            sectionsByPiece[piece.folder] = piece.sections
        }
    }

    func measureMaps(of score: Rehearsal.Score) -> [MeasureMap?] {
        score.movements.map { $0.piece.flatMap { measureMapsByPiece[$0] } }
    }

    func sections(of score: Rehearsal.Score) -> [[PieceSection]] {
        score.movements.map { $0.piece.flatMap { sectionsByPiece[$0] } ?? [] }
    }
}
