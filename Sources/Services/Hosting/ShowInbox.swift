import Podium
import RealTime
import ShowLog
import Synchronization

/// The one way to the show engine: commands and events go in, and how the show stands can be looked up.
///
/// Made before the engine and before every service, so that none of them has to know the engine. Any thread.
package final class ShowInbox: Sendable {
    /// Something that waits for the engine.
    package enum Job: Sendable {
        /// Gets the outcome, and the log that it is written to; nil where nothing is.
        package typealias Answer = @Sendable (ShowAnswer, ShowLogWriter?) -> Void

        case event(PodiumEvent, answer: Answer?)
        /// An edit of one piece's cues, made to the course as it is when its turn comes.
        case cues(CueList, piece: Int, answer: Answer)

        fileprivate var answer: Answer? {
            switch self {
            case .event(_, let answer): answer
            case .cues(_, _, let answer): answer
            }
        }
    }

    struct Waiting {
        var jobs: [Job] = []
        var hasEnded = false
    }

    private let bell: WakeSignal
    let waiting = Mutex(Waiting())
    private let picture: Mutex<DeskPicture>

    /// The engine takes thousands of jobs a second; so many at once are no person's.
    private static let mostWaiting = 1_000

    /// - Parameters:
    ///   - bell: wakes the engine.
    ///   - picture: how the show stands at its start.
    package init(bell: WakeSignal, picture: DeskPicture) {
        self.bell = bell
        self.picture = Mutex(picture)
    }

    /// How the show stands.
    package var newestPicture: DeskPicture { picture.withLock { $0 } }

    /// Sends an event whose outcome nobody waits for: a fault, a restart.
    package func tell(_ event: PodiumEvent) { enqueue(.event(event, answer: nil)) }

    /// Sends a command.
    /// - Returns: when it has been carried out and is on the disk, or the disk has failed to take it.
    package func submit(_ event: PodiumEvent) async -> ShowAnswer {
        await submit { .event(event, answer: $0) }
    }

    /// Sends an edited cue list; other pieces keep theirs, whoever edits them at the same time.
    package func submit(_ cues: CueList, ofPiece piece: Int) async -> ShowAnswer {
        await submit { .cues(cues, piece: piece, answer: $0) }
    }

    private func submit(_ job: (@escaping Job.Answer) -> Job) async -> ShowAnswer {
        guard waiting.withLock({ $0.jobs.count < Self.mostWaiting }) else { return .busy }
        let (answer, log) = await withCheckedContinuation { continuation in
            enqueue(job { continuation.resume(returning: ($0, $1)) })
        }
        let fault = await log?.synced()
        // A refusal has changed nothing that a restart would have to know.
        guard let fault, case .done(let epoch) = answer else { return answer }
        return .notWritten(epoch, fault)
    }

    private func enqueue(_ job: Job) {
        let isTaken = waiting.withLock { waiting in
            guard !waiting.hasEnded else { return false }
            waiting.jobs.append(job)
            return true
        }
        if isTaken { bell.ring() } else { job.answer?(.notReigning, nil) }
    }
}

/// The engine's side.
extension ShowInbox {
    /// Takes everything that waits, in its order.
    package func takeAll() -> [Job] {
        waiting.withLock { waiting in
            defer { waiting.jobs.removeAll(keepingCapacity: true) }
            return waiting.jobs
        }
    }

    package func show(_ picture: DeskPicture) { self.picture.withLock { $0 = picture } }

    /// Refuses what waits and what comes from now on, so that nobody waits for an engine that has ended.
    package func close() {
        let left = waiting.withLock { waiting in
            waiting.hasEnded = true
            defer { waiting.jobs = [] }
            return waiting.jobs
        }
        for job in left { job.answer?(.notReigning, nil) }
    }
}

/// The outcome of a command.
package enum ShowAnswer: Sendable {
    case done(Epoch)
    /// Done, but not on the disk: a restart may not know of it.
    case notWritten(Epoch, ShowLogFault)
    case refused(CommandRefusal, Epoch)
    /// More waits than a person or a show desk can have meant.
    case busy
    /// Another server reigns; ask there.
    case notReigning

    /// Why it was not done and what to do; nil where it was.
    package var sentence: String? {
        switch self {
        case .done: nil
        case .notWritten(_, let fault):
            "This was done, so do not repeat it; but it could not be written down, and a restart now would not know "
                + "of it. \(fault.sentence)"
        case .refused(let refusal, _): refusal.sentence
        case .busy: "More commands are waiting than the desk can mean; send fewer, or try again in a second."
        case .notReigning: "This server is the backup; give the command to the main one."
        }
    }
}
