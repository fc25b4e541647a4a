import Listening

/// A request to make a recorded evening a reference of some of its pieces, and what became of it.
struct ReferenceJob: Codable, Equatable, Sendable {
    enum State: String, Codable, Sendable {
        case waiting, running, done, failed, interrupted
    }

    /// A piece that got no reference, and the reason.
    struct Refusal: Codable, Equatable, Sendable {
        var piece: String
        var sentence: String
    }

    var id: String
    var recording: String
    var title: String
    /// The pieces' folders.
    var pieces: [String]
    /// The name of the person who asked for it.
    var requestedBy: String
    /// Milliseconds since 1970.
    var requestedAt: Int64
    var state = State.waiting
    /// The work of this moment; nil unless the job runs.
    var stage: String?
    /// The finished share of the stage, 0…1.
    var share: Double?
    /// A sentence about the end of the work; nil if results and refusals say all.
    var sentence: String?
    var results: [EveningReferenceResult] = []
    var refusals: [Refusal] = []

    var isOver: Bool { state != .waiting && state != .running }
}

/// The jobs of a server in the order in which they were asked for. One runs at a time.
struct ReferenceJobList: Codable, Equatable, Sendable {
    /// The number of finished jobs that the list keeps.
    static let mostFinished = 30
    /// The number of jobs that may wait.
    static let mostWaiting = 10

    static let interruptedSentence =
        "It was interrupted. What was finished before stays; start it again for the rest."
    static let restartSentence =
        "The server ended during the work. What was finished before stays; start it again for the rest."

    private(set) var jobs: [ReferenceJob] = []
    private var nextNumber = 1

    var running: ReferenceJob? { jobs.first { $0.state == .running } }

    /// Adds a job.
    /// - Returns: its id; nil if too many wait.
    mutating func add(
        recording: String, title: String, pieces: [String], by person: String, at milliseconds: Int64
    ) -> String? {
        guard jobs.filter({ !$0.isOver }).count < Self.mostWaiting else { return nil }
        let id = String(nextNumber)
        nextNumber += 1
        jobs.append(
            ReferenceJob(
                id: id, recording: recording, title: title, pieces: pieces, requestedBy: person,
                requestedAt: milliseconds))
        while jobs.filter(\.isOver).count > Self.mostFinished, let oldest = jobs.firstIndex(where: \.isOver) {
            jobs.remove(at: oldest)
        }
        return id
    }

    /// Starts the next job, unless one runs.
    mutating func beginNext() -> ReferenceJob? {
        guard running == nil, let index = jobs.firstIndex(where: { $0.state == .waiting }) else { return nil }
        jobs[index].state = .running
        return jobs[index]
    }

    /// Takes a line of the running job's output.
    mutating func add(_ line: ReferenceJobLine) {
        guard let index = jobs.firstIndex(where: { $0.state == .running }) else { return }
        switch line {
        case .progress(let stage, let share): (jobs[index].stage, jobs[index].share) = (stage, share)
        case .made(let result): jobs[index].results.append(result)
        case .failed(let piece, let sentence):
            jobs[index].refusals.append(.init(piece: piece, sentence: sentence))
        }
    }

    /// Ends the running job.
    /// - Parameter trouble: the reason why it ended before its end; nil if it did not.
    mutating func finish(trouble: String?) {
        guard let index = jobs.firstIndex(where: { $0.state == .running }) else { return }
        let hasResults = !jobs[index].results.isEmpty
        end(index, trouble == nil && hasResults ? .done : .failed, trouble)
    }

    /// Ends a job that waits or runs; removes one that is over.
    /// - Returns: false if there is none of this id.
    mutating func interruptOrRemove(_ id: String) -> Bool {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return false }
        if jobs[index].isOver {
            jobs.remove(at: index)
        } else {
            end(index, .interrupted, Self.interruptedSentence)
        }
        return true
    }

    /// Called after a start: what ran before was interrupted, what waited goes on.
    mutating func noteRestart() {
        for index in jobs.indices where jobs[index].state == .running {
            end(index, .interrupted, Self.restartSentence)
        }
    }

    private mutating func end(_ index: Int, _ state: ReferenceJob.State, _ sentence: String?) {
        jobs[index].state = state
        jobs[index].sentence = sentence
        (jobs[index].stage, jobs[index].share) = (nil, nil)
    }
}
