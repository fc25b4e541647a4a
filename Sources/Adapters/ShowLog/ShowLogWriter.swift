import Foundation
import Synchronization

/// Writes the log of a show: numbered lines with checksums. Lines that belong together are written with one `write`.
///
/// **Events are written before their effects are sent.** There is no queue: each call returns when its lines are in the
/// file, or in memory if the disk refuses them. So a caller must send the effects only after the call.
///
/// A call costs one `write` into the system's cache, some microseconds. Only two methods wait for the disk itself:
/// ``waitUntilOnDisk()`` and ``sync()``. All methods may be called from any thread; the order of the calls is the order
/// of the lines. The audio threads must not call them.
public final class ShowLogWriter: Sendable {
    /// Receives each line just after it was written, for example to send it to a backup server.
    public typealias LineForwarder = @Sendable (_ sequence: UInt64, _ line: [UInt8]) -> Void

    struct State: ~Copyable {
        var files: ShowLogFileSequence
        /// The number of the line written last.
        var sequence: UInt64
        var lastSnapshot: Int64?
        var lastTimeOfDayMilliseconds: Int64?
        var wantsNewFile = false
        var fault: ShowLogFault?
    }

    /// The path of the show's folder.
    public let showFolder: String
    let limits: LogLimits
    private let now: @Sendable () -> Date
    private let forward: LineForwarder
    private let positionWriter: ShowLogPositionWriter?
    private let state: Mutex<State>
    private let disk = DispatchQueue(label: "show-log-disk")

    init(
        show: String, header: LogHeader, limits: LogLimits, now: @escaping @Sendable () -> Date,
        open: @escaping AppendOnlyFileOpener, mark: ShowLogPositionWriter? = nil,
        forward: @escaping LineForwarder
    ) {
        self.positionWriter = mark
        self.showFolder = show
        self.limits = limits
        self.now = now
        self.forward = forward
        let files = ShowLogFileSequence(
            folder: show, header: header, memoryBytes: limits.memoryBytes, open: open)
        state = Mutex(State(files: files, sequence: header.first - 1))
    }

    /// Begins to write the log of a show. The first line should be a snapshot.
    /// - Parameters:
    ///   - show: the path of the show's folder, which must exist.
    ///   - sequence: the number of the last line written before; 0 for a new show.
    ///   - forward: receives each line in order, also lines that wait in memory. It is called on the thread of the
    ///     writing caller while other callers wait, so it must return quickly.
    public convenience init(
        show: String, title: String, started: String, after sequence: UInt64 = 0,
        limits: LogLimits = LogLimits(), now: @escaping @Sendable () -> Date = { Date() },
        forward: @escaping LineForwarder = { _, _ in }
    ) throws(ShowLogFault) {
        let file = (try ShowLogFileNames.numbers(in: show).last ?? 0) + 1
        let header = LogHeader(show: title, file: file, first: sequence + 1, started: started)
        self.init(
            show: show, header: header, limits: limits, now: now, open: AppendOnlyDiskFile.open,
            mark: ShowLogPositionWriter(show: show), forward: forward)
    }

    /// The number of the line written last.
    public var sequence: UInt64 { state.withLock { $0.sequence } }
    /// The reason why lines wait in memory instead of reaching the disk; nil while the disk accepts them.
    public var fault: ShowLogFault? { state.withLock { $0.fault } }
    public var writtenBytes: Int { state.withLock { $0.files.writtenBytes } }

    /// True if the caller should now write a snapshot: the interval is over, the file is full, or lines were lost.
    /// - Parameter milliseconds: the time since the show began.
    public func isSnapshotDue(at milliseconds: Int64) -> Bool {
        state.withLock { state in
            guard let last = state.lastSnapshot else { return true }
            if milliseconds - last >= limits.snapshotMilliseconds { return true }
            // While the disk fails, no snapshot is due: otherwise each event would make a snapshot and try a new file.
            return state.fault == nil
                && (state.wantsNewFile || state.files.fileBytes >= limits.fileBytes
                    || state.files.needsSnapshotAfterGap)
        }
    }

    /// Requests a new log file, which begins with the next snapshot.
    public func rotate() { state.withLock { $0.wantsNewFile = true } }

