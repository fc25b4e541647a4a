import Accuracy
import Following
import MusicalTime
import Podium
import Rehearsal
import Score

/// Simulates music stands whose pages turn by the trace of a case. The stands' parts are paginated at random.
struct PageTurnSimulation {
    /// The number of random parts for each case, one for each seed.
    static let partCount = 100

    private let evaluationCase: EvaluationCase
    private let truth: GroundTruth
    private let trace: FollowTrace
    private let updates: [(at: ShowTime, word: LiveUpdate)]
    private let measures: MeasureMap

    /// Prepares the simulation of a case.
    /// - Returns: nil if the case has no ground truth.
    init?(_ item: EvaluationCase, trace: FollowTrace) {
        guard let truth = item.truth?.truth, let measures = item.input.references.first?.measures else {
            return nil
        }
        self.evaluationCase = item
        self.truth = truth
        self.trace = trace
        self.measures = measures
        updates = Self.updates(trace, measures: measures)
    }

    func makeReportEntry() -> PageTurnReport.Entry {
        PageTurnReport.Entry(
            id: evaluationCase.id, group: evaluationCase.group,
            partScores: (1...Self.partCount).map {
                scoreTurns(seed: UInt64($0) << 16 | UInt64(measures.marks.count))
            })
    }

    private func scoreTurns(seed: UInt64) -> PageTurnScore {
        let pages = RandomPages(printed: measures.marks.map(\.printed), seed: seed)
        let settings = StandSettings()
        let wishes = WishedPageTurn.all(in: truth, page: pages.page) {
            settings.lead(from: 0, measureSeconds: $0)
        }
        let made = Self.simulateTurns(
            of: updates, on: pages, from: pages.page(of: Int(truth.measures[0])), measures: measures,
            settings: settings)
        return PageTurnScore(wishes: wishes, made: made, truth: truth, trace: trace)
    }

    /// Returns the updates that stands would get: the reports that pass the report filter.
    static func updates(_ trace: FollowTrace, measures: MeasureMap) -> [(at: ShowTime, word: LiveUpdate)] {
        var reportFilter = FollowerReportFilter()
        return trace.points.compactMap { point in
            reportFilter.significantReport(
                ConcertReport(piece: 0, report: point.report(on: measures)), order: 0
            )
            .map { (time(point.liveSeconds), LiveUpdate($0, movement: 0)) }
        }
    }

    /// Simulates one stand and returns its page turns. The stand gets each update, and a timer tick at each time that
    /// it asked for.
    static func simulateTurns(
        of updates: [(at: ShowTime, word: LiveUpdate)], on pages: RandomPages, from first: Int,
        measures: MeasureMap, settings: StandSettings
    ) -> [ActualPageTurn] {
        var turner = PageTurner(
            plan: PageTurnPlan(score: randomScore(pages), part: 0, measures: [measures]), settings: settings,
            page: first)
        var turns: [ActualPageTurn] = []
        func note(_ effects: [PageTurnerEffect], at now: ShowTime) {
            for case .show(let view, _) in effects where view.page != turns.last?.page {
                turns.append(ActualPageTurn(page: view.page, seconds: Double(now.milliseconds) / 1_000))
            }
        }
        var now = ShowTime.zero
        for (time, word) in updates {
            while let due = turner.nextDue, due <= time {
                now = max(now, due)
                note(turner.process(.tick, at: now), at: now)
            }
            now = max(now, time)
            note(turner.process(.liveUpdate(word), at: now), at: now)
        }
        return turns
    }

    /// Makes a score with one part, in which only the first and the last measure of each page are known.
    private static func randomScore(_ pages: RandomPages) -> Rehearsal.Score {
        do {
            let part = try Part(
                name: "Part",
                pages: Array(repeating: Page(width: 595, height: 842), count: pages.spans.count),
                places: pages.spans.enumerated().map {
                    MeasureBox(page: $0, first: $1.lowerBound, last: $1.upperBound)
                })
            return try Rehearsal.Score(
                id: ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000), title: "Score",
                movements: [Movement(name: "Movement")], parts: [part])
        } catch {
            preconditionFailure("made pages are no part: \(error)")
        }
    }

    private static func time(_ seconds: Double) -> ShowTime {
        ShowTime(milliseconds: Int64((seconds * 1_000).rounded()))
    }
}

extension FollowTrace.Point {
    /// Restores a follower's report from a trace, with the fields that traces store.
    package func report(on measures: MeasureMap) -> PositionReport {
        let reference = referenceSeconds.map { ReferenceTime(seconds: $0) }
        let position = measure == nil ? nil : reference.map { measures.position(at: $0) }
        return PositionReport(
            liveTime: LiveTime(seconds: liveSeconds), referenceTime: reference, position: position,
            printedMeasure: position.map { measures.marks[$0.played].printed },
            tempo: TempoRatio(tempoRatio), confidence: confidence, state: FollowerState(state))
    }
}

extension FollowerState {
    package init(_ state: FollowTrace.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .following: .following
            case .coasting: .coasting
            case .lost: .lost
            case .finished: .finished
            }
    }
}
