import Foundation
import Listening
import Platform

/// Makes references from recorded evenings, one after the other, each by the command `baton recordings use` in the
/// background of the show.
///
/// The work in progress lies in `DATA/recordings/references-unfinished`, the list of jobs in
/// `DATA/recordings/references.json`.
actor ReferenceJobRunner {
    /// The program and the folders of a job.
    struct Workshop: Sendable {
        /// The program `baton`.
        var program: URL
        var dataFolder: String
        var modelsFolder: String
    }

    /// Runs the work of one job; lines of its output go to the last argument. Tests replace it.
    /// - Returns: the reason why it ended before its end; nil if it did not.
    typealias Work =
        @Sendable (ReferenceJob, Workshop, @escaping @Sendable (ReferenceJobLine) async -> Void) async ->
        String?

    private let workshop: Workshop
    private let work: Work
    private let file: ReferenceJobFile
    private var list: ReferenceJobList
    private var current: (id: String, task: Task<Void, Never>)?
    private let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ workshop: Workshop, work: @escaping Work = ReferenceJobRunner.runProgram) {
        self.workshop = workshop
        self.work = work
        file = ReferenceJobFile(path: workshop.dataFolder + "/recordings/references.json")
        list = file.load()
        list.noteRestart()
    }

    var jobs: [ReferenceJob] { list.jobs }

    /// Adds a job. When this returns, it is on the disk.
    /// - Returns: its id; nil if too many wait.
    func add(
        recording: String, title: String, pieces: [String], by person: String
    ) throws(ReferenceJobFile.Fault) -> String? {
        var changed = list
        let id = changed.add(
            recording: recording, title: title, pieces: pieces, by: person,
            at: Int64(Date().timeIntervalSince1970 * 1_000))
        guard let id else { return nil }
        try file.save(changed)
        list = changed
        wish.yield()
        return id
    }

    /// Interrupts a job that waits or runs; removes one that is over. When this returns, that is on the disk.
    /// - Returns: false if there is none of this id.
    func interruptOrRemove(_ id: String) throws(ReferenceJobFile.Fault) -> Bool {
        var changed = list
        guard changed.interruptOrRemove(id) else { return false }
        let isRunning = current?.id == id
        do throws(ReferenceJobFile.Fault) { try file.save(changed) } catch {
            // Work that runs is ended on a full disk too: after a restart it counts as interrupted in any case.
            guard isRunning else { throw error }
        }
        list = changed
        if isRunning { current?.task.cancel() }
        return true
    }

    /// Works until the task is cancelled.
    func run() async {
        try? FileManager.default.removeItem(atPath: Self.scratchFolder(workshop))
        wish.yield()
        for await _ in wishes {
            while !Task.isCancelled, let job = list.beginNext() {
                save()
                let task = Task { await self.carryOut(job) }
                current = (job.id, task)
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
                current = nil
            }
        }
    }

    private func carryOut(_ job: ReferenceJob) async {
        let trouble = await work(job, workshop) { await self.take($0, of: job.id) }
        guard list.running?.id == job.id else { return }
        if Task.isCancelled { list.noteRestart() } else { list.finish(trouble: trouble) }
        save()
    }

    private func take(_ line: ReferenceJobLine, of id: String) {
        guard list.running?.id == id else { return }
        list.add(line)
        if case .progress = line { return }
        save()
    }

    /// Writes the list with the newest states. If that fails, a job counts as waiting or interrupted after a restart;
    /// the models do not depend on it.
    private func save() { try? file.save(list) }

    private static func scratchFolder(_ workshop: Workshop) -> String {
        workshop.dataFolder + "/recordings/references-unfinished"
    }

    /// Runs `baton recordings use`.
    static func runProgram(
        _ job: ReferenceJob, _ workshop: Workshop,
        _ take: @escaping @Sendable (ReferenceJobLine) async -> Void
    ) async -> String? {
        let folder = scratchFolder(workshop)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return "“\(folder)” could not be made: \(error.localizedDescription)"
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The work has its own folder as working directory, so all paths are absolute.
        func absolute(_ path: String) -> String {
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        }
        let command = BackgroundCommand(
            program: URL(fileURLWithPath: absolute(workshop.program.path)),
            arguments: [
                "recordings", "use", job.recording, "--data", absolute(workshop.dataFolder), "--models",
                absolute(workshop.modelsFolder), "--progress-lines",
            ] + job.pieces.flatMap { ["--piece", $0] })
        let end = await command.run(in: absolute(folder)) { text in
            if let line = ReferenceJobLine(text) { await take(line) }
        }
        switch end.outcome {
        // 1: some pieces got no reference, and the lines said why.
        case .finished(status: 0), .finished(status: 1): return nil
        case .finished, .killed, .timedOut, .notStarted:
            return "The work ended before its end: \(end.failureReason)."
        }
    }
}
