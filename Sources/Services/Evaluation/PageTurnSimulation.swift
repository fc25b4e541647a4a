import Accuracy
import Basics
import Following
import Podium
import Rehearsal
import Score

/// Simulates music stands whose pages turn by the trace of a case. The stands' parts are paginated at random.
struct PageTurnSimulation {
    /// The number of random parts for each case, one for each seed.
    static let randomPartCount = 100

    private let evaluationCase: EvaluationCase
    private let truth: GroundTruth
    private let trace: FollowTrace
    private let standUpdates: [(at: ShowTime, word: LivePositionUpdate)]
    private let referenceMeasures: MeasureMap

    /// Prepares the simulation of a case.
    /// - Returns: nil if the case has no ground truth.
    init?(_ item: EvaluationCase, trace: FollowTrace) {
        guard let truth = item.truth?.groundTruth, let measures = item.input.references.first?.measures else {
            return nil
        }
        self.evaluationCase = item
        self.truth = truth
        self.trace = trace
        self.referenceMeasures = measures
        standUpdates = Self.makeStandUpdates(trace, measures: measures)
    }

    func makeReportEntry() -> PageTurnReport.CasePageTurns {
        PageTurnReport.CasePageTurns(
            id: evaluationCase.id, group: evaluationCase.group,
            accuracyByPageLayout: (1...Self.randomPartCount).map {
                scoreTurns(seed: UInt64($0) << 16 | UInt64(referenceMeasures.marks.count))
            })
    }

    private func scoreTurns(seed: UInt64) -> PageTurnAccuracy {
        let pages = RandomPages(printed: referenceMeasures.marks.map(\.printed), seed: seed)
        let settings = StandSettings()
        let wishes = WishedPageTurn.allWishedTurns(in: truth, page: pages.pageIndex) {
            settings.computeLeadSeconds(from: 0, measureSeconds: $0)
        }
        let made = Self.simulateTurns(
            of: standUpdates, on: pages, from: pages.pageIndex(of: Int(truth.measureNumbers[0])),
            measures: referenceMeasures,
            settings: settings)
        return PageTurnAccuracy(wishes: wishes, made: made, truth: truth, trace: trace)
    }

    /// Returns the updates that stands would get: the reports that ``FollowerReportFilter`` passes on.
    static func makeStandUpdates(_ trace: FollowTrace, measures: MeasureMap) -> [(
        at: ShowTime, word: LivePositionUpdate
    )] {
        makePassedOnReports(trace, measures: measures).map {
            ($0.at, LivePositionUpdate($0.report, movement: 0))
        }
    }

    /// Returns the reports that ``FollowerReportFilter`` passes on in a concert.
    static func makePassedOnReports(_ trace: FollowTrace, measures: MeasureMap) -> [(
        at: ShowTime, report: FollowerReport
    )] {
        var reportFilter = FollowerReportFilter()
        return trace.reports.compactMap { point in
            reportFilter.significantReport(
                ConcertReport(pieceIndex: 0, positionReport: point.report(on: measures)), order: 0
            )
            .map { (makeShowTime(point.liveSeconds), $0) }
        }
    }

    /// Simulates one stand and returns its page turns. The stand gets each update, and a timer tick at each time that
    /// it asked for.
    static func simulateTurns(
        of updates: [(at: ShowTime, word: LivePositionUpdate)], on pages: RandomPages, from first: Int,
        measures: MeasureMap, settings: StandSettings
    ) -> [ActualPageTurn] {
        var turner = PageTurner(
            plan: PageTurnPlan(score: randomScore(pages), part: 0, measures: [measures]), settings: settings,
            page: first)
        var turns: [ActualPageTurn] = []
        func note(_ effects: [PageTurnerEffect], at now: ShowTime) {
            for case .showPage(let view, _) in effects where view.page != turns.last?.page {
                turns.append(ActualPageTurn(page: view.page, seconds: Double(now.milliseconds) / 1_000))
            }
        }
        var now = ShowTime.zero
        for (time, word) in updates {
            while let due = turner.nextTickDue, due <= time {
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
                pages: Array(
                    repeating: PageSize(width: 595, height: 842), count: pages.pageMeasureRanges.count),
                places: pages.pageMeasureRanges.enumerated().map {
                    MeasureBox(page: $0, first: $1.lowerBound, last: $1.upperBound)
                })
            return try Rehearsal.Score(
                id: ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000), title: "Score",
                movements: [Movement(name: "Movement")], parts: [part])
        } catch {
            preconditionFailure("made pages are no part: \(error)")
        }
    }

    private static func makeShowTime(_ seconds: Double) -> ShowTime {
        ShowTime(milliseconds: Int64((seconds * 1_000).rounded()))
    }
}

extension FollowTrace.Report {
    /// Restores a follower's report from a trace, with the fields that traces store.
    package func report(on measures: MeasureMap) -> PositionReport {
        let reference = referenceSeconds.map { ReferenceTime(seconds: $0) }
        let position = measureWithFraction == nil ? nil : reference.map { measures.position(at: $0) }
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
            // Pages wait for what is certain.
            case .lost, .undecided: .lost
            case .finished: .finished
            }
    }
}
