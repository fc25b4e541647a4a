import Basics
import Foundation
import Hosting
import Platform
import Sound
import Synchronization

@testable import Recordings

/// A recorder without a thread, on a clock that the test moves, with a disk whose free space the test chooses.
final class RecordingStage {
    static let rate = SampleRate(hertz: 8_000)
    /// The time of day at which each stage begins, in milliseconds since 1970.
    static let evening: Int64 = 1_790_000_000_000

    let folder: String
    let store: RecordingStore
    let freeBytes = SharedNumber(100 << 30)
    /// The errors that the next files meet, as a number of writes that still succeed; nil for a disk that works.
    let failure = DiskFailure()
    /// 1 once the evening has another name.
    let isRenamed = SharedNumber(0)
    private(set) var recorder: SoundRecorder
    /// Seconds since the beginning.
    private(set) var now = 0.0
    private var phase = 0

    /// A number that a closure on another thread may read.
    final class SharedNumber: Sendable {
        private let number: Mutex<Int>
        init(_ number: Int) { self.number = Mutex(number) }
        var value: Int {
            get { number.withLock { $0 } }
            set { number.withLock { $0 = newValue } }
        }
    }

    /// A disk that fails after a number of writes, with an error to choose.
    final class DiskFailure: Sendable {
        let writesLeft = SharedNumber(.max)
        var isBroken: Bool { writesLeft.value <= 0 }
        func fail(afterWrites count: Int) { writesLeft.value = count }
        func mend() { writesLeft.value = .max }
    }

    /// A file on a disk that fails after some writes.
    private final class FailingFile: RecordingFile {
        private let file: GrowingFLACFile
        private let failure: DiskFailure

        init(_ path: String, _ rate: SampleRate, _ failure: DiskFailure) throws(SoundFileError) {
            guard !failure.isBroken else { throw .notWritten(path: path, reason: "Input/output error") }
            file = try GrowingFLACFile(path: path, rate: rate)
            self.failure = failure
        }

        func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError) {
            try check()
            try file.write(samples)
            if failure.writesLeft.value != .max { failure.writesLeft.value -= 1 }
        }

        func checkpoint() throws(SoundFileError) {
            try check()
            try file.checkpoint()
        }

        func close() throws(SoundFileError) {
            try check()
            try file.close()
        }

        private func check() throws(SoundFileError) {
            guard !failure.isBroken else { throw .notWritten(path: file.path, reason: "Input/output error") }
        }
    }

    init() throws {
        folder = NSTemporaryDirectory() + "baton-recordings-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = RecordingStore(data: folder)
        recorder = Self.makeRecorder(folder, store, freeBytes, failure, isRenamed)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func makeRecorder(
        _ folder: String, _ store: RecordingStore, _ freeBytes: SharedNumber, _ failure: DiskFailure,
        _ isRenamed: SharedNumber, name: String = "2026-11-21-200000-concert"
    ) -> SoundRecorder {
        let subject = { @Sendable in
            RecordingSession.Subject(
                name: name, title: isRenamed.value == 0 ? "Concert" : "Rehearsal", pieces: ["Bach", "Grieg"],
                folders: ["bach", "grieg"])
        }
        return SoundRecorder(
            rate: rate, subject: subject(), store: store,
            diskReserve: DiskReserve(folder: folder) { _ in (freeBytes.value, 1 << 40) },
            readSubject: subject, readShowTime: { 5_000 }
        ) { path, rate throws(SoundFileError) in try FailingFile(path, rate, failure) }
    }

    /// Lets sound come and the recorder look for it, in steps of a tenth of a second.
    func hear(seconds: Double, recorderLooks: Bool = true) {
        for _ in 0..<Int((seconds * 10).rounded()) {
            now += 0.1
            let instant = MonotonicInstant(nanoseconds: Int64(now * 1e9))
            let block = [Float](unsafeUninitializedCapacity: 800) { block, count in
                for index in 0..<800 { block[index] = 0.25 * sin(Float(phase + index) * 0.05) }
                count = 800
            }
            phase += 800
            block.withUnsafeBufferPointer { _ = recorder.ring.write($0, capturedAt: instant) }
            if recorderLooks { look() }
        }
    }

    func look() {
        recorder.step(
            at: MonotonicInstant(nanoseconds: Int64(now * 1e9)),
            wallMilliseconds: Self.evening + Int64(now * 1_000))
    }

    /// Lets time pass in which the program does not run.
    func wait(seconds: Double) { now += seconds }

    /// Ends the program in order.
    func stop() {
        let stop = StopRequest()
        stop.make()
        recorder.run(until: stop)
    }

    /// Begins again as after `kill -9`: nothing is closed, and only what is on the disk is known.
    func restartAfterKill(name: String = "2026-11-21-200000-concert") throws {
        // The old recorder is not told to end. Its files stay as they are because they are copied away.
        let copy = folder + "-copy"
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        recorder = Self.makeRecorder(folder, store, freeBytes, failure, isRenamed, name: name)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: copy, toPath: folder)
    }
}
