import Testing

@testable import Accuracy

/// What is drawn: figures by definition, on the timeline of the reference.
@Suite struct CaseChartTests {
    /// Ten measures of two seconds from second 1 on, in the reference and in the hall; shown as they were.
    private func chart(_ change: (inout FollowTrace) -> Void = { _ in }) throws -> BenchmarkCaseChart {
        let truth = try Made.truth(Array(1...10))
        let reference = try Made.map(Array(1...10))
        var trace = Made.trace(truth) { _, position in position }
        for index in trace.reports.indices {
            trace.reports[index].referenceSeconds = trace.reports[index].liveSeconds
        }
        change(&trace)
        return BenchmarkCaseChart(
            title: "made", truth: truth, reference: reference, trace: trace,
            disruption: MusicDisruption(kind: "noise", start: 3, end: 5))
    }

    @Test func everyReportHasAPlaceInEveryColumn() throws {
        let chart = try chart()
        let count = chart.reports.live.count
        #expect(count > 100)
        #expect(chart.reports.height.count == count && chart.reports.tempo.count == count)
        #expect(chart.reports.confidence.count == count && chart.reports.state.count == count)
        #expect(chart.errors.live.count == chart.errors.seconds.count)
    }

    @Test func theMusicGoesStraightThroughTheReference() throws {
        let chart = try chart()
        #expect(chart.music.count == 1)
        #expect(chart.music[0].first?.height == 1)
        #expect(chart.music[0].last?.height == chart.top)
        #expect(chart.measures.map(\.printed) == Array(1...10))
        #expect(chart.misses.isEmpty)
        #expect(chart.figures["measure_hit"] == 1)
    }

    @Test func whereNothingIsShownThereIsNoHeightAndNoError() throws {
        let chart = try chart { trace in
            for index in trace.reports.indices { trace.reports[index].measureWithFraction = nil }
        }
        #expect(chart.reports.height.allSatisfy { $0 == nil })
        #expect(chart.errors.seconds.allSatisfy { $0 == nil })
        #expect(!chart.misses.isEmpty)
    }

    /// Half a second late throughout: at the repeat the shown position is the end of the passage, which is 16 s of
    /// music after its beginning.
    @Test func aMomentLateAtARepeatIsAMomentInTheChart() throws {
        let numbers = Array(1...8) + Array(1...8)
        let truth = try Made.truth(numbers)
        let trace = Made.trace(truth) { time, _ in truth.truePosition(at: time - 0.5) }
        let samples = SampledPositions(truth: truth, trace: trace)
        #expect(samples.signedErrors.contains { $0 > 10 })
        let chart = BenchmarkCaseChart(
            title: "made", truth: truth, reference: try Made.map(numbers), trace: trace)
        let errors = chart.errors.seconds.compactMap(\.self)
        #expect(errors.count > 300)
        #expect(errors.allSatisfy { $0 <= 0.1 && $0 > -0.8 })
    }

    @Test func aFollowerThatIsElsewhereIsAsWrongAsItIs() throws {
        let chart = try chart { trace in
            for index in trace.reports.indices { trace.reports[index].measureWithFraction = 1.0 }
        }
        #expect(abs((chart.errors.seconds.last ?? nil) ?? 0) > 15)
    }

    @Test func theTempoOfAMeasureIsItsLengthInTheReferenceOverItsLengthInTheHall() throws {
        let chart = try chart()
        let truth = try Made.truth(Array(1...10))
        for (index, stretch) in chart.tempi.enumerated() {
            #expect(stretch.start == truth.measureOnsets[index])
            let length =
                chart.measures.count > index + 1
                ? chart.measures[index + 1].height - chart.measures[index].height
                : chart.top - chart.measures[index].height
            #expect(abs((stretch.ratio ?? 0) - length / (stretch.end - stretch.start)) < 1e-9)
        }
        #expect(chart.tempi.count == 10)
    }
}
