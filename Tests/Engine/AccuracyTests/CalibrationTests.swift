import Testing

@testable import Accuracy

@Suite struct CalibrationTests {
    @Test func certaintyThatIsRightHasNoError() throws {
        let truth = try Made.truth(Array(1...10))
        let trace = Made.trace(truth)
        let calibration = ConfidenceCalibration(
            samples: SampledPositions(truth: truth, trace: trace), trace: trace)
        #expect(calibration.confidenceClaims.count == 200)
        #expect(calibration.expectedError(bins: 10) == 0)
    }

    @Test func claimsAreHeldAgainstWhatWasRight() throws {
        // Right in the first half at 0.9, five measures off in the second at 0.9: right half the time.
        let truth = try Made.truth(Array(1...20))
        let trace = Made.trace(truth, measure: { $0 < 21 ? $1 : $1 - 5 }, confidence: { _ in 0.9 })
        let calibration = ConfidenceCalibration(
            samples: SampledPositions(truth: truth, trace: trace), trace: trace)
        let filled = calibration.sortIntoBins(10).filter { $0.claimCount > 0 }
        #expect(filled.count == 1)
        #expect(abs((filled.first?.correctShare ?? 0) - 0.5) < 0.01)
        #expect(abs((calibration.expectedError(bins: 10) ?? 0) - 0.4) < 0.01)
        #expect(calibration.expectedError(bins: 15) == calibration.expectedError(bins: 10))
    }

    @Test func fullConfidenceBelongsToTheLastBin() throws {
        let truth = try Made.truth([1, 2])
        let trace = Made.trace(truth)
        let calibration = ConfidenceCalibration(
            samples: SampledPositions(truth: truth, trace: trace), trace: trace)
        #expect(calibration.sortIntoBins(10).last?.claimCount == 40)
    }

    @Test func nothingShownClaimsNothing() throws {
        let truth = try Made.truth([1, 2])
        let trace = Made.trace(truth) { _, _ in nil }
        let calibration = ConfidenceCalibration(
            samples: SampledPositions(truth: truth, trace: trace), trace: trace)
        #expect(calibration.expectedError(bins: 10) == nil)
    }
}
