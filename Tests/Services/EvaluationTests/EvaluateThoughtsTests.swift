import Accuracy
import Foundation
import Testing

@testable import Evaluation
@testable import Hosting
@testable import ShowStages

/// Only pictures ask for the follower's internal state, and asking changes nothing.
@Suite struct EvaluateThoughtsTests {
    private let folder: LiveFolder

    init() throws {
        folder = try LiveFolder()
        _ = try folder.melody("reference.wav", seed: 1, seconds: 6)
        _ = try folder.melody("live.wav", seed: 1, seconds: 6)
    }

    private func question() throws -> EvaluationCaseInput {
        try Data("measure,time\n1,0\n2,2\n3,4\n".utf8).write(to: folder.url.appending(path: "measures.csv"))
        try Data(
            """
            {"references": [{"audio": "reference.wav", "measures": "measures.csv", "end": 6.0}],
            "live": {"audio": "live.wav", "measures": "measures.csv", "end": 6.0}}
            """.utf8
        ).write(to: folder.url.appending(path: "case.json"))
        return try EvaluationCase(directory: folder.url).input
    }

    @Test func thoughtsChangeNothingThatIsSaid() throws {
        let question = try question()
        let (trace, thoughts) = try followEvaluationCase(question, withProbabilities: true)
        #expect(try followEvaluationCase(question) == trace)
        let map = try #require(thoughts)
        #expect(abs(map.referenceSeconds - 6) < 0.1)
        #expect(abs(map.stepSeconds * Double(map.columns.count) - 6) < 0.1)
        #expect(map.columns.allSatisfy { $0.reduce(0, +) <= 1.0001 })
        #expect(map.columns.contains { $0.reduce(0, +) > 0.9 })
    }

    @Test func nobodyAskedMeansNoThoughts() throws {
        #expect(try followEvaluationCase(question(), withProbabilities: false).thoughts == nil)
    }

    @Test func anOrderSaysWhereThoughtsGoOnlyIfTheyAreAskedFor() throws {
        var order = EvaluationWorkerOrder(number: 1, input: try question(), tracePath: "/nowhere")
        #expect(!String(decoding: try JSONEncoder().encode(order), as: UTF8.self).contains("thoughts"))
        order.probabilitiesPath = "/elsewhere"
        let arrived = try JSONDecoder().decode(EvaluationWorkerOrder.self, from: JSONEncoder().encode(order))
        #expect(arrived.probabilitiesPath == "/elsewhere")
    }

    @Test func aMapSurvivesItsWayFromTheWorker() throws {
        let map = try #require(try followEvaluationCase(question(), withProbabilities: true).thoughts)
        #expect(try JSONDecoder().decode(ProbabilityMap.self, from: JSONEncoder().encode(map)) == map)
    }
}
