import Hosting
import Podium
import Rehearsal
import Score

/// Where the music is, of whatever piece is on.
struct LivePlace: Hashable, Sendable {
    /// Folder of the piece.
    var folder: String
    /// Without the movement, which each score numbers for itself.
    var word: LiveUpdate
    var at: ShowTime
    /// Commands from stands move the follower: the show is in rehearsal.
    var takesPinpoints: Bool

    init(folder: String, word: LiveUpdate, at: ShowTime, takesPinpoints: Bool = false) {
        self.folder = folder
        self.word = word
        self.at = at
        self.takesPinpoints = takesPinpoints
    }

    init(_ picture: DeskPicture, after last: LivePlace?) {
        folder = picture.piece.folder
        at = picture.now
        guard picture.state.check == nil else {
            // What the check before the show plays to the follower is no music.
            word = LiveUpdate(movement: 0, position: nil, trust: .waiting)
            takesPinpoints = false
            return
        }
        takesPinpoints = picture.state.isRehearsal
        word = LiveUpdate(picture.state, printed: picture.printed, movement: 0)
        guard word.position != nil else {
            word.measure = nil
            return
        }
        // As it is now, not as it was when the position was last set.
        let played = picture.state.position.played
        word.position = ScorePosition(played: played, fraction: picture.fraction)
        if let last, last.folder == folder, let before = last.word.position?.played {
            word.jumped = played < before || played > before + 2
        }
    }

    /// True where a stand that shows the other has something to turn or to show.
    func isNews(after old: LivePlace?) -> Bool {
        guard let old else { return true }
        return folder != old.folder || word.trust != old.word.trust || word.measure != old.word.measure
            || word.jumped || takesPinpoints != old.takesPinpoints
    }
}

/// What is known of the pieces of tonight's programme, by folder.
struct PlayedPieces: Sendable {
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