    /// Writes lines that belong together with one system call.
    /// - Returns: the fault if the disk refused the lines; they are then kept in memory.
    func append(
        _ parts: [(kind: LogLine.Kind, payload: [UInt8])], at milliseconds: Int64, withWall: Bool = false
    ) -> ShowLogFault? {
        state.withLock { state in
            var block = ShowLogFileSequence.LineBlock(
                first: state.sequence + 1, count: parts.count, bytes: [], milliseconds: milliseconds)
            for part in parts {
                state.sequence += 1
                let isDue =
                    state.lastTimeOfDayMilliseconds.map {
                        milliseconds - $0 >= limits.timeOfDayIntervalMilliseconds
                    } ?? true
                let wall = (withWall && part.kind != .effects) || isDue ? WallClock.iso8601(now()) : nil
                if wall != nil { state.lastTimeOfDayMilliseconds = milliseconds }
                let line = LogLine(
                    sequence: state.sequence, milliseconds: milliseconds, wall: wall, kind: part.kind,
                    payload: part.payload
                ).bytes
                block.bytes += line
                block.bytes.append(0x0A)
                forward(state.sequence, line)
            }
            state.fault = state.files.append(block)
            return state.fault
        }
    }

    /// Begins a new log file if one is due, and writes a snapshot.
    /// - Parameter payload: returns the snapshot as JSON. Its argument `opensFile` is true if the snapshot is the first
    ///   line of its file, so that it must not depend on earlier lines. `followsGap` is true if lines before it were
    ///   lost.
    func appendSnapshot(
        at milliseconds: Int64, payload: (_ opensFile: Bool, _ followsGap: Bool) -> [UInt8]
    ) -> ShowLogFault? {
        let (opensFile, followsGap) = state.withLock { state in
            let isFull = state.wantsNewFile || state.files.fileBytes >= limits.fileBytes
            if isFull { state.files.rotate() }
            state.wantsNewFile = false
            return (state.files.fileBytes == 0 || isFull, state.files.needsSnapshotAfterGap)
        }
        let payload = payload(opensFile, followsGap)
        let fault = append([(.snapshot, payload)], at: milliseconds)
        state.withLock { state in
            state.lastSnapshot = milliseconds
            if fault == nil { state.files.needsSnapshotAfterGap = false }
        }
        if fault == nil { savePosition() }
        return fault
    }

    /// Appends a line of another server's log unchanged. A backup server keeps a copy of the main server's log with
    /// this. A line that this log already contains is skipped.
    /// - Returns: the fault if the line is damaged or the disk refused it.
    public func appendCopiedLine(_ bytes: [UInt8]) -> ShowLogFault? {
        guard let line = LogLine(bytes: bytes) else {
            return .damaged(path: showFolder, line: 0, what: "a line from the other server came damaged")
        }
        return state.withLock { state in
            guard line.sequence > state.sequence else { return state.fault }
            let isWhole = line.kind == .snapshot && ShowSnapshot.isSelfContained(line.payload)
            // The main server began a file with this line too. This server's files may be shorter, so it begins a new
            // file at half the size, which keeps the files of both in step.
            if isWhole, state.files.fileBytes >= limits.fileBytes / 2 { state.files.rotate() }
            if line.kind == .snapshot { state.lastSnapshot = line.milliseconds }
            state.sequence = line.sequence + (line.kind == .gap ? max(line.lostLines, 1) - 1 : 0)
            let block = ShowLogFileSequence.LineBlock(
                first: line.sequence, count: 1, bytes: bytes + [0x0A], milliseconds: line.milliseconds)
            state.fault = state.files.append(block)
            if line.kind == .snapshot, state.fault == nil { positionWriter?.write(sequence: state.sequence) }
            forward(line.sequence, bytes)
            return state.fault
        }
    }

    /// Saves the number of the newest line. It does nothing while lines wait in memory, because they are not written
    /// yet.
    private func savePosition() {
        guard let positionWriter else { return }
        state.withLock { state in
            guard state.fault == nil else { return }
            positionWriter.write(sequence: state.sequence)
        }
    }

    /// Tries again to write the lines that wait in memory. Call it regularly while there are no events.
    /// - Returns: the fault if the disk still refuses them.
    public func retry() -> ShowLogFault? {
        state.withLock { state in
            state.fault = state.files.writeWaitingBlocks()
            return state.fault
        }
    }

    /// Waits until all lines written so far are on the disk and would survive a power cut.
    ///
    /// The server acknowledges commands only after this. The disk is flushed on another thread, so lines can be written
    /// in the meantime.
    /// - Returns: the fault if lines could not reach the disk.
    public func waitUntilOnDisk() async -> ShowLogFault? {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: self.sync()) }
        }
    }

    /// Flushes the log to the disk, like ``waitUntilOnDisk()``, but blocks the caller's thread.
    public func sync() -> ShowLogFault? {
        let (files, isFolderNew, fault) = state.withLock { state in
            let unsynced = state.files.filesToSync()
            return (unsynced.files, unsynced.isFolderNew, state.fault)
        }
        if fault == nil { savePosition() }
        if isFolderNew { ShowLogFileNames.sync(folder: showFolder) }
        for file in files {
            guard let code = file.sync() else { continue }
            return .writing("bring to the disk", path: file.path, errno: code, waiting: 0, lost: 0)
        }
        return fault
    }
}
