import Basics
import Foundation
import Platform

/// A program that reads or plays scores, with the limits within which it runs.
///
/// The processor time is limited and not the time that passes: on a machine that is busy with a show, a program of the
/// lowest priority may wait for minutes, and its score is a good one all the same.
struct RenderingTool {
    /// The time in seconds after which a program that hangs is stopped, whether it worked or waited.
    static let wallSeconds = 4.0 * 3_600

    /// The program's name for people.
    var name: String
    var executable: URL
    /// The limit of the program's processor time, in seconds.
    var processorSeconds: Int

    /// Runs the program to its end, in its scratch folder.
    /// - Parameters:
    ///   - arguments: paths among them are absolute.
    ///   - score: the score's name for errors.
    /// - Returns: the program's exit status.
    /// - Throws: ``ExplainedError`` if the program did not end by itself.
    func run(
        _ arguments: [String], in folder: URL, output: URL, errors: URL, score: String
    ) async throws(ExplainedError) -> Int32 {
        let process = LimitedProcess(
            executable: executable, arguments: arguments,
            resourceLimits: .init(
                cpuSeconds: processorSeconds, wallSeconds: Self.wallSeconds, memoryBytes: 4 << 30,
                largestFileBytes: 8 << 30, niceness: 0))
        let outcome = await process.run(in: folder, output: output, errors: errors)
        switch outcome {
        case .finished(let status): return status
        case _ where outcome.wasKilledByKernel:
            throw ExplainedError(
                "\(name) was stopped on \(score): it may work for \(processorSeconds) seconds. The "
                    + "score may be broken or too large: export it again, or divide it into movements.")
        case .timedOut:
            throw ExplainedError(
                "\(name) was stopped after \(Int(Self.wallSeconds)) seconds on \(score); try again when "
                    + "the machine is less busy.")
        case .killed, .notStarted:
            throw RenderingError.toolFailed(
                tool: name, score: score, reason: outcome.failureReason(errors: errors))
        }
    }
}
