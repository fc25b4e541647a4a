import Accuracy
import Basics
import Foundation
import Listening
import Sound
import Synchronization

/// Follows many cases in parallel, with one worker process for each core. If a worker crashes, only its case fails.
package final class EvaluationWorkerPool: Sendable {
    /// The result of following a case.
    package enum Outcome: Sendable {
        case followed(FollowTrace)
        case failed(sentence: String)
    }

    private struct PoolState {
        var nextCaseIndex = 0
        var outcomes: [Int: Outcome] = [:]
        var workerProcessIDs: Set<Int32> = []
        var isStopped = false
        /// What ffmpeg made of the recordings that libsndfile does not read, by their paths.
        var readablePaths: [String: String] = [:]
        var runningThreadCount = 0
    }

    private let cases: [EvaluationCase]
    private let scratchFolder: URL
    private let progress: EvaluationProgress
    private let options: FollowingOptions
    private let recordsProbabilities: Bool
    private let storeResult: @Sendable (EvaluationCase, Outcome, ProbabilityMap?) throws -> Void
    private let poolState = Mutex(PoolState())

    /// Creates a pool without starting its workers.
    /// - Parameters:
    ///   - scratch: an empty folder for links to recordings and for the workers' traces.
    ///   - withProbabilities: true if workers also return the follower's probabilities over time.
    ///   - keep: called once for each finished case; if it throws, the case has failed. Only this closure gets the
    ///     probabilities, because the probabilities of all cases together would not fit into memory.
    package init(
        cases: [EvaluationCase], means: FollowingOptions, scratch: URL, progress: EvaluationProgress,
        withProbabilities: Bool,
        keep: @escaping @Sendable (EvaluationCase, Outcome, ProbabilityMap?) throws -> Void
    ) {
        self.cases = cases
        self.options = means
        self.scratchFolder = scratch
        self.progress = progress
        self.recordsProbabilities = withProbabilities
        self.storeResult = keep
    }

    /// Follows all cases. The results are in the order of the cases.
    package func followAllCases(jobs: Int) async -> [Outcome] {
        let count = min(max(1, jobs), cases.count)
        guard count > 0 else { return [] }
        let readable = ReadableRecordings()
        for path in Set(cases.flatMap { $0.input.references.map(\.audioPath) + [$0.input.liveAudioPath] }) {
            // A recording that nobody reads fails its own cases, with the reader's sentence.
            guard let made = try? await readable.path(of: path), made != path else { continue }
            poolState.withLock { $0.readablePaths[path] = made }
        }
        defer { withExtendedLifetime(readable) {} }
        poolState.withLock { $0.runningThreadCount = count }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for _ in 0..<count {
                Thread.detachNewThread {
                    self.followCasesUntilDone()
                    let isLast = self.poolState.withLock { pool in
                        pool.runningThreadCount -= 1
                        // After `killWorkers` nobody waits for the result: the process is ending.
                        return pool.runningThreadCount == 0 && !pool.isStopped
                    }
                    if isLast { done.resume() }
                }
            }
        }
        let outcomes = poolState.withLock { $0.outcomes }
        return cases.indices.map { outcomes[$0] ?? .failed(sentence: "The case was never begun.") }
    }

    /// Kills all workers and starts no further ones.
    package func killWorkers() {
        poolState.withLock { pool in
            pool.isStopped = true
            for worker in pool.workerProcessIDs { kill(worker, SIGKILL) }
        }
    }

    private func followCasesUntilDone() {
        var child: EvaluationWorkerProcess?
        while let number = nextCase() {
            let started = Date()
            progress.reportCaseStart(cases[number].id)
            let (followed, audioSeconds) = followInWorker(number, with: &child)
            if poolState.withLock({ $0.isStopped }) { return }
            let outcome = storeOutcome(followed, thoughts: readProbabilities(number), of: cases[number])
            poolState.withLock { $0.outcomes[number] = outcome }
            progress.reportCaseEnd(
                cases[number].id, audioSeconds: audioSeconds, seconds: Date().timeIntervalSince(started),
                failure: outcome.failure)
        }
        if let child {
            _ = poolState.withLock { $0.workerProcessIDs.remove(child.processID) }
            child.closeInputAndWait()
        }
    }

    private func storeOutcome(_ outcome: Outcome, thoughts: ProbabilityMap?, of item: EvaluationCase)
        -> Outcome
    {
        do {
            try storeResult(item, outcome, thoughts)
            return outcome
        } catch let failure as any Explained {
            return .failed(sentence: failure.sentence)
        } catch {
            return .failed(sentence: "The answer could not be kept: \(error.localizedDescription)")
        }
    }

    private func probabilitiesFile(_ number: Int) -> URL {
        scratchFolder.appending(path: "\(number).thoughts.json")
    }

    /// Reads the probabilities that a worker has written; nil if there are none. The chart can also be drawn without
    /// them.
    private func readProbabilities(_ number: Int) -> ProbabilityMap? {
        let file = probabilitiesFile(number)
        guard recordsProbabilities, let bytes = try? Data(contentsOf: file) else { return nil }
        try? FileManager.default.removeItem(at: file)
        return try? JSONDecoder().decode(ProbabilityMap.self, from: bytes)
    }

    private func nextCase() -> Int? {
        poolState.withLock { pool in
            guard !pool.isStopped, pool.nextCaseIndex < cases.count else { return nil }
            pool.nextCaseIndex += 1
            return pool.nextCaseIndex - 1
        }
    }

    private func followInWorker(_ number: Int, with child: inout EvaluationWorkerProcess?) -> (
        Outcome, audioSeconds: Double
    ) {
        do {
            let order = try makeOrder(number)
            let worker = try child ?? startWorker()
            child = worker
            guard let receipt = worker.carryOutOrder(order) else {
                _ = poolState.withLock { $0.workerProcessIDs.remove(worker.processID) }
                child = nil
                let sentence =
                    "The worker ended \(worker.exitDescription()) while it followed this case; the others went on."
                return (.failed(sentence: sentence), 0)
            }
            if let failure = receipt.failure { return (.failed(sentence: failure), 0) }
            guard let text = try? String(contentsOfFile: order.tracePath, encoding: .utf8) else {
                return (.failed(sentence: "The worker left no answer in \(order.tracePath)."), 0)
            }
            try? FileManager.default.removeItem(atPath: order.tracePath)
            do throws(ExplainedError) {
                return (.followed(try TraceTable.readTrace(text)), receipt.audioSeconds)
            } catch {
                return (.failed(sentence: "The worker's answer cannot be read: \(error.sentence)"), 0)
            }
        } catch let failure as any Explained {
            return (.failed(sentence: failure.sentence), 0)
        } catch {
            return (.failed(sentence: "The case could not be followed: \(error.localizedDescription)"), 0)
        }
    }

    /// Starts a worker while holding the lock, because two workers that start at once would inherit each other's pipes.
    private func startWorker() throws -> EvaluationWorkerProcess {
        try poolState.withLock { pool in
            guard !pool.isStopped else { throw ExplainedError("The evaluation was stopped.") }
            let child = try EvaluationWorkerProcess()
            pool.workerProcessIDs.insert(child.processID)
            return child
        }
    }

    /// Makes the order for a case. The live recording is linked into a folder of its own whose name reveals nothing
    /// about the case.
    private func makeOrder(_ number: Int) throws -> EvaluationWorkerOrder {
        var question = cases[number].input
        let readablePaths = poolState.withLock { $0.readablePaths }
        for index in question.references.indices {
            let path = question.references[index].audioPath
            question.references[index].audioPath = readablePaths[path] ?? path
        }
        question.liveAudioPath = readablePaths[question.liveAudioPath] ?? question.liveAudioPath
        let audio = URL(filePath: question.liveAudioPath)
        guard FileManager.default.isReadableFile(atPath: audio.path) else {
            throw ExplainedError("\(audio.path) cannot be read; the case has no live recording.")
        }
        let place = scratchFolder.appending(path: "\(number)")
        let link = place.appending(path: "live." + audio.pathExtension)
        try poolState.withLock { pool in
            // After `killWorkers` the folder is being deleted; nothing may be created in it.
            guard !pool.isStopped else { throw ExplainedError("The evaluation was stopped.") }
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: audio.absoluteURL)
        }
        question.liveAudioPath = link.path
        return EvaluationWorkerOrder(
            number: number, input: question, options: options,
            tracePath: scratchFolder.appending(path: "\(number).csv").path,
            probabilitiesPath: recordsProbabilities ? probabilitiesFile(number).path : nil)
    }
}

extension EvaluationWorkerPool.Outcome {
    package var failure: String? {
        if case .failed(let sentence) = self { sentence } else { nil }
    }
}
