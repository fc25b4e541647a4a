import Accuracy
import Foundation
import Listening

/// A worker's order, as one line of JSON on its standard input.
struct WorkerOrder: Codable, Sendable {
    var number: Int
    var input: CaseInput
    var options = FollowingOptions()
    /// Path of the file to which the worker writes its full trace.
    var tracePath: String
    /// The path of the file for the probabilities over time, as JSON; nil if they were not requested.
    var probabilitiesPath: String?
}

/// A worker's receipt for a finished order, as one line of JSON on its standard output.
struct WorkerReceipt: Codable, Sendable {
    var number: Int
    /// Seconds of live sound that the worker has followed.
    var audioSeconds: Double
    /// The error sentence; nil if the worker has written the trace.
    var failure: String?
}

/// The worker process: follows the cases that it gets on standard input, one after another, until its input ends.
package enum EvaluationWorker {
    package static func run() throws {
        while let line = readLine() {
            guard let order = try? JSONDecoder().decode(WorkerOrder.self, from: Data(line.utf8)) else {
                break
            }
            var receipt = try JSONEncoder().encode(carryOut(order))
            receipt.append(0x0A)
            try FileHandle.standardOutput.write(contentsOf: receipt)
        }
    }

    private static func carryOut(_ order: WorkerOrder) -> WorkerReceipt {
        do {
            let (trace, thoughts) = try followCase(
                order.input, by: order.options, withProbabilities: order.probabilitiesPath != nil)
            if let path = order.probabilitiesPath, let thoughts {
                try JSONEncoder().encode(thoughts).write(to: URL(filePath: path))
            }
            try Data(TraceTable.fullText(trace).utf8).write(
                to: URL(filePath: order.tracePath), options: .atomic)
            return WorkerReceipt(number: order.number, audioSeconds: trace.points.last?.liveSeconds ?? 0)
        } catch let failure as EvaluationCaseError {
            return WorkerReceipt(number: order.number, audioSeconds: 0, failure: failure.sentence)
        } catch {
            return WorkerReceipt(
                number: order.number, audioSeconds: 0, failure: "Following failed: \(error).")
        }
    }
}
