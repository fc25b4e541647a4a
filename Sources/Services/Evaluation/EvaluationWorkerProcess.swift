import Basics
import Foundation
import Listening

/// One worker process and the pipes to it; used by one thread only.
final class EvaluationWorkerProcess {
    private let process = Process()
    private let orderPipe = Pipe()
    private let receiptPipe = Pipe()
    private var unreadOutput = Data()

    var processID: Int32 { process.processIdentifier }

    init() throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["evaluate", "--worker"]
        process.standardInput = orderPipe
        process.standardOutput = receiptPipe
        do {
            try process.run()
        } catch {
            throw ExplainedError("No worker process could be started: \(error.localizedDescription)")
        }
    }

    /// Sends an order and waits for its receipt.
    /// - Returns: nil if the worker ended without a receipt.
    func carryOutOrder(_ order: EvaluationWorkerOrder) -> EvaluationWorkerReceipt? {
        guard var line = try? JSONEncoder().encode(order) else { return nil }
        line.append(0x0A)
        guard (try? orderPipe.fileHandleForWriting.write(contentsOf: line)) != nil else { return nil }
        while let line = readOutputLine() {
            // Other text on standard output, such as a library's, is ignored.
            if let receipt = try? JSONDecoder().decode(EvaluationWorkerReceipt.self, from: line) {
                return receipt
            }
        }
        return nil
    }

    /// Describes the signal or exit status of a worker that ended without a receipt.
    func exitDescription() -> String {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
            ? "by signal \(process.terminationStatus)" : "with status \(process.terminationStatus)"
    }

    /// Closes the worker's input, which makes the worker exit, and waits for its end.
    func closeInputAndWait() {
        try? orderPipe.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func readOutputLine() -> Data? {
        while true {
            if let end = unreadOutput.firstIndex(of: 0x0A) {
                let line = Data(unreadOutput[..<end])
                unreadOutput = Data(unreadOutput[(end + 1)...])
                return line
            }
            let more = receiptPipe.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unreadOutput += more
        }
    }
}
