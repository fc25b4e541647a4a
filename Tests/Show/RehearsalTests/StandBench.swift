import Basics
import Podium
import Rehearsal
import Score

/// A stand, its clock and what it showed.
struct StandBench {
    var turner: PageTurner
    var now: Int64 = 0
    var turns: [(at: Int64, view: PageView, cause: PageTurnReason)] = []
    var fellIn = 0
    var hasEnded = false

    init(
        part: Int = 0, performances: [PerformedPassages?] = [], printed: [Int] = Array(1...40),
        seconds: Double = 2,
        settings: StandSettings = StandSettings()
    ) {
        let plan = PageTurnPlan(
            score: try! symphony(), part: part, measures: [try! measures(printed, seconds: seconds)],
            performances: performances, pageArrangement: settings.facing)
        turner = PageTurner(plan: plan, settings: settings)
    }

    init(_ plan: PageTurnPlan, settings: StandSettings = StandSettings()) {
        turner = PageTurner(plan: plan, settings: settings)
    }

    var page: Int { turner.state.view.page }

    mutating func take(_ event: PageTurnerEvent, at time: Int64? = nil) {
        let until = time ?? now
        // As its owner would: a tick whenever one is due.
        while let due = turner.nextTickDue, due.milliseconds <= until {
            let before = now
            now = max(now, due.milliseconds)
            note(turner.process(.tick, at: ShowTime(milliseconds: now)))
            precondition(
                turner.nextTickDue.map { $0.milliseconds > before || $0 != due } ?? true, "it is due for ever"
            )
        }
        now = until
        note(turner.process(event, at: ShowTime(milliseconds: now)))
    }

    private mutating func note(_ effects: [PageTurnerEffect]) {
        for effect in effects {
            switch effect {
            case .showPage(let view, let cause): turns.append((now, view, cause))
            case .followsAgain: fellIn += 1
            case .lastMovementEnded: hasEnded = true
            }
        }
    }

    mutating func hear(
        _ played: Int, _ fraction: Double = 0, at time: Int64? = nil, tempo: Double = 1,
        _ trust: LivePositionTrust = .playing, jumped: Bool = false, movement: Int = 0
    ) {
        take(
            .liveUpdate(
                LivePositionUpdate(
                    movement: movement, position: ScorePosition(played: played, fraction: fraction),
                    tempo: tempo,
                    trust: trust, jumped: jumped)), at: time)
    }

    mutating func wait(until time: Int64) { take(.tick, at: time) }

    /// Plays on with a word a measure.
    mutating func play(_ measures: Range<Int>, tempo: Double = 1, seconds: Double = 2) {
        for (index, played) in measures.enumerated() {
            hear(played, at: index == 0 ? now : now + Int64(seconds / tempo * 1_000), tempo: tempo)
        }
    }
}
