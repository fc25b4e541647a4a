import Foundation
import WebServer

/// The tasks of all pieces. One is carried out at a time, in the order in which they came.
package actor PreparationQueue {
    private let library: DraftLibrary
    private let worker: any PreparationWorker
    private let carrier: TaskCarrier
    private var waiting: [PreparationJob] = []
    private var running: (job: PreparationJob, work: Task<Void, Never>)?
    private var tasks: [String: PreparationTask] = [:]
    /// The newest task of each piece that people asked for, also after it has ended.
    private var newest: [String: PreparationJob] = [:]
    /// Tasks that have ended although the disk could not be written, so that they are still stored with their piece.
    private var endedButStored: Set<String> = []
    /// The task that was interrupted because something else was asked for, and begins again after it.
    private var givingWay: String?
    private var isStopped = false
    /// Resumed when the task that is running has ended.
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    package init(library: DraftLibrary, worker: any PreparationWorker, carrier: TaskCarrier) {
        self.library = library
        self.worker = worker
        self.carrier = carrier
    }

    /// Begins the tasks that were accepted before the program ended.
    func resume() async {
        for case .readable(let record) in await library.list() {
            for pending in record.pending { enqueue(pending, of: record.id) }
        }
        startNext()
    }

    /// Accepts a task. When this returns, it is stored with the piece.
    /// - Returns: the id of the task; that of an equal one in the background that has not ended, if there is one.
    /// - Throws: ``Refusal``, also if another task of the piece that people asked for has not ended.
    @discardableResult
    package func submit(_ task: PreparationTask, of piece: String) async throws(Refusal) -> String {
        let pending = PendingTask(id: DraftStore.makeID("j"), task: task)
        let (carrier, ended) = (carrier, endedButStored)
        let changed = try await library.change(piece) { record throws(Refusal) in
            record.pending.removeAll { ended.contains($0.id) }
            if task.isInBackground, record.pending.contains(where: { $0.task == task }) { return [] }
            if !task.isInBackground, let other = record.pending.first(where: { !$0.task.isInBackground }) {
                throw Refusal.jobRunning(kind: other.task.kind)
            }
            try carrier.check(task, of: record)
            record.pending.append(pending)
            return []
        }
        guard changed.pending.contains(pending) else {
            return changed.pending.first { $0.task == task }?.id ?? pending.id
        }
        begin(pending, of: piece)
        return pending.id
    }

    /// Begins a task that is stored with its piece already.
    func begin(_ pending: PendingTask, of piece: String) {
        enqueue(pending, of: piece)
        if let running, tasks[running.job.id]?.givesWay == true, !pending.task.givesWay {
            givingWay = running.job.id
            running.work.cancel()
        }
        startNext()
    }

    /// Takes tasks out of a piece that have ended although that could not be saved then.
    func removeEnded(of piece: String) async throws(Refusal) {
        let ended = endedButStored
        guard !ended.isEmpty else { return }
        try await library.change(piece) { record in
            record.pending.removeAll { ended.contains($0.id) }
            return []
        }
    }

    /// Interrupts a task, or takes it out of the queue.
    package func interrupt(_ id: String, of piece: String) async throws(Refusal) {
        if let running, running.job.id == id, running.job.piece == piece {
            running.work.cancel()
            await waitUntilIdle(of: id)
            return
        }
        guard waiting.contains(where: { $0.id == id && $0.piece == piece }) else { throw .noSuchJob }
        try await library.change(piece) { record in
            record.pending.removeAll { $0.id == id }
            return []
        }
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            // Its turn has come meanwhile.
            if let running, running.job.id == id {
                running.work.cancel()
                await waitUntilIdle(of: id)
            }
            return
        }
        var job = waiting.remove(at: index)
        tasks[id] = nil
        job.state = .interrupted
        publish(job)
    }

    /// The newest task of a piece that people asked for; nil if there was none since the start.
    func newestJob(of piece: String) -> PreparationJob? { newest[piece] }

    func job(_ id: String, of piece: String) throws(Refusal) -> PreparationJob {
        let all = waiting + [running?.job, newest[piece]].compactMap { $0 }
        guard let found = all.first(where: { $0.id == id && $0.piece == piece }) else { throw .noSuchJob }
        return found
    }

    /// Ends the tasks of a piece that is deleted.
    func forget(_ piece: String) async {
        for job in waiting where job.piece == piece { tasks[job.id] = nil }
        waiting.removeAll { $0.piece == piece }
        newest[piece] = nil
        guard let running, running.job.piece == piece else { return }
        running.work.cancel()
        await waitUntilIdle(of: running.job.id)
    }

    /// Ends the task that is running, which begins again at the next start.
    func stop() async {
        isStopped = true
        guard let running else { return }
        running.work.cancel()
        await waitUntilIdle(of: running.job.id)
    }

    /// Waits until nothing is running or waiting.
    package func waitUntilDone() async {
        while let running { await waitUntilIdle(of: running.job.id) }
    }

    private func waitUntilIdle(of id: String) async {
        guard running?.job.id == id else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private func enqueue(_ pending: PendingTask, of piece: String) {
        tasks[pending.id] = pending.task
        let job = PreparationJob(
            id: pending.id, piece: piece, kind: pending.task.kind, stage: "Waiting", share: nil,
            state: .waiting, sentence: nil)
        waiting.append(job)
        publish(job)
    }

    private func publish(_ job: PreparationJob) {
        if tasks[job.id].map({ !$0.isInBackground }) ?? (newest[job.piece]?.id == job.id) {
            newest[job.piece] = job
        }
        library.eventHub.sendTransient("job", JSONBody.encode(job))
    }

    private func startNext() {
        guard running == nil, !isStopped, !waiting.isEmpty else { return }
        var job = waiting.removeFirst()
        guard let task = tasks[job.id] else { return startNext() }
        job.state = .running
        job.stage = "Beginning"
        let started = job
        running = (job, Task { await self.carryOut(task, started) })
        publish(job)
    }

    private func showProgress(_ progress: PreparationProgress, of id: String) {
        guard var job = running?.job, job.id == id, job.state == .running else { return }
        job.stage = WebResponse.removeMachinePaths(progress.stage)
        job.share = progress.share
        running?.job = job
        publish(job)
    }

    private func carryOut(_ task: PreparationTask, _ started: PreparationJob) async {
        var job = started
        let (library, worker, carrier) = (library, worker, carrier)
        // Nothing of a task depends on how often its progress is sent.
        let outcome = await carrier.carryOut(task, job.id, of: job.piece, library, worker) { progress in
            Task { await self.showProgress(progress, of: started.id) }
        }
        job.stage = running?.job.stage ?? job.stage
        switch outcome {
        case .done(let sentence, let further):
            (job.state, job.sentence) = (.done, sentence)
            for pending in further { enqueue(pending, of: job.piece) }
        case .failed(let sentence, let kind):
            let isInterrupted = Task.isCancelled
            job.state = isInterrupted ? .interrupted : .failed
            job.sentence = isInterrupted ? nil : WebResponse.removeMachinePaths(sentence)
            job.failureKind = isInterrupted ? nil : kind
            if isInterrupted, !isStopped, givingWay == job.id { return waitAgain(job) }
            // A task that the end of the program interrupts stays, and begins again at the next start.
            if !(isInterrupted && isStopped) {
                let id = job.id
                do throws(Refusal) {
                    try await library.change(job.piece) { record in
                        record.pending.removeAll { $0.id == id }
                        return []
                    }
                } catch {
                    if error.code == Refusal.notWrittenCode { endedButStored.insert(id) }
                }
            }
        }
        tasks[job.id] = nil
        end(job)
    }

    /// Puts a task that gave way at the end of the queue.
    private func waitAgain(_ interrupted: PreparationJob) {
        var job = interrupted
        (job.state, job.stage, job.share) = (.waiting, "Waiting", nil)
        givingWay = nil
        waiting.append(job)
        end(job)
    }

    private func end(_ job: PreparationJob) {
        running = nil
        publish(job)
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
        startNext()
    }
}
