import Accuracy
import Podium
import Rehearsal
import Score

/// Predicts every bar line of a case one second ahead, and fires cues one second early, by the trace of the case.
struct BarLineSimulation {
    static let leadSeconds = 1.0
    /// A cue that fires further than this from every wished moment is wrong.
    static let searchRangeSeconds = 5.0
    /// Each run of the Podium has a cue at every fourth measure, because a person's list has no cue at every measure.
    static let cueSpacing = 4

    private let evaluationCase: EvaluationCase
    private let truth: GroundTruth
    private let measures: MeasureMap
    private let reports: [(at: ShowTime, report: FollowerReport)]

    /// - Returns: nil if the case has no ground truth.
    init?(_ item: EvaluationCase, trace: FollowTrace) {
        guard let truth = item.truth?.groundTruth, let measures = item.input.references.first?.measures else {
            return nil
        }
        self.evaluationCase = item
        self.truth = truth
        self.measures = measures
        reports = PageTurnSimulation.makePassedOnReports(trace, measures: measures)
    }

    func makeReportEntry() -> BarLineReport.CaseBarLines {
        let bars = predictableBars
        let errors = predictionErrors(of: bars)
        let cues = cueFirings()
        var cueErrors = bars.filter { $0.played != nil }.map { _ in Double.infinity }
        let wished = bars.filter { $0.played != nil }
        var wrong = 0
        for cue in cues {
            let printed = Double(measures.marks[cue.played].printed)
            let nearest = truth.measureNumbers.indices.filter { truth.measureNumbers[$0] == printed }
                .map { abs(truth.measureOnsets[$0] - cue.seconds - Self.leadSeconds) }.min()
            if nearest ?? .infinity > Self.searchRangeSeconds { wrong += 1 }
            guard let index = wished.firstIndex(where: { $0.played == cue.played }) else { continue }
            cueErrors[index] = cue.seconds + Self.leadSeconds - wished[index].onset
        }
        return BarLineReport.CaseBarLines(
            id: evaluationCase.id, group: evaluationCase.group, errorsByTempo: errors.byTempo,
            errorsBySpeed: errors.bySpeed, cueErrors: cueErrors, wrongCueCount: wrong,
            cueCountWhileLost: cues.count(where: \.isWhileLost))
    }

    private struct Bar {
        var printed: Int
        /// The bar line in seconds of the live recording.
        var onset: Double
        /// The played measure of the reference, if it plays this measure as often as the live recording has by now.
        var played: Int?
    }

    /// The bars that follow the bar before them, in print and without a hold, and that the reference plays. The music
    /// has begun at least a second before each.
    private var predictableBars: [Bar] {
        var timesPlayed: [Int: Int] = [:]
        return truth.measureNumbers.indices.compactMap { row in
            let printed = Int(truth.measureNumbers[row])
            let time = timesPlayed[printed, default: 0]
            timesPlayed[printed] = time + 1
            let onset = truth.measureOnsets[row]
            guard row > 0, truth.measureNumbers[row] == truth.measureNumbers[row - 1] + 1,
                onset - truth.measureOnsets[0] >= Self.leadSeconds,
                !truth.unplayedIntervals.contains(where: {
                    $0.start < onset + 0.01 && $0.end > onset - Self.leadSeconds - 0.05
                })
            else { return nil }
            let occurrences = measures.playedIndices(printed: printed)
            guard !occurrences.isEmpty, measures.firstPlayedIndex(printed: printed - 1) != nil else {
                return nil
            }
            return Bar(
                printed: printed, onset: onset, played: time < occurrences.count ? occurrences[time] : nil)
        }
    }

    private func predictionErrors(of bars: [Bar]) -> (byTempo: [Double], bySpeed: [Double]) {
        let timeline = ExpectedTimeline(measures)
        var speed = DisplayedSpeed()
        var last: (at: ShowTime, report: FollowerReport)?
        var next = reports.startIndex
        var byTempo: [Double] = []
        var bySpeed: [Double] = []
        for bar in bars {
            while next < reports.endIndex, reports[next].at.seconds <= bar.onset - Self.leadSeconds {
                let new = reports[next]
                if new.report.jumped { speed.reset() }
                if let position = new.report.position, new.report.isMoving {
                    speed.recordPosition(
                        timeline.seconds(at: position),
                        after: last.map { new.at.seconds - $0.at.seconds } ?? 0)
                } else {
                    speed.reset()
                }
                last = new
                next += 1
            }
            guard let last, let position = last.report.position, last.report.isMoving, last.report.tempo > 0,
                let played = measures.playedIndices(printed: bar.printed).min(by: {
                    abs($0 - position.played) < abs($1 - position.played)
                })
            else {
                byTempo.append(.infinity)
                bySpeed.append(.infinity)
                continue
            }
            let reference = measures.marks[played].onset.seconds - measures.time(of: position).seconds
            byTempo.append(last.at.seconds + reference / last.report.tempo - bar.onset)
            let expected = timeline.start(ofMeasure: played) - timeline.seconds(at: position)
            let tempo = timeline.speed(ofTempo: last.report.tempo, inMeasure: position.played)
            bySpeed.append(last.at.seconds + expected / speed.predicted(withTempo: tempo) - bar.onset)
        }
        return (byTempo, bySpeed)
    }

    private struct FiredCue {
        var played: Int
        /// The moment in seconds of the live recording.
        var seconds: Double
        var isWhileLost: Bool
    }

    /// The cues that a Podium fires by the trace: one at every measure, in several runs.
    private func cueFirings() -> [FiredCue] {
        (0..<Self.cueSpacing).flatMap { offset in
            let played = stride(from: offset, to: measures.marks.count, by: Self.cueSpacing)
            return cueFirings(makeProgramme(withCuesAt: Array(played)))
        }
    }

    private func cueFirings(_ programme: ShowProgramme) -> [FiredCue] {
        // The cues of the first bars would wait until the piece is certain; here their prediction is measured.
        var podium = Podium(course: programme, isUnderWay: true)
        var fired: [FiredCue] = []
        var isLost = false
        func process(_ event: PodiumEvent, at now: ShowTime) {
            for case .fireCue(let cue, _) in podium.process(event, at: now) {
                fired.append(FiredCue(played: cue.played, seconds: now.seconds, isWhileLost: isLost))
            }
        }
        var now = ShowTime.zero
        for (time, report) in reports {
            while let due = podium.nextTickDue, due <= time {
                now = max(now, due)
                process(.tick, at: now)
            }
            now = max(now, time)
            isLost = report.state == .lost
            process(.followerReport(report), at: now)
        }
        return fired
    }

    private func makeProgramme(withCuesAt played: [Int]) -> ShowProgramme {
        let cues = played.prefix(CueList.maximumCount).map {
            Cue(
                id: "\($0)", place: .playedMeasure($0), played: $0, name: "\($0)", kind: .note,
                earlinessMilliseconds: Int(Self.leadSeconds * 1_000))
        }
        do {
            let piece = try ShowPiece(
                name: PieceName("Case"), folder: "case", measures: measures,
                cues: CueList(cues, measureCount: measures.marks.count))
            return try ShowProgramme(title: "Case", pieces: [piece])
        } catch {
            preconditionFailure("made cues are no list: \(error)")
        }
    }
}

extension FollowerReport {
    /// True if the follower moves its position with the music.
    fileprivate var isMoving: Bool { state == .following || state == .coasting }
}

extension ShowTime {
    fileprivate var seconds: Double { Double(milliseconds) / 1_000 }
}
