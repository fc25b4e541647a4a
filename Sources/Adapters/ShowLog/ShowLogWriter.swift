import Foundation
import Synchronization

/// Writes the log of a show: numbered lines with checksums. Lines that belong together are written with one `write`.
///
/// **Events are written before their effects are sent.** There is no queue: each call returns when its lines are in the
/// file, or in memory if the disk refuses them. So a caller must send the effects only after the call.
///
/// A call costs one `write` into the system's cache, some microseconds. Only two methods wait for the disk itself:
/// ``waitUntilOnDisk()`` and ``syncToDisk()``. All methods may be called from any thread; the order of the calls is the
/// order of the lines. The audio threads must not call them.
public final class ShowLogWriter: Sendable {
    /// Receives each line just after it was written, for example to send it to a backup server.
    public typealias LineForwarder = @Sendable (_ sequence: UInt64, _ line: [UInt8]) -> Void

    struct State: ~Copyable {
        var fileSequence: ShowLogFileSequence
        /// The number of the line written last.
        var lastSequenceNumber: UInt64
        var lastSnapshotMilliseconds: Int64?
        var lastTimeOfDayLineMilliseconds: Int64?
        var wantsNewFile = false
        var fault: ShowLogFault?
        /// The reason why the newest flush failed; nil if it succeeded.
        var flushFault: ShowLogFault?
    }

    /// The path of the show's folder.
    public let showFolder: String
    /// The place and time of a show that begins with this log.
    public let origin: ShowOrigin
    let limits: LogLimits
    private let readWallClock: @Sendable () -> Date
    private let forwardLine: LineForwarder
    private let newestLineNumberWriter: NewestLineNumberWriter?
    private let state: Mutex<State>
    private let diskQueue = DispatchQueue(label: "show-log-disk")
    private let diskDelay: DiskDelay
    private let waitingCallers = Mutex<[CheckedContinuation<ShowLogFault?, Never>]>([])

    init(
        show: String, header: LogHeader, limits: LogLimits, now: @escaping @Sendable () -> Date,
        open: @escaping AppendOnlyFileOpener, mark: NewestLineNumberWriter? = nil,
        diskDelay: DiskDelay = DiskDelay(), forward: @escaping LineForwarder
    ) {
        self.newestLineNumberWriter = mark
        self.diskDelay = diskDelay
        self.showFolder = show
        origin = ShowOrigin(folder: ServerDataFolder.name(ofShow: show), started: header.started)
        self.limits = limits
        self.readWallClock = now
        self.forwardLine = forward
        let files = ShowLogFileSequence(
            folder: show, header: header, memoryBytes: limits.unwrittenLinesMemoryBytes, open: open)
        state = Mutex(State(fileSequence: files, lastSequenceNumber: header.first - 1))
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
        let file = (try ShowLogFileNames.fileNumbers(in: show).last ?? 0) + 1
        let header = LogHeader(show: title, file: file, first: sequence + 1, started: started)
        self.init(
            show: show, header: header, limits: limits, now: now, open: AppendOnlyDiskFile.open,
            mark: NewestLineNumberWriter(show: show), forward: forward)
    }

    /// The number of the line written last.
    public var lastSequenceNumber: UInt64 { state.withLock { $0.lastSequenceNumber } }
    /// The reason why lines wait in memory instead of reaching the disk; nil while the disk accepts them.
    public var fault: ShowLogFault? { state.withLock { $0.fault } }
    public var writtenBytes: Int { state.withLock { $0.fileSequence.writtenBytes } }

    /// True if the caller should now write a snapshot: the interval is over, the file is full, or lines were lost.
    /// - Parameter milliseconds: the time since the show began.
    public func isSnapshotDue(at milliseconds: Int64) -> Bool {
        state.withLock { state in
            guard let last = state.lastSnapshotMilliseconds else { return true }
            if milliseconds - last >= limits.snapshotIntervalMilliseconds { return true }
            // While the disk fails, no snapshot is due: otherwise each event would make a snapshot and try a new file.
            return state.fault == nil
                && (state.wantsNewFile || state.fileSequence.fileBytes >= limits.fileBytes
                    || state.fileSequence.needsSnapshotAfterGap)
        }
    }

    /// Requests a new log file, which begins with the next snapshot.
    public func requestNewFile() { state.withLock { $0.wantsNewFile = true } }

    /// Writes lines that belong together with one system call.
    /// - Returns: the fault if the disk refused the lines; they are then kept in memory.
    func appendLines(
        _ parts: [(kind: LogLine.Kind, payload: [UInt8])], at milliseconds: Int64, withWall: Bool = false
    ) -> ShowLogFault? {
        state.withLock { state in
            var block = ShowLogFileSequence.LineBlock(
                firstSequenceNumber: state.lastSequenceNumber + 1, lineCount: parts.count, bytes: [],
                milliseconds: milliseconds)
            for part in parts {
                state.lastSequenceNumber += 1
                let isDue =
                    state.lastTimeOfDayLineMilliseconds.map {
                        milliseconds - $0 >= limits.timeOfDayIntervalMilliseconds
                    } ?? true
                let wall =
                    (withWall && part.kind != .effects) || isDue
                    ? TimeOfDayFormatter.formatISO8601(readWallClock()) : nil
                if wall != nil { state.lastTimeOfDayLineMilliseconds = milliseconds }
                let line = LogLine(
                    sequence: state.lastSequenceNumber, milliseconds: milliseconds, wall: wall,
                    kind: part.kind,
                    payload: part.payload
                ).bytes
                block.bytes += line
                block.bytes.append(0x0A)
                forwardLine(state.lastSequenceNumber, line)
            }
            state.fault = state.fileSequence.append(block)
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
            let isFull = state.wantsNewFile || state.fileSequence.fileBytes >= limits.fileBytes
            if isFull { state.fileSequence.endCurrentFile() }
            state.wantsNewFile = false
            return (state.fileSequence.fileBytes == 0 || isFull, state.fileSequence.needsSnapshotAfterGap)
        }
        let payload = payload(opensFile, followsGap)
        let fault = appendLines([(.snapshot, payload)], at: milliseconds)
        state.withLock { state in
            state.lastSnapshotMilliseconds = milliseconds
            if fault == nil { state.fileSequence.needsSnapshotAfterGap = false }
        }
        if fault == nil { saveNewestSequenceNumber() }
        return fault
    }

