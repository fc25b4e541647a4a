import Basics
import Foundation
import Hosting
import Platform
import Sound
import Synchronization

/// A file of sound that grows. Tests replace the disk by one that fails.
protocol RecordingFile: AnyObject {
    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError)
    func checkpoint() throws(SoundFileError)
    func close() throws(SoundFileError)
}

extension GrowingFLACFile: RecordingFile {}

/// Records the sound that the follower hears: takes it from a ring that the capture thread fills, and writes it to the
/// disk.
///
/// It works on a thread of ordinary priority, for which nobody waits. If the disk stalls for longer than the ring
/// holds, silence takes the place of what is lost, so that the time in the recording stays right.
package final class SoundRecorder: @unchecked Sendable {
    // @unchecked: the variables below `newestStatus` belong to the thread that executes `run`.

    /// The sound on its way from the capture thread.
    package let ring: SampleRing
    private let newestStatus: Mutex<RecorderStatus>
    private let rate: SampleRate
    private var subject: RecordingSession.Subject
    /// Returns what is recorded now; nil if it stays.
    private let readSubject: (@Sendable () -> RecordingSession.Subject)?
    private let store: RecordingStore
    private let diskReserve: DiskReserve
    private let readShowTime: (@Sendable () -> Int64)?
    private let openFile: FileOpener
    private let buffer: UnsafeMutableBufferPointer<Float>

    private var session: RecordingSession?
    private var part: Part?
    private var nextTry = MonotonicInstant(nanoseconds: 0)
    private var nextCheckpoint = MonotonicInstant(nanoseconds: 0)
    private var finishedSampleCount = 0
    private var newestLoss: MonotonicInstant?
    private var lostSampleCount = 0

    typealias FileOpener = @Sendable (String, SampleRate) throws(SoundFileError) -> any RecordingFile

    private struct Part {
        var file: any RecordingFile
        var number: Int
        /// Milliseconds since 1970.
        var startedAt: Int64
        var sampleCount = 0
        var lostBefore: Int
    }

    /// The ring holds at least so many seconds: longer than a disk that still works keeps a program waiting.
    private static let ringSeconds = 20.0
    /// The time for which the thread sleeps before it looks for sound again.
    private static let pause = Duration.milliseconds(100)
    /// The interval at which the sound is flushed to the disk, and the free space is checked, in nanoseconds.
    private static let checkpointNanoseconds: Int64 = 500_000_000
    /// The time after a failure until the disk is tried again, in nanoseconds.
    private static let retryNanoseconds: Int64 = 10_000_000_000
    /// The time for which a loss stays a fault, in nanoseconds.
    private static let lossShownNanoseconds: Int64 = 10_000_000_000
    /// The longest part, in seconds. A server that runs for weeks deletes old parts by themselves.
    private static let longestPartSeconds = 6 * 3_600.0
    /// The recording stops when this many reserves of the disk are left: editors can still save their work, and the
    /// show log keeps all of its reserve.
    package static let reserveCount = 2
    /// The free bytes above those reserves that are needed to begin a part.
    private static let bytesToBegin = 64 << 20
    /// The bytes that a recorded sample takes, for the estimate of the space: 24 bits, compressed without loss, took
    /// 1.7 bytes in the small concert.
    private static let bytesPerSample = 2.0

    /// Makes a recorder without starting it; allocates all that the capture thread will use.
    /// - Parameters:
    ///   - name: returns the name of the recording's folder. If another name is returned later, the recording goes on
    ///     in that folder.
    ///   - title: returns the name of the evening, for people.
    ///   - pieces: returns the names of the pieces and of their folders.
    ///   - readShowTime: the time of the show in milliseconds; nil without a show.
    package convenience init(
        rate: SampleRate, name: @escaping @Sendable () -> String, title: @escaping @Sendable () -> String,
        pieces: @escaping @Sendable () -> [(name: String, folder: String)],
        store: RecordingStore, diskReserve: DiskReserve, readShowTime: (@Sendable () -> Int64)? = nil
    ) {
        let readSubject = { @Sendable in
            let pieces = pieces()
            return RecordingSession.Subject(
                name: name(), title: title(), pieces: pieces.map(\.name), folders: pieces.map(\.folder))
        }
        self.init(
            rate: rate, subject: readSubject(), store: store, diskReserve: diskReserve,
            readSubject: readSubject,
            readShowTime: readShowTime
        ) { path, rate throws(SoundFileError) in try GrowingFLACFile(path: path, rate: rate) }
    }

    init(
        rate: SampleRate, subject: RecordingSession.Subject, store: RecordingStore, diskReserve: DiskReserve,
        readSubject: (@Sendable () -> RecordingSession.Subject)? = nil,
        readShowTime: (@Sendable () -> Int64)? = nil,
        openFile: @escaping FileOpener
    ) {
        (self.rate, self.subject, self.store, self.diskReserve) = (rate, subject, store, diskReserve)
        (self.readSubject, self.readShowTime, self.openFile) = (readSubject, readShowTime, openFile)
        newestStatus = Mutex(RecorderStatus(name: subject.name))
        ring = SampleRing(capacity: Int(Self.ringSeconds * rate.hertz))
        buffer = .allocate(capacity: 8_192)
        buffer.initialize(repeating: 0)
    }

    deinit { buffer.deallocate() }

    /// The state of the recording, for people. May be read on any thread.
    package var status: RecorderStatus { newestStatus.withLock { $0 } }

    /// Records until told to stop, and then completes the file.
    package func run(until stop: StopRequest) {
        while !stop.isMade {
            step(at: MonotonicClock.now, wallMilliseconds: Self.wallMilliseconds)
            usleep(UInt32(Self.pause / .microseconds(1)))
        }
        step(at: MonotonicClock.now, wallMilliseconds: Self.wallMilliseconds)
        endPart(.stopped)
        session = nil
    }

    private static var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Writes what has come, and every half second makes it safe.
    /// - Parameter wallMilliseconds: the time of day, in milliseconds since 1970.
    func step(at now: MonotonicInstant, wallMilliseconds: Int64) {
        countLosses(at: now)
        followShow()
        do throws(RecordingTrouble) {
            while true {
                let position = ring.readPosition
                let count = ring.read(into: buffer)
                guard count > 0 else { break }
                let captured = ring.newestBlockStamp?.captureInstant(of: position, at: rate) ?? now
                try record(
                    UnsafeBufferPointer(rebasing: buffer[..<count]), capturedAt: captured, now,
                    wallMilliseconds)
            }
            if part != nil, now.nanoseconds >= nextCheckpoint.nanoseconds { try makeSafe(now) }
        } catch {
            fail(error, at: now)
        }
        updateStatus(at: now)
    }

    /// Takes the show's new name and pieces; goes on in another folder if the show has another one by now: a backup
    /// server copies the show of the other one.
    private func followShow() {
        guard let new = readSubject?(), new != subject else { return }
        if new.name != subject.name {
            endPart(.continued)
            session = nil
            newestStatus.withLock { $0.name = new.name }
        }
        subject = new
        session?.describe(new)
    }

    private func record(
        _ samples: UnsafeBufferPointer<Float>, capturedAt captured: MonotonicInstant, _ now: MonotonicInstant,
        _ wallMilliseconds: Int64
    ) throws(RecordingTrouble) {
        if let part, Double(part.sampleCount) >= Self.longestPartSeconds * rate.hertz { endPart(.continued) }
        if part == nil {
            // While the disk is full, the sound is lost, and the ring stays empty.
            guard now.nanoseconds >= nextTry.nanoseconds else { return }
            try beginPart(
                startedAt: wallMilliseconds - (now.nanoseconds - captured.nanoseconds) / 1_000_000,
                showTime: readShowTime.map {
                    $0() - (now.nanoseconds - captured.nanoseconds) / 1_000_000
                })
        }
        do throws(SoundFileError) { try part?.file.write(samples) } catch { throw .disk(error.sentence) }
        part?.sampleCount += samples.count
    }

    private func beginPart(startedAt: Int64, showTime: Int64?) throws(RecordingTrouble) {
        try checkSpace(needed: Self.bytesToBegin)
        do throws(RecordingFault) {
            if session == nil { session = try RecordingSession(subject, in: store) }
            guard let (number, path) = try session?.beginPart(startedAt: startedAt, showTime: showTime) else {
                return
            }
            do throws(SoundFileError) {
                part = Part(
                    file: try openFile(path, rate), number: number, startedAt: startedAt,
                    lostBefore: lostSampleCount)
            } catch {
                session?.removeEmptyPart()
                throw RecordingFault.notWritten(path: path, reason: error.sentence)
            }
        } catch {
            throw .disk(error.sentence)
        }
    }

    private func makeSafe(_ now: MonotonicInstant) throws(RecordingTrouble) {
        nextCheckpoint = MonotonicInstant(nanoseconds: now.nanoseconds + Self.checkpointNanoseconds)
        do throws(SoundFileError) { try part?.file.checkpoint() } catch { throw .disk(error.sentence) }
        try checkSpace(needed: 0)
    }

    private func checkSpace(needed: Int) throws(RecordingTrouble) {
        guard let left = diskReserve.freeBytes(above: Self.reserveCount), left < needed else { return }
        throw .full(freeBytes: diskReserve.readDiskSpace(diskReserve.folder)?.free ?? 0)
    }

    private func endPart(_ end: RecordingDescription.Part.End) {
        guard let ended = part else { return }
        part = nil
        // A file that cannot be completed is cut to its last complete frame.
        var isComplete = true
        do throws(SoundFileError) { try ended.file.close() } catch { isComplete = false }
        guard ended.sampleCount > 0 else {
            session?.removeEmptyPart()
            return
        }
        finishedSampleCount += ended.sampleCount
        guard isComplete else {
            // The frames on the disk are found when the part is completed, now or at the next start.
            completeFailedPart()
            return
        }
        session?.endPart(
            end,
            endedAt: ended.startedAt + Int64((Double(ended.sampleCount) / rate.hertz * 1_000).rounded()),
            lostSampleCount: lostSampleCount - ended.lostBefore)
    }

    private func completeFailedPart() {
        session = nil
        session = try? RecordingSession(subject, in: store)
    }

    private func fail(_ trouble: RecordingTrouble, at now: MonotonicInstant) {
        endPart(.failed)
        nextTry = MonotonicInstant(nanoseconds: now.nanoseconds + Self.retryNanoseconds)
        newestStatus.withLock { $0.trouble = trouble }
    }

    private func countLosses(at now: MonotonicInstant) {
        let lost = ring.overflowedSamples
        if lost > lostSampleCount { newestLoss = now }
        lostSampleCount = lost
    }

    private func updateStatus(at now: MonotonicInstant) {
        let left = diskReserve.freeBytes(above: Self.reserveCount)
        newestStatus.withLock { status in
            status.partNumber = part?.number
            status.partStartedAt = part?.startedAt
            status.partSeconds = Double(part?.sampleCount ?? 0) / rate.hertz
            if part != nil { status.trouble = nil }
            status.seconds = Double(finishedSampleCount + (part?.sampleCount ?? 0)) / rate.hertz
            status.lostSeconds = Double(lostSampleCount) / rate.hertz
            status.isLosing =
                newestLoss.map { now.nanoseconds - $0.nanoseconds < Self.lossShownNanoseconds } ?? false
            status.secondsOfSpace = left.map { max(0, Double($0)) / (Self.bytesPerSample * rate.hertz) }
            status.earlierParts = session?.description.parts.filter { $0.end != nil }.count ?? 0
            status.gapSeconds = gapBeforePart
        }
    }

    /// The seconds that are missing before the part that is recorded now; nil if it is the first.
    private var gapBeforePart: Double? {
        guard let part, let parts = session?.description.parts, parts.count > 1,
            let before = parts[parts.count - 2].endedAt
        else { return nil }
        return max(0, Double(part.startedAt - before) / 1_000)
    }
}

/// The reason why nothing is recorded at the moment.
package enum RecordingTrouble: Error, Equatable, Sendable {
    case full(freeBytes: Int)
    case disk(String)
}
