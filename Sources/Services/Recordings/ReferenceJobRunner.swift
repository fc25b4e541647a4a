import ChildProcesses
import Foundation
import Listening

/// Makes references from recorded evenings, one after the other, each in a process of the lowest priority.
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

    /// Longer work than this is stopped, in seconds.
    private static let timeLimitSeconds = 6 * 3_600.0
    private static let pollingInterval = Duration.milliseconds(400)

    private let workshop: Workshop
    private let work: Work
    private let file: URL
    private var list: ReferenceJobList
    private var current: (id: String, task: Task<Void, Never>)?
    private let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ workshop: Workshop, work: @escaping Work = ReferenceJobRunner.runProgram) {
        self.workshop = workshop
        self.work = work
        file = URL(fileURLWithPath: workshop.dataFolder + "/recordings/references.json")
        list =
            (try? Data(contentsOf: file)).flatMap {
                try? JSONDecoder().decode(ReferenceJobList.self, from: $0)
            }
            ?? ReferenceJobList()
        list.noteRestart()
    }

    var jobs: [ReferenceJob] { list.jobs }

    /// Adds a job.
    /// - Returns: its id; nil if too many wait.
    func add(recording: String, title: String, pieces: [String], by person: String) -> String? {
        let id = list.add(
            recording: recording, title: title, pieces: pieces, by: person,
            at: Int64(Date().timeIntervalSince1970 * 1_000))
        save()
        wish.yield()
        return id
    }

    /// Interrupts a job that waits or runs; removes one that is over.
    /// - Returns: false if there is none of this id.
    func interruptOrRemove(_ id: String) -> Bool {
        guard list.interruptOrRemove(id) else { return false }
        if current?.id == id { current?.task.cancel() }
        save()
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

    /// A list that cannot be written is shorter after a restart; the models do not depend on it.
    private func save() {
        try? FileManager.default.createDirectory(
            atPath: file.deletingLastPathComponent().path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? JSONEncoder().encode(list).write(to: file, options: .atomic)
    }

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
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = folder
        let child = ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: [
                "-c", "exec nice -n 19 \"$@\"", "use", workshop.program.path, "recordings", "use",
                job.recording, "--data", workshop.dataFolder, "--models", workshop.modelsFolder,
                "--progress-lines",
            ] + job.pieces.flatMap { ["--piece", $0] },
            timeLimitSeconds: timeLimitSeconds, environment: environment)
        let reader = Task {
            var lines = LineReader(file: output)
            while !Task.isCancelled {
                try? await Task.sleep(for: pollingInterval)
                for line in lines.next() { await take(line) }
            }
            for line in lines.next() { await take(line) }
        }
        let outcome = await child.run(output: output, errors: errors)
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
