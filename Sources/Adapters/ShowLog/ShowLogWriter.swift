import Foundation
import Synchronization

/// Writes the log of a show: numbered lines with checksums, and one `write` for lines that belong together.
///
/// **Events are written before their effects are sent.** There is no queue: a call returns when the line is in the
/// file (or in memory, if the disk refuses it, together with the fault to show). A caller that sends the effects
/// after the call keeps the rule. The call costs one `write` into the system's cache, some microseconds; only
/// ``synced()`` waits for the disk itself, on another thread. Safe from any thread; the order of the calls is the
/// order of the lines. Lane: services, never capture or follow.
public final class ShowLogWriter: Sendable {
    /// Receives each line just written, to copy the log elsewhere.
    public typealias LineForwarder = @Sendable (_ sequence: UInt64, _ line: [UInt8]) -> Void

    struct State: ~Copyable {
        var files: ShowLogFileSequence
        /// The number of the last line.
        var sequence: UInt64
        var lastSnapshot: Int64?
        var lastWall: Int64?
        var wantsNewFile = false
        var fault: ShowLogFault?
    }

    /// The folder of the show.
    public let show: String
    let limits: LogLimits
    private let now: @Sendable () -> Date
    private let forward: LineForwarder
    private let mark: ShowLogPositionWriter?
    private let state: Mutex<State>
    private let disk = DispatchQueue(label: "show-log-disk")

    init(
        show: String, header: LogHeader, limits: LogLimits, now: @escaping @Sendable () -> Date,
        open: @escaping FileOpening, mark: ShowLogPositionWriter? = nil, forward: @escaping LineForwarder
    ) {
        self.mark = mark
        self.show = show
        self.limits = limits
        self.now = now
        self.forward = forward
        let files = ShowLogFileSequence(
            folder: show, header: header, memoryBytes: limits.memoryBytes, open: open)
        state = Mutex(State(files: files, sequence: header.first - 1))
    }

    /// Writes a log in `show`, an existing folder; the first line should be a snapshot.
    /// - Parameters:
    ///   - sequence: the number of the last line written before, 0 for a new show.
    ///   - forward: receives each line in order, also lines that wait in memory. It is called on the writer's thread
    ///     while others wait for it, so it must return quickly.
    public convenience init(
        show: String, title: String, started: String, after sequence: UInt64 = 0,
        limits: LogLimits = LogLimits(), now: @escaping @Sendable () -> Date = { Date() },
        forward: @escaping LineForwarder = { _, _ in }
    ) throws(ShowLogFault) {
        let file = (try ShowLogFileNames.numbers(in: show).last ?? 0) + 1
        let header = LogHeader(show: title, file: file, first: sequence + 1, started: started)
        self.init(
            show: show, header: header, limits: limits, now: now, open: SystemFile.open,
            mark: ShowLogPositionWriter(show: show), forward: forward)
    }

    /// The number of the last line.
    public var sequence: UInt64 { state.withLock { $0.sequence } }
    /// The present problem; nil while lines reach the disk.
    public var fault: ShowLogFault? { state.withLock { $0.fault } }
    public var writtenBytes: Int { state.withLock { $0.files.writtenBytes } }

    /// True if the next line should be a snapshot: a minute is over, the file is full, or lines were lost.
    public func isSnapshotDue(at milliseconds: Int64) -> Bool {
        state.withLock { state in
            guard let last = state.lastSnapshot else { return true }
            if milliseconds - last >= limits.snapshotMilliseconds { return true }
            // While the disk fails, no snapshot is due: it would be asked for a new file with each line.
            return state.fault == nil
                && (state.wantsNewFile || state.files.fileBytes >= limits.fileBytes
                    || state.files.needsSnapshotAfterGap)
        }
    }

    /// Begins a new file with the next snapshot.
    public func rotate() { state.withLock { $0.wantsNewFile = true } }

    /// Writes lines that belong together with one system call.
    /// - Returns: a problem to be shown; the lines are kept in memory nevertheless.
    func append(
        _ parts: [(kind: LogLine.Kind, payload: [UInt8])], at milliseconds: Int64, withWall: Bool = false
    ) -> ShowLogFault? {
        state.withLock { state in
            var block = ShowLogFileSequence.Block(
                first: state.sequence + 1, count: parts.count, bytes: [], milliseconds: milliseconds)
            for part in parts {
                state.sequence += 1
                let isDue = state.lastWall.map { milliseconds - $0 >= limits.wallMilliseconds } ?? true
                let wall = (withWall && part.kind != .effects) || isDue ? WallClock.text(now()) : nil
                if wall != nil { state.lastWall = milliseconds }
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

    /// Begins a new file if one is due, and writes a snapshot.
    /// - Parameter payload: returns the snapshot's content. `opensFile`: the snapshot is the first line of its file, so
    ///   it must be complete in itself. `followsGap`: lines before it were lost.
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
        if fault == nil { noteMark() }
        return fault
    }

    /// Appends a line of another server's log unchanged: a backup keeps the main server's log in this way.
    /// - Returns: a problem to be shown. A line that exists already is skipped.
    public func copy(_ bytes: [UInt8]) -> ShowLogFault? {
        guard let line = LogLine(bytes: bytes) else {
            return .damaged(path: show, line: 0, what: "a line from the other server came damaged")
        }
        return state.withLock { state in
            guard line.sequence > state.sequence else { return state.fault }
            let isWhole = line.kind == .snapshot && ShowSnapshot.isWhole(line.payload)
            // The main server began a file with this line too; half the size keeps both in step.
            if isWhole, state.files.fileBytes >= limits.fileBytes / 2 { state.files.rotate() }
            if line.kind == .snapshot { state.lastSnapshot = line.milliseconds }
            state.sequence = line.sequence + (line.kind == .gap ? max(line.lostLines, 1) - 1 : 0)
            let block = ShowLogFileSequence.Block(
                first: line.sequence, count: 1, bytes: bytes + [0x0A], milliseconds: line.milliseconds)
            state.fault = state.files.append(block)
            if line.kind == .snapshot, state.fault == nil { mark?.write(sequence: state.sequence) }
            forward(line.sequence, bytes)
            return state.fault
        }
    }

    /// Does nothing while lines wait in memory, because they are not written yet.
    private func noteMark() {
        guard let mark else { return }
        state.withLock { state in
            guard state.fault == nil else { return }
            mark.write(sequence: state.sequence)
        }
    }

    /// Tries again to write waiting lines; for times without events.
    public func retry() -> ShowLogFault? {
        state.withLock { state in
            state.fault = state.files.drain()
            return state.fault
        }
    }

    /// Returns when everything written so far is on the disk and survives a power cut.
    ///
    /// Commands are acknowledged after this. Lines written in the meantime do not wait for it.
    public func synced() async -> ShowLogFault? {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: self.sync()) }
        }
    }

    /// Like ``synced()``, on the caller's thread.
    public func sync() -> ShowLogFault? {
        let (files, isFolderNew, fault) = state.withLock { state in
            let unsynced = state.files.filesToSync()
            return (unsynced.files, unsynced.isFolderNew, state.fault)
        }
        if fault == nil { noteMark() }
        if isFolderNew { ShowLogFileNames.sync(folder: show) }
        for file in files {
            guard let code = file.sync() else { continue }
            return .writing("bring to the disk", path: file.path, errno: code, waiting: 0, lost: 0)
        }
        return fault
    }
}