    /// Appends a line of another server's log unchanged. A backup server uses this to keep a copy of the main
    /// server's log. A line that this log already contains is skipped.
    /// - Returns: the fault if the line is damaged or the disk refused it.
    public func appendCopiedLine(_ bytes: [UInt8]) -> ShowLogFault? {
        guard let line = LogLine(bytes: bytes) else {
            return .damaged(path: showFolder, line: 0, what: "a line from the other server came damaged")
        }
        return state.withLock { state in
            guard line.sequenceNumber > state.lastSequenceNumber else { return state.fault }
            let isWhole = line.kind == .snapshot && ShowSnapshot.isSelfContained(line.payload)
            // The main server began a file with this line too. This server's files may be shorter, so it begins a new
            // file at half the size, which keeps the files of both in step.
            if isWhole, state.fileSequence.fileBytes >= limits.fileBytes / 2 {
                state.fileSequence.endCurrentFile()
            }
            if line.kind == .snapshot { state.lastSnapshotMilliseconds = line.milliseconds }
            state.lastSequenceNumber =
                line.sequenceNumber + (line.kind == .gap ? max(line.lostLineCount, 1) - 1 : 0)
            let block = ShowLogFileSequence.LineBlock(
                firstSequenceNumber: line.sequenceNumber, lineCount: 1, bytes: bytes + [0x0A],
                milliseconds: line.milliseconds)
            state.fault = state.fileSequence.append(block)
            if line.kind == .snapshot, state.fault == nil {
                newestLineNumberWriter?.write(sequence: state.lastSequenceNumber)
            }
            forwardLine(line.sequenceNumber, bytes)
            return state.fault
        }
    }

    /// Saves the number of the newest line. It does nothing while lines wait in memory, because they are not written
    /// yet.
    private func saveNewestSequenceNumber() {
        guard let newestLineNumberWriter else { return }
        state.withLock { state in
            guard state.fault == nil else { return }
            newestLineNumberWriter.write(sequence: state.lastSequenceNumber)
        }
    }

    /// Tries again to write the lines that wait in memory. Call it regularly while there are no events.
    /// - Returns: the fault if the disk still refuses them.
    public func retryWriting() -> ShowLogFault? {
        state.withLock { state in
            state.fault = state.fileSequence.writeWaitingBlocks()
            return state.fault
        }
    }

    /// Waits until all lines written so far are on the disk and would survive a power cut.
    ///
    /// The server acknowledges commands only after this. The disk is flushed on another thread, so lines can be written
    /// in the meantime. One flush serves all who wait when it begins, so a slow disk makes nobody wait for two others.
    /// - Returns: the fault if lines could not reach the disk.
    public func waitUntilOnDisk() async -> ShowLogFault? {
        await withCheckedContinuation { continuation in
            waitingCallers.withLock {
                $0.append(continuation)
                diskDelay.beginWait()
            }
            diskQueue.async { self.serveWaitingCallers() }
        }
    }

    /// The number of callers for whom no flush has begun.
    var waitingCallerCount: Int { waitingCallers.withLock { $0.count } }

    private func serveWaitingCallers() {
        let callers = waitingCallers.withLock { callers in
            defer { callers.removeAll() }
            return callers
        }
        guard !callers.isEmpty else { return }
        let fault = syncToDisk()
        waitingCallers.withLock { diskDelay.endWait(isNextWaiting: !$0.isEmpty) }
        state.withLock { $0.flushFault = $0.fault == nil ? fault : nil }
        for caller in callers { caller.resume(returning: fault) }
    }

    /// The fault if lines do not reach the disk itself, or only after a long wait; nil if all is well. It ends with the
    /// next flush that is quick and succeeds.
    public var flushFault: ShowLogFault? {
        state.withLock { $0.flushFault }
            ?? diskDelay.slowSeconds.map { .diskSlow(path: showFolder, seconds: $0) }
    }

    /// Measures the disk without a caller who waits for it: so that its fault is known before the next command, and is
    /// over when the disk is well again. Does nothing while somebody waits.
    public func measureDisk() {
        guard waitingCallers.withLock({ $0.isEmpty }) else { return }
        Task { _ = await waitUntilOnDisk() }
    }

    /// Flushes the log to the disk, like ``waitUntilOnDisk()``, but blocks the caller's thread.
    public func syncToDisk() -> ShowLogFault? {
        let (files, isFolderNew, fault) = state.withLock { state in
            let unsynced = state.fileSequence.filesToSync()
            return (unsynced.files, unsynced.isFolderNew, state.fault)
        }
        if fault == nil { saveNewestSequenceNumber() }
        if isFolderNew { ShowLogFileNames.flushToDisk(folder: showFolder) }
        for file in files {
            guard let code = file.flushToDisk() else { continue }
            return .makeWriteFault("bring to the disk", path: file.path, errno: code, waiting: 0, lost: 0)
        }
        return fault
    }
}
