import Accuracy
import Basics
import Foundation
import Listening

/// A worker's order, as one line of JSON on its standard input.
struct EvaluationWorkerOrder: Codable, Sendable {
    var number: Int
    var input: EvaluationCaseInput
    var options = FollowingOptions()
    /// Path of the file to which the worker writes its full trace.
    var tracePath: String
    /// The path of the file for the probabilities over time, as JSON; nil if they were not requested.
    var probabilitiesPath: String?
}

/// A worker's receipt for a finished order, as one line of JSON on its standard output.
struct EvaluationWorkerReceipt: Codable, Sendable {
    var number: Int
    /// Seconds of live sound that the worker has followed.
    var audioSeconds: Double
    /// The error sentence; nil if the worker has written the trace.
    var failure: String?
}

/// The worker process: follows the cases that it gets on standard input, one after another, until its input ends.
package enum EvaluationWorker {
    package static func run() throws {
        // It is started by a thread of the dispatch library, which has a niceness of its own; the pool's counts.
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(process, 0, getpriority(process, id_t(getppid())))
        while let line = readLine() {
            guard let order = try? JSONDecoder().decode(EvaluationWorkerOrder.self, from: Data(line.utf8))
            else {
                break
            }
            var receipt = try JSONEncoder().encode(carryOutOrder(order))
            receipt.append(0x0A)
            try FileHandle.standardOutput.write(contentsOf: receipt)
        }
    }

    private static func carryOutOrder(_ order: EvaluationWorkerOrder) -> EvaluationWorkerReceipt {
        do {
            let (trace, thoughts) = try followEvaluationCase(
                order.input, by: order.options, withProbabilities: order.probabilitiesPath != nil)
            if let path = order.probabilitiesPath, let thoughts {
                try JSONEncoder().encode(thoughts).write(to: URL(filePath: path))
            }
            try Data(TraceTable.fullCSV(trace).utf8).write(
                to: URL(filePath: order.tracePath), options: .atomic)
            return EvaluationWorkerReceipt(
                number: order.number, audioSeconds: trace.reports.last?.liveSeconds ?? 0)
        } catch let failure as any Explained {
            return EvaluationWorkerReceipt(number: order.number, audioSeconds: 0, failure: failure.sentence)
        } catch {
            return EvaluationWorkerReceipt(
                number: order.number, audioSeconds: 0, failure: "Following failed: \(error).")
        }
    }
}
