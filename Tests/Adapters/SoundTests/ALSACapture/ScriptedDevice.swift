import Basics
import Glibc
import Synchronization

@testable import Sound

/// The next reaction of a scripted device to a wait.
enum DeviceStep {
    /// Time passes, and so many frames of this sample are ready.
    case frames(Int, of: Int16)
    /// So many frames are ready though no time has passed, as the null device has them.
    case atOnce(Int, of: Int16)
    /// Frames from before that were not read yet stay with the device after the read.
    case backlog(Int, of: Int16)
    case nothing(milliseconds: Int)
    /// Says that it is ready and is not.
    case emptyPromise
    case waitFails(Int32, afterMilliseconds: Int)
    case readFails(Int32)
}

/// One life of a device: from being opened to being closed.
struct DeviceLife {
    var format = CaptureFormat(
        rate: SampleRate(hertz: 48_000), channelCount: 1, sampleFormat: .integer16, periodFrames: 480,
        bufferFrames: 3840)
    var startCode: Int32 = 0
    var recoverCode: Int32 = 0
    /// From start to the first step.
    var startMilliseconds = 0
    var steps: [DeviceStep] = []
}

/// Plays a device by a script, on a clock of its own. Everything happens on the thread of the test.
final class ScriptedDriver: PCMOpener, @unchecked Sendable {
    // @unchecked: used by one thread, that of the test.
    enum Opening {
        case opens(DeviceLife)
        case fails(CaptureError)
    }

    private var openings: [Opening]
    private(set) var requests: [CaptureRequest] = []
    private(set) var openStreams = 0
    /// The last script has been played to its end.
    private(set) var isOver = false
    fileprivate let nanoseconds = Atomic<Int64>(1_000_000_000_000)

    init(_ openings: [Opening]) { self.openings = openings }

    var clock: CaptureClock {
        CaptureClock(
            now: { self.nanoseconds.load(ordering: .relaxed) },
            sleep: { self.nanoseconds.wrappingAdd($0, ordering: .relaxed) })
    }

    func open(_ request: CaptureRequest) throws(CaptureError) -> any PCMStream {
        requests.append(request)
        guard !openings.isEmpty else {
            isOver = true
            throw .deviceNotOpened(device: request.device, code: ENOENT)
        }
        switch openings.removeFirst() {
        case .opens(let life):
            openStreams += 1
            return ScriptedStream(life, driver: self)
        case .fails(let error): throw error
        }
    }

    fileprivate func pass(milliseconds: Int) {
        nanoseconds.wrappingAdd(Int64(milliseconds) * 1_000_000, ordering: .relaxed)
    }

    fileprivate func scriptEnded() { if openings.isEmpty { isOver = true } }
    /// Called whenever a stream is being closed.
    var whenClosing: (() -> Void)?
    fileprivate func closed() {
        whenClosing?()
        openStreams -= 1
    }
}

private final class ScriptedStream: PCMStream {
    private var life: DeviceLife
    private let driver: ScriptedDriver
    private var ready = 0
    private var behind = 0
    private var sample: Int16 = 0
    private var readCode: Int32 = 0
    private var isOpen = true

    init(_ life: DeviceLife, driver: ScriptedDriver) {
        self.life = life
        self.driver = driver
    }

    var format: CaptureFormat { life.format }

    func start() -> Int32 { life.startCode }

    func wait(milliseconds: Int32) -> Int32 {
        driver.pass(milliseconds: life.startMilliseconds)
        life.startMilliseconds = 0
        guard !life.steps.isEmpty else {
            driver.scriptEnded()
            driver.pass(milliseconds: 100)
            return 0
        }
        switch life.steps.removeFirst() {
        case .frames(let count, let value):
            (ready, behind, sample) = (count, 0, value)
            driver.pass(milliseconds: count * 1000 / Int(format.rate.hertz))
            return 1
        case .atOnce(let count, let value):
            (ready, behind, sample) = (count, 0, value)
            return 1
        case .backlog(let count, let value):
            (ready, behind, sample) = (format.periodFrames, count, value)
            driver.pass(milliseconds: 10)
            return 1
        case .nothing(let milliseconds):
            driver.pass(milliseconds: milliseconds)
            return 0
        case .emptyPromise: return 1
        case .waitFails(let code, let milliseconds):
            driver.pass(milliseconds: milliseconds)
            return -code
        case .readFails(let code):
            readCode = -code
            return 1
        }
    }

    func read(into bytes: UnsafeMutableRawPointer, frames: Int) -> Int {
        if readCode < 0 {
            defer { readCode = 0 }
            return Int(readCode)
        }
        guard ready > 0 else { return -Int(EAGAIN) }
        let count = min(frames, ready)
        for index in 0..<count * format.channelCount {
            bytes.storeBytes(of: sample, toByteOffset: 2 * index, as: Int16.self)
        }
        ready -= count
        return count
    }

    func waitingFrames() -> Int { ready + behind }
    func recover(from code: Int32) -> Int32 { life.recoverCode }

    func close() {
        guard isOpen else { return }
        isOpen = false
        driver.closed()
    }
}

/// Remembers what arrived, runs of equal samples as one.
final class RecordingSink: CaptureSink {
    enum Arrival: Equatable {
        case samples(Int, of: Float)
        case silence(Int)
    }

    private(set) var arrivals: [Arrival] = []
    private(set) var stamps: [Int64] = []
    private(set) var frames = 0

    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64) {
        frames += samples.count
        stamps.append(capturedAtNanoseconds)
        for sample in samples {
            if case .samples(let count, sample)? = arrivals.last {
                arrivals[arrivals.count - 1] = .samples(count + 1, of: sample)
            } else {
                arrivals.append(.samples(1, of: sample))
            }
        }
    }

    func takeSilence(count: Int, capturedAtNanoseconds: Int64) {
        frames += count
        stamps.append(capturedAtNanoseconds)
        if case .silence(let before)? = arrivals.last {
            arrivals[arrivals.count - 1] = .silence(before + count)
        } else {
            arrivals.append(.silence(count))
        }
    }
}
