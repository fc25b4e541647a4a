import ChildProcesses
import Foundation
import Listening

/// Makes references from recorded evenings, one after the other, each in a process of the lowest priority and with limited
/// memory.
///
/// A process of its own takes no processor time that the show needs, and an error in it does not end the server. Its
/// work in progress lies in `DATA/recordings/references-unfinished`, the list of jobs in
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

    /// Those of `baton work`, which listens to recordings of the same length, with more time for several pieces.
    private static let limits = LimitedProcess.ResourceLimits(
        cpuSeconds: 8 * 3_600, wallSeconds: 6 * 3_600, memoryBytes: 8 << 30, largestFileBytes: 4 << 30,
        niceness: 19)
    private static let pollingInterval = Duration.milliseconds(400)

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

    /// What became of a job that was accepted. If it cannot be written, the job counts as waiting or interrupted after a
    /// restart; the models do not depend on it.
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
        let output = URL(fileURLWithPath: folder + "/output")
        let errors = URL(fileURLWithPath: folder + "/errors")
        // The work has its own folder as working directory, so all paths are absolute.
        func absolute(_ path: String) -> String {
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        }
        let place = URL(fileURLWithPath: absolute(folder))
        let child = LimitedProcess(
            executable: URL(fileURLWithPath: absolute(workshop.program.path)),
            arguments: [
                "recordings", "use", job.recording, "--data", absolute(workshop.dataFolder), "--models",
                absolute(workshop.modelsFolder), "--progress-lines",
            ] + job.pieces.flatMap { ["--piece", $0] },
            resourceLimits: limits, furtherEnvironment: ["TMPDIR": place.path])
        let reader = Task {
            var lines = LineReader(file: output)
            while !Task.isCancelled {
                try? await Task.sleep(for: pollingInterval)
                for line in lines.next() { await take(line) }
            }
            for line in lines.next() { await take(line) }
        }
        let outcome = await child.run(in: place, output: output, errors: errors)
        reader.cancel()
        await reader.value
        switch outcome {
        // 1: some pieces got no reference, and the lines said why.
        case .finished(status: 0), .finished(status: 1): break
        case .finished, .killed, .timedOut, .notStarted:
            return "The work ended before its end: \(outcome.failureReason(errors: errors))."
        }
        return nil
    }

    /// Reads the complete lines of a file that grows.
    private struct LineReader {
        let file: URL
        private var offset: UInt64 = 0
        private var unread: [UInt8] = []

        init(file: URL) { self.file = file }

        mutating func next() -> [ReferenceJobLine] {
            guard let handle = try? FileHandle(forReadingFrom: file),
                (try? handle.seek(toOffset: offset)) != nil, let bytes = try? handle.readToEnd()
            else { return [] }
            offset += UInt64(bytes.count)
            unread += bytes
            var lines: [ReferenceJobLine] = []
            while let end = unread.firstIndex(of: 0x0A) {
                if let line = ReferenceJobLine(String(decoding: unread[..<end], as: UTF8.self)) {
                    lines.append(line)
                }
                unread.removeSubrange(...end)
            }
            return lines
        }
    }
}
