import Basics
import Concert
import Following
import Podium
import Score

/// A piece of measures of two seconds each.
func measures(_ printed: [Int], seconds: Double = 2) -> MeasureMap {
    try! MeasureMap(
        marks: printed.enumerated().map {
            PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: Double($0.offset) * seconds))
        }, end: ReferenceTime(seconds: Double(printed.count) * seconds))
}

func cue(
    _ name: String, at played: Int, kind: CueKind = .note, auto: Bool = true, early: Int = 0,
    payload: String = ""
) -> Cue {
    Cue(
        id: name, place: .playedMeasure(played), played: played, name: name, kind: kind, isAutomatic: auto,
        earlinessMilliseconds: early, payload: payload)
}

/// Measures 1 2 3 4 1 2 3 4 5 … 12, sections A, A' and B.
func firstPiece(_ cues: [Cue] = []) -> ShowPiece {
    try! ShowPiece(
        name: PieceName("Strauss, Don Juan: I"), folder: "strauss-1",
        measures: measures([1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        sections: [
            PieceSection(label: "A", start: 0), PieceSection(label: "A'", start: 4),
            PieceSection(label: "B", start: 8),
        ], cues: try! CueList(cues, measureCount: 16))
}

func secondPiece(_ cues: [Cue] = []) -> ShowPiece {
    try! ShowPiece(
        name: PieceName("Strauss, Don Juan: II"), folder: "strauss-2", measures: measures(Array(0...7)),
        cues: try! CueList(cues, measureCount: 8))
}

func evening(_ cues: [Cue] = [], second: [Cue] = []) -> ShowProgramme {
    try! ShowProgramme(title: "Tonight", pieces: [firstPiece(cues), secondPiece(second)])
}

let anna = CommandSender(name: "anna", role: .technician)
let bert = CommandSender(name: "bert", role: .technician)
let conductor = CommandSender(name: "podium", role: .conductor)
let presenter = CommandSender(name: "screen", role: .presenter)

/// A Podium with a clock that is set by hand, and short ways to say what happens.
struct Stage {
    var podium: Podium
    var now = ShowTime.zero
    /// Everything so far.
    var effects: [PodiumEffect] = []

    /// - Parameter isUnderWay: true if the first piece is under way from the beginning, as most tests want; false if its
    ///   beginning is awaited, as in a new show.
    init(
        _ course: ShowProgramme = evening(), settings: PodiumSettings = PodiumSettings(),
        isUnderWay: Bool = true
    ) {
        podium = Podium(course: course, settings: settings, isUnderWay: isUnderWay)
    }

    var state: PodiumState { podium.state }
    var played: Int { state.position.played }

    @discardableResult
    mutating func take(_ event: PodiumEvent) -> [PodiumEffect] {
        let new = podium.process(event, at: now)
        effects += new
        return new
    }

    @discardableResult
    mutating func say(_ words: String, by person: CommandSender = anna, epoch: BatonEpoch? = nil)
        -> [PodiumEffect]
    {
        let command = try! PodiumCommand(words: words.split(separator: " ").map(String.init))
        return take(.command(command, by: person, epoch: epoch))
    }

    @discardableResult
    mutating func hear(
        _ played: Int, _ fraction: Double = 0, piece: Int = 0, _ state: FollowerState = .following,
        copies: [Int] = [], jumped: Bool = false, tempo: Double = 1, confidence: Double = 1,
        candidates: [Int] = [], isSilent: Bool = false
    ) -> [PodiumEffect] {
        take(
            .followerReport(
                word(
                    played, fraction, piece: piece, state, copies: copies, jumped: jumped, tempo: tempo,
                    confidence: confidence, candidates: candidates, isSilent: isSilent)))
    }

    /// `copies` are those between which the follower cannot decide, its own first.
    func word(
        _ played: Int, _ fraction: Double = 0, piece: Int = 0, _ state: FollowerState = .following,
        copies: [Int] = [], jumped: Bool = false, tempo: Double = 1, confidence: Double = 1,
        candidates: [Int] = [], isSilent: Bool = false
    ) -> FollowerReport {
        let part = podium.course.pieces[piece]
        return FollowerReport(
            piece: piece, position: ScorePosition(played: played, fraction: fraction),
            printed: part.printedMeasure(at: played), tempo: tempo, confidence: confidence, state: state,
            jumped: jumped,
            candidates: candidates.map {
                CandidateMeasure(played: $0, printed: part.printedMeasure(at: $0), probability: 0.3)
            }
                + copies.enumerated().map {
                    CandidateMeasure(
                        played: $1, printed: part.printedMeasure(at: $1), probability: 0.5 - 0.1 * Double($0))
                }, isUndecided: !copies.isEmpty, isSilent: isSilent, order: podium.state.order)
    }

    /// Time passes; what is due happens when it is due.
    @discardableResult
    mutating func wait(_ milliseconds: Int64) -> [PodiumEffect] {
        var happened: [PodiumEffect] = []
        let end = now.advanced(byMilliseconds: milliseconds)
        while let due = podium.nextTickDue, due <= end {
            now = max(now, due)
            happened += take(.tick)
        }
        now = end
        return happened
    }

    /// Played through at the reference's tempo, a word a measure.
    mutating func play(_ range: ClosedRange<Int>, piece: Int = 0) {
        for played in range {
            hear(played, piece: piece)
            wait(2_000)
        }
    }
}

func shown(_ effects: [PodiumEffect]) -> [Int] {
    effects.compactMap { if case .showPosition(let position) = $0 { position.played } else { nil } }
}

func fired(_ effects: [PodiumEffect]) -> [String] {
    effects.compactMap { if case .fireCue(let cue, _) = $0 { cue.name } else { nil } }
}

func refusal(_ effects: [PodiumEffect]) -> CommandRefusalCode? {
    for case .refused(let refusal) in effects { return refusal.code }
    return nil
}

func holders(_ effects: [PodiumEffect]) -> [BatonHolder] {
    effects.compactMap { if case .holderChanged(let holder, _) = $0 { holder } else { nil } }
}

func notices(_ effects: [PodiumEffect]) -> [String] {
    effects.compactMap { if case .showNotice(let id, _) = $0 { id } else { nil } }
}
