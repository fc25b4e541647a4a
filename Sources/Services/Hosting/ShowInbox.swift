import Platform
import Podium
import ShowLog
import Synchronization
import Titles

/// The only entrance to the show engine: takes commands and events, and holds the newest snapshot of the show.
///
/// The inbox is created before the engine and before every service, so that no service needs a reference to the engine.
/// It may be called from any thread.
package final class ShowInbox: Sendable {
    /// A command, event or edit that waits for the show engine.
    package enum Job: Sendable {
        /// Called with a job's outcome and the log that records it; the log is nil if nothing was recorded.
        package typealias Completion = @Sendable (CommandOutcome, ShowLogWriter?) -> Void

        case event(PodiumEvent, answer: Completion?)
        /// A new cue list of one piece. It replaces the piece's list in the programme as it is when the job is
        /// processed. `replacing` is the ``ShowProgramme/cueFingerprint(ofPiece:)`` of the list to be replaced; nil
        /// replaces whichever there is.
        case cueListReplacement(CueList, piece: Int, replacing: String?, answer: Completion)
        /// A new list of titles of one piece, which replaces the piece's list in the same way. `replacing` is the
        /// fingerprint of the list to be replaced; nil replaces whichever there is.
        case titleListReplacement(
            TitleList, piece: Int, revision: String, replacing: String?, answer: Completion)
        /// A changed programme, made from the programme with the given ``ShowProgramme/orderRevision``. The cue lists
        /// of pieces that stay are those at the moment when the job is processed.
        case programmeReplacement(ShowProgramme, revision: String, answer: Completion)

        fileprivate var completion: Completion? {
            switch self {
            case .event(_, let answer): answer
            case .cueListReplacement(_, _, _, let answer): answer
            case .titleListReplacement(_, _, _, _, let answer): answer
            case .programmeReplacement(_, _, let answer): answer
            }
        }
    }

    struct WaitingJobs {
        var jobs: [Job] = []
        var hasEnded = false
    }

    private let wakeSignal: WakeSignal
    let waitingJobs = Mutex(WaitingJobs())
    private let snapshot: Mutex<ShowEngineSnapshot>

    /// The largest number of waiting jobs. The engine processes thousands a second, so people never reach this limit.
    private static let mostWaitingJobs = 1_000

    /// Creates the inbox before its show engine.
    /// - Parameters:
    ///   - wakeSignal: wakes the show engine's thread.
    ///   - snapshot: the snapshot of the show at its start.
    package init(wakeSignal: WakeSignal, snapshot: ShowEngineSnapshot) {
        self.wakeSignal = wakeSignal
        self.snapshot = Mutex(snapshot)
    }

    /// The newest snapshot of the show.
    package var newestSnapshot: ShowEngineSnapshot { snapshot.withLock { $0 } }

    /// Queues an event, such as a fault, without waiting for its outcome.
    package func post(_ event: PodiumEvent) { enqueue(.event(event, answer: nil)) }

    /// Queues a command and waits for its outcome.
    /// - Returns: the outcome. The command was then executed, and its log entry was written to disk or could not be
    ///   written.
    package func submitEvent(_ event: PodiumEvent) async -> CommandOutcome {
        await submitJob { .event(event, answer: $0) }
    }

    /// Queues an edited cue list of one piece and waits for the outcome. Concurrent edits of other pieces are kept.
    /// - Parameter old: the fingerprint of the list to be replaced; nil replaces whichever there is.
    package func submitCueList(_ cues: CueList, ofPiece piece: Int, replacing old: String? = nil) async
        -> CommandOutcome
    {
        await submitJob { .cueListReplacement(cues, piece: piece, replacing: old, answer: $0) }
    }

    /// Queues an edited list of titles of one piece and waits for the outcome.
    /// - Parameter old: the fingerprint of the list to be replaced; nil replaces whichever there is.
    package func submitTitleList(
        _ titles: TitleList, ofPiece piece: Int, changing revision: String, replacing old: String? = nil
    ) async -> CommandOutcome {
        await submitJob {
            .titleListReplacement(titles, piece: piece, revision: revision, replacing: old, answer: $0)
        }
    }

    /// Queues a changed programme and waits for the outcome.
    /// - Parameter revision: the ``ShowProgramme/orderRevision`` of the programme that was changed. If the programme in
    ///   force has another one, the change is refused.
    package func submitProgramme(_ programme: ShowProgramme, changing revision: String) async
        -> CommandOutcome
    {
        await submitJob { .programmeReplacement(programme, revision: revision, answer: $0) }
    }

    private func submitJob(_ job: (@escaping Job.Completion) -> Job) async -> CommandOutcome {
        guard waitingJobs.withLock({ $0.jobs.count < Self.mostWaitingJobs }) else { return .busy }
        let (answer, log) = await withCheckedContinuation { continuation in
            enqueue(job { continuation.resume(returning: ($0, $1)) })
        }
        let fault = await log?.waitUntilOnDisk()
        // A refused command changed nothing, so it does not matter whether the disk has its log entry.
        guard let fault, case .done(let epoch) = answer else { return answer }
        return .doneButNotSaved(epoch, fault)
    }

    private func enqueue(_ job: Job) {
        let isTaken = waitingJobs.withLock { waiting in
            guard !waiting.hasEnded else { return false }
            waiting.jobs.append(job)
            return true
        }
        if isTaken { wakeSignal.ring() } else { job.completion?(.notActiveServer, nil) }
    }
}

/// Methods that only the show engine calls.
extension ShowInbox {
    /// Removes all waiting jobs and returns them in order.
    package func removeAllJobs() -> [Job] {
        waitingJobs.withLock { waiting in
            defer { waiting.jobs.removeAll(keepingCapacity: true) }
            return waiting.jobs
        }
    }

    package func storeSnapshot(_ snapshot: ShowEngineSnapshot) { self.snapshot.withLock { $0 = snapshot } }

    /// Refuses all waiting jobs and every later one, so that no caller waits for an engine that has ended.
    package func refuseAllJobs() {
        let left = waitingJobs.withLock { waiting in
            waiting.hasEnded = true
            defer { waiting.jobs = [] }
            return waiting.jobs
        }
        for job in left { job.completion?(.notActiveServer, nil) }
    }
}

/// The outcome of a command that was given to the show engine.
package enum CommandOutcome: Sendable {
    case done(BatonEpoch)
    /// The command was executed, but not recorded on disk: after a restart the show may not know of it.
    case doneButNotSaved(BatonEpoch, ShowLogFault)
    case refused(CommandRefusal, BatonEpoch)
    /// The command was refused because too many commands are waiting.
    case busy
    /// The command was refused because another server is active; it must be sent to that server.
    case notActiveServer

    /// A sentence that says why the command failed and what to do; nil if it succeeded.
    package var sentence: String? {
        switch self {
        case .done: nil
        case .doneButNotSaved(_, let fault):
            "The command was executed, so do not repeat it; but it could not be saved, and a restart now would lose "
                + "it. \(fault.sentence)"
        case .refused(let refusal, _): refusal.sentence
        case .busy: "Too many commands are waiting; send fewer, or try again in a second."
        case .notActiveServer: "This server is the backup; give the command to the main one."
        }
    }
}
