import ArgumentParser
import Features
import Following
import Testing

@testable import baton
@testable import Evaluation
@testable import Hosting

/// The method and the features are chosen alike wherever something is followed.
@Suite struct MethodOptionsTests {
    @Test func nobodyWhoSaysNothingGetsAnotherMethod() throws {
        let options = try FollowingMethodOptions.parse([])
        #expect(options.method == .forwardFilter && options.features == .refined && options.isDefault)
    }

    @Test func followReplayAndEvaluateTakeTheSameWords() throws {
        let words = ["--method", "online-time-warping", "--features", "chroma"]
        let chosen = [
            try FollowCommand.parse(["piece", "--device", "hw:1"] + words).method,
            try ReplayCommand.parse(["piece", "--live", "a.flac"] + words).method,
            try EvaluateCommand.parse(words).method,
        ]
        for options in chosen {
            #expect(options.method == .onlineTimeWarping && options.features == .chroma)
            #expect(!options.isDefault)
        }
    }

    @Test func aTypoListsTheChoices() throws {
        let method = #expect(throws: (any Error).self) {
            try EvaluateCommand.parse(["--method", "time-warping"])
        }
        let said = EvaluateCommand.message(for: try #require(method))
        #expect(said.contains("'time-warping'"))
        #expect(FollowingMethod.allCases.allSatisfy { said.contains("'\($0.rawValue)'") })
        let features = #expect(throws: (any Error).self) {
            try EvaluateCommand.parse(["--features", "chromas"])
        }
        let listed = EvaluateCommand.message(for: try #require(features))
        #expect(FeatureKind.allCases.allSatisfy { listed.contains("'\($0.rawValue)'") })
    }

    @Test func tracesThatAreOnlyJudgedHaveNoMethod() throws {
        let error = #expect(throws: (any Error).self) {
            try EvaluateCommand.parse(["--judge", "out", "--features", "chroma"])
        }
        #expect(
            EvaluateCommand.message(for: try #require(error)).contains("leave out --method, --features"))
    }

    @Test func tracesAreEitherJudgedOrWritten() {
        #expect(throws: (any Error).self) { try EvaluateCommand.parse(["--judge", "a", "--out", "b"]) }
    }
}
