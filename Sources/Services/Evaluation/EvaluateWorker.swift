import Accuracy
import Foundation
import Listening

/// What a worker is handed on one line of its standard input.
struct WorkOrder: Codable, Sendable {
    var number: Int
    var question: CaseQuestion
    var means = FollowingMeans()
    /// Path of the file to which the worker writes its full trace.
    var answerPath: String
    /// Path of the file for the probabilities over time, as JSON; nil if nobody asks for them.
    var thoughtsPath: String?
}

/// What a worker says on one line of its standard output when it is through with an order.
struct WorkReceipt: Codable, Sendable {
    var number: Int
    /// Live audio followed, seconds.
    var audioSeconds: Double
    /// Nil where the answer is in its file.
    var failure: String?
}

/// The child process: follows what it is asked, one case after another, until its input ends.
package enum EvaluateWorker {
    package static func run() throws {
        while let line = readLine() {
            guard let order = try? JSONDecoder().decode(WorkOrder.self, from: Data(line.utf8)) else { break }
            var receipt = try JSONEncoder().encode(carryOut(order))
            receipt.append(0x0A)
            try FileHandle.standardOutput.write(contentsOf: receipt)
        }
    }

    private static func carryOut(_ order: WorkOrder) -> WorkReceipt {
        do {
            let (trace, thoughts) = try followCase(
                order.question, by: order.means, withThoughts: order.thoughtsPath != nil)
            if let path = order.thoughtsPath, let thoughts {
                try JSONEncoder().encode(thoughts).write(to: URL(filePath: path))
            }
            try Data(TraceTable.fullText(trace).utf8).write(
                to: URL(filePath: order.answerPath), options: .atomic)
            return WorkReceipt(number: order.number, audioSeconds: trace.points.last?.liveSeconds ?? 0)
        } catch let failure as CaseFailure {
            return WorkReceipt(number: order.number, audioSeconds: 0, failure: failure.sentence)
        } catch {
            return WorkReceipt(number: order.number, audioSeconds: 0, failure: "Following failed: \(error).")
        }
    }
}
