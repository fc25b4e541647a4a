import Basics
import Foundation
import Sound
import Testing

@testable import Evaluation
@testable import Hosting
@testable import ShowStages
@testable import TestHelpers

/// The truth of a case is hidden from everything that follows it.
@Suite struct EvaluateBlindingTests {
    private let folder: LiveFolder

    /// Instants, to the millisecond unlike anything else in a case.
    private static let onsets = [0.713, 1.719, 2.717, 3.711]

    init() throws {
        folder = try LiveFolder()
        _ = try folder.melody("reference.wav", seed: 1, seconds: 4)
        let writer = try SoundFileWriter(path: folder.path("live.wav"), rate: LiveFolder.rate)
        let room = (0..<7717).map { Float(($0 * 7919) % 101 - 50) * 1e-6 }
        try writer.write(room + LiveFolder.melody(seed: 1, seconds: 4))
        try writer.close()
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
    }

    /// Writes a case around the two recordings.
    private func makeCase(
        onsets: [Double]? = onsets, disruption: String = #"{"type": "pause", "start": 1.237, "end": 2.239}"#,
        holds: String = "[[1.237, 2.239]]", beats: String? = "1,1,0.713\n1,2,1.223\n",
        live: String = #""measures": "live.measures.csv", "beats": "live.beats.csv", "end": 4.721, "#
    ) throws {
        try write("measure,time\n1,0\n2,1\n3,2\n4,3\n", "reference.measures.csv")
        try? FileManager.default.removeItem(at: folder.url.appending(path: "live.measures.csv"))
        try? FileManager.default.removeItem(at: folder.url.appending(path: "live.beats.csv"))
        if let onsets {
            let rows = onsets.enumerated().map { "\($0 + 1),\($1)\n" }
            try write("measure,time\n" + rows.joined(), "live.measures.csv")
        }
        if let beats { try write("measure,beat,time\n" + beats, "live.beats.csv") }
        try write(
            """
            {"id": "secret", "group": "made", "composer": "N. Obody", "title": "Unheard",
            "references": [{"audio": "reference.wav", "measures": "reference.measures.csv", "end": 4.0}],
            "live": {\(live)"audio": "live.wav"},
            "first_cue": {"measure": 1, "known": true},
            "disruption": \(disruption), "holds": \(holds)}
            """, "case.json")
    }

    private func question() throws -> EvaluationCaseInput { try EvaluationCase(directory: folder.url).input }

    /// The file that `--out` leaves of a case.
    private func written() throws -> Data {
        let out = folder.url.appending(path: "out")
        try EvaluationFiles().writeTrace(try followEvaluationCase(question()), id: "case", in: out)
        return try Data(contentsOf: out.appending(path: "case.csv"))
    }

    @Test func theTruthChangesNothingThatIsSaid() throws {
        try makeCase()
        #expect(try EvaluationCase(directory: folder.url).truth != nil)
        let expected = try written()
        #expect(expected.count { $0 == UInt8(ascii: "\n") } > 200)
        // Other times, no file, no mention of a file, no trouble, another trouble, no beats.
        try makeCase(onsets: [0.1, 0.2, 3.3, 3.9])
        #expect(try written() == expected)
        try makeCase(onsets: nil)
        #expect(try written() == expected)
        try makeCase(onsets: nil, beats: nil, live: "")
        #expect(try written() == expected)
        try makeCase(disruption: "null", holds: "[]")
        #expect(try written() == expected)
        try makeCase(
            disruption: #"{"type": "restart", "start": 0.5, "end": 0.6, "scored": false}"#,
            holds: "[[0.1, 0.2], [3, 3.5]]", beats: "no beats at all\u{0}")
        #expect(try written() == expected)
    }

    @Test func theQuestionHoldsNothingOfTheTruth() throws {
        try makeCase()
        let text = String(decoding: try JSONEncoder().encode(question()), as: UTF8.self)
        let secrets =
            Self.onsets.map { "\($0)" } + [
                "4.721", "1.237", "2.239", "1.223", "pause", "secret", "made", "Obody", "Unheard", "beats",
                "live.measures",
            ]
        for secret in secrets { #expect(!text.contains(secret), "'\(secret)' is in the question") }
        // It holds the reference's measures and both recordings.
        #expect(text.contains("reference.wav") && text.contains("live.wav"))
    }

    @Test func theQuestionIsTheSameWhateverTheTruth() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try makeCase()
        let expected = try encoder.encode(question())
        try makeCase(onsets: [1, 2, 3, 3.5], disruption: "{}", holds: "[[1], [], [1, 2, 3]]")
        #expect(try encoder.encode(question()) == expected)
        try makeCase(onsets: nil, live: "")
        #expect(try encoder.encode(question()) == expected)
        #expect(try EvaluationCase(directory: folder.url).truth == nil)
    }

    @Test func aQuestionSurvivesItsWayToTheWorker() throws {
        try makeCase()
        let question = try question()
        let order = EvaluationWorkerOrder(number: 3, input: question, tracePath: "/nowhere")
        let arrived = try JSONDecoder().decode(EvaluationWorkerOrder.self, from: JSONEncoder().encode(order))
        #expect(arrived.input.firstMeasure == 1)
        #expect(arrived.input.references.map(\.measures) == question.references.map(\.measures))
        #expect(arrived.input.liveAudioPath == question.liveAudioPath)
    }
}
