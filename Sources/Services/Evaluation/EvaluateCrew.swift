import Accuracy
import Foundation
import Listening
import Synchronization

/// Follows many cases in parallel, with one worker process for each core. A crash costs one case.
package final class EvaluateCrew: Sendable {
    /// Result of following a case.
    package enum Outcome: Sendable {
        case followed(FollowTrace)
        case failed(sentence: String)
    }

    private struct Ledger {
        var next = 0
        var outcomes: [Int: Outcome] = [:]
        var workers: Set<Int32> = []
        var isStopped = false
        var threads = 0
    }

    private let cases: [EvaluationCase]
    private let desk: URL
    private let progress: EvaluateProgress
    private let means: FollowingMeans
    private let withThoughts: Bool
    private let keep: @Sendable (EvaluationCase, Outcome, ProbabilityMap?) throws -> Void
    private let ledger = Mutex(Ledger())

    /// - Parameter keep: called once for each finished case; if it throws, the case has failed. Only this closure
    ///   gets the probabilities: those of a long evaluation would not fit into memory together.
    ///
    /// `desk` is an empty folder for links to recordings and for answers. If `withThoughts` is true, workers also
    /// return the follower's probabilities over time.
    package init(
        cases: [EvaluationCase], means: FollowingMeans, desk: URL, progress: EvaluateProgress,
        withThoughts: Bool,
        keep: @escaping @Sendable (EvaluationCase, Outcome, ProbabilityMap?) throws -> Void
    ) {
        self.cases = cases
        self.means = means
        self.desk = desk
        self.progress = progress
        self.withThoughts = withThoughts
        self.keep = keep
    }

    /// Follows all cases. The results are in the order of the cases.
    package func follow(jobs: Int) async -> [Outcome] {
        let count = min(max(1, jobs), cases.count)
        guard count > 0 else { return [] }
        ledger.withLock { $0.threads = count }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for _ in 0..<count {
                Thread.detachNewThread {
                    self.work()
                    let isLast = self.ledger.withLock { ledger in
                        ledger.threads -= 1
                        // After `stop` nobody waits for the result: the process is ending.
                        return ledger.threads == 0 && !ledger.isStopped
                    }
                    if isLast { done.resume() }
                }
            }
        }
        let outcomes = ledger.withLock { $0.outcomes }
        return cases.indices.map { outcomes[$0] ?? .failed(sentence: "The case was never begun.") }
    }

    /// Kills all workers; no further one is started.
    package func stop() {
        ledger.withLock { ledger in
            ledger.isStopped = true
            for worker in ledger.workers { kill(worker, SIGKILL) }
        }
    }

    private func work() {
        var child: EvaluateChild?
        while let number = takeNext() {
            let started = Date()
            progress.began(cases[number].id)
            let (followed, audioSeconds) = follow(number, with: &child)
            if ledger.withLock({ $0.isStopped }) { return }
            let outcome = kept(followed, thoughts: takeThoughts(number), of: cases[number])
            ledger.withLock { $0.outcomes[number] = outcome }
            progress.ended(
                cases[number].id, audioSeconds: audioSeconds, seconds: Date().timeIntervalSince(started),
                failure: outcome.failure)
        }
        if let child {
            _ = ledger.withLock { $0.workers.remove(child.identifier) }
            child.dismiss()
        }
    }

    private func kept(_ outcome: Outcome, thoughts: ProbabilityMap?, of item: EvaluationCase) -> Outcome {
        do {
            try keep(item, outcome, thoughts)
            return outcome
        } catch let failure as CaseFailure {
            return .failed(sentence: failure.sentence)
        } catch {
            return .failed(sentence: "The answer could not be kept: \(error.localizedDescription)")
        }
    }

    private func thoughtsFile(_ number: Int) -> URL { desk.appending(path: "\(number).thoughts.json") }

    /// Reads the probabilities that a worker has written; nil if there are none. A chart is drawn even without them.
    private func takeThoughts(_ number: Int) -> ProbabilityMap? {
        let file = thoughtsFile(number)
        guard withThoughts, let bytes = try? Data(contentsOf: file) else { return nil }
        try? FileManager.default.removeItem(at: file)
        return try? JSONDecoder().decode(ProbabilityMap.self, from: bytes)
    }

    private func takeNext() -> Int? {
        ledger.withLock { ledger in
            guard !ledger.isStopped, ledger.next < cases.count else { return nil }
            ledger.next += 1
            return ledger.next - 1
        }
    }

    private func follow(_ number: Int, with child: inout EvaluateChild?) -> (Outcome, audioSeconds: Double) {
        do {
            let order = try prepare(number)
            let worker = try child ?? hire()
            child = worker
            guard let receipt = worker.carryOut(order) else {
                _ = ledger.withLock { $0.workers.remove(worker.identifier) }
                child = nil
                let sentence =
                    "The worker ended \(worker.obituary()) while it followed this case; the others went on."
                return (.failed(sentence: sentence), 0)
            }
            if let failure = receipt.failure { return (.failed(sentence: failure), 0) }
            guard let text = try? String(contentsOfFile: order.answerPath, encoding: .utf8) else {
                return (.failed(sentence: "The worker left no answer in \(order.answerPath)."), 0)
            }
            try? FileManager.default.removeItem(atPath: order.answerPath)
            return (.followed(try TraceTable.read(text)), receipt.audioSeconds)
        } catch let failure as CaseFailure {
            return (.failed(sentence: failure.sentence), 0)
        } catch let fault as TableFault {
            return (.failed(sentence: "The worker's answer cannot be read: \(fault.sentence)"), 0)
        } catch {
            return (.failed(sentence: "The case could not be followed: \(error.localizedDescription)"), 0)
        }
    }

    /// Starts a worker while holding the lock: two workers starting at once would inherit each other's pipes.
    private func hire() throws -> EvaluateChild {
        try ledger.withLock { ledger in
            guard !ledger.isStopped else { throw CaseFailure(sentence: "The evaluation was stopped.") }
            let child = try EvaluateChild()
            ledger.workers.insert(child.identifier)
            return child
        }
    }

    /// Links the live recording into a folder of its own whose name reveals nothing about the case.
    private func prepare(_ number: Int) throws -> WorkOrder {
        var question = cases[number].question
        let audio = URL(filePath: question.liveAudioPath)
        guard FileManager.default.isReadableFile(atPath: audio.path) else {
            throw CaseFailure(sentence: "\(audio.path) cannot be read; the case has no live recording.")
        }
        let place = desk.appending(path: "\(number)")
        let link = place.appending(path: "live." + audio.pathExtension)
        try ledger.withLock { ledger in
            // After `stop` the folder is being deleted; nothing may be created in it.
            guard !ledger.isStopped else { throw CaseFailure(sentence: "The evaluation was stopped.") }
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: audio.absoluteURL)
        }
        question.liveAudioPath = link.path
        return WorkOrder(
            number: number, question: question, means: means,
            answerPath: desk.appending(path: "\(number).csv").path,
            thoughtsPath: withThoughts ? thoughtsFile(number).path : nil)
    }
}

extension EvaluateCrew.Outcome {
    package var failure: String? {
        if case .failed(let sentence) = self { sentence } else { nil }
    }
}
