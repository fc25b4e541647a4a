import CALSA
import MusicalTime

/// Captures from a device until told to stop, and survives overruns and unplugging.
///
/// ``run(into:while:)`` is the capture lane: the caller gives it a thread of its own. After an overrun the capture
/// goes on. A device that disappears is looked for by name, first after 250 ms, then less and less often down to once
/// a second. Both are counted, and the missing frames are reported to the sink as silence of the same length by the
/// clock, so that live time stays right.
///
/// Latency: a sample reaches the sink at most one period after its capture, plus the latency of the device and of the
/// sound server.
public final class AudioInput: @unchecked Sendable {
    // @unchecked: `stream`, the buffers and the loop's variables belong to the one thread that runs `run`; `meter`
    // and `counters` are atomic, everything else is constant.

    public let request: CaptureRequest
    /// The format agreed at the first opening. The rate never changes; period and sample format may change when the
    /// device comes back.
    public let format: CaptureFormat
    public let meter = LevelMeter()
    public var status: CaptureStatus { counters.status }

    private let driver: any PCMOpener
    private let clock: CaptureClock
    private let counters = CaptureCounters()

    private var stream: (any PCMStream)?
    private var block: PeriodBuffers
    /// Capture time of the newest frame that was handed on or reported lost, in `CLOCK_MONOTONIC` nanoseconds.
    private var newestAccountedNanoseconds: Int64 = 0
    private var lastArrival: Int64 = 0
    private var overrunsInARow = 0
    /// By how many nanoseconds the device runs ahead of the clock; `paced` is the instant of that measurement.
    private var ahead: Int64 = 0
    private var paced: Int64 = 0
    /// True after the device was started again, until its first block arrives.
    private var isResuming = false
    private var nextAttempt: Int64 = 0
    private var pause: Int64 = 0

    /// Opens the device.
    /// - Throws: every ``CaptureError`` except `rateChanged`.
    public convenience init(_ request: CaptureRequest) throws(CaptureError) {
        try self.init(request, driver: ALSAOpener(), clock: .system)
    }

    init(_ request: CaptureRequest, driver: any PCMOpener, clock: CaptureClock) throws(CaptureError) {
        let stream = try driver.open(request)
        self.request = request
        self.driver = driver
        self.clock = clock
        self.stream = stream
        format = stream.format
        block = PeriodBuffers(stream.format)
        meter.set(rate: stream.format.rate)
    }

    deinit { stream?.close() }

    /// Captures until `isWanted` returns false, then closes the device. Lane: capture. Allocates only while the
    /// device is lost. May be called once.
    /// - Parameter isWanted: called at least every 100 ms while the device works.
    public func run(into sink: any CaptureSink, while isWanted: () -> Bool) {
        begin()
        while isWanted() {
            guard let stream else {
                searchStep(sink)
                continue
            }
            switch stream.wait(milliseconds: Self.waitMilliseconds) {
            case 0: if clock.now() - lastArrival > Self.stallLimit { lose(ETIMEDOUT) }
            case 1...: limitRate(drain(stream, into: sink), of: stream)
            case let code: recoverOrLose(stream, code, sink)
            }
        }
        stream?.close()
        stream = nil
        counters.set(.idle)
    }

    /// Sleeps if a device delivers more audio than time has passed. The null device always has data; without this
    /// pause the thread, which has the highest priority, would use the whole processor.
    private func limitRate(_ count: Int, of stream: any PCMStream) {
        guard count > 0 else { return clock.sleep(Self.emptyPause) }
        let now = clock.now()
        // A real device may run one percent faster than this clock for ever; only a much larger lead accumulates.
        ahead = max(ahead + nanoseconds(of: count) * 99 / 100 - (now - paced), 0)
        paced = now
        // Audio that a sound server held back comes in one burst, which is never longer than the buffer.
        let most = max(2 * nanoseconds(of: stream.format.bufferFrames), Self.burst)
        // The sleep is at most one buffer's length, because the whole lead is removed each time.
        if ahead > most { clock.sleep(ahead - most) }
    }

    private func begin() {
        let code = stream?.start() ?? -ENODEV
        newestAccountedNanoseconds = clock.now()
        lastArrival = newestAccountedNanoseconds
        paced = newestAccountedNanoseconds
        counters.set(.running)
        if code < 0 { lose(-code) }
    }

    /// Hands all audio that is ready to the sink.
    /// - Returns: the number of frames handed on; 0 if the device reports data but has none.
    private func drain(_ stream: any PCMStream, into sink: any CaptureSink) -> Int {
        var total = 0
        // Bounded, because the null device always has more data.
        while total < stream.format.bufferFrames {
            let count = stream.read(into: block.bytes, frames: block.frames)
            if count < 0, count != -Int(EAGAIN) {
                recoverOrLose(stream, Int32(clamping: count), sink)
                return max(total, 1)
            }
            if count <= 0 { break }
            deliver(min(count, block.frames), of: stream, to: sink)
            total += count
            if count < block.frames { break }
        }
        return total
    }

    private func deliver(_ count: Int, of stream: any PCMStream, to sink: any CaptureSink) {
        let mono = UnsafeMutableBufferPointer(rebasing: block.mono[..<count])
        stream.format.sample.convert(
            block.bytes, channels: stream.format.channels, choice: request.channel, into: mono)
        lastArrival = clock.now()
        let newest = lastArrival - nanoseconds(of: max(0, stream.waitingFrames()))
        if isResuming { reportGap(until: newest - nanoseconds(of: count), to: sink) }
        isResuming = false
        newestAccountedNanoseconds = newest
        overrunsInARow = 0
        let samples = UnsafeBufferPointer(mono)
        sink.take(samples, capturedAtNanoseconds: newestAccountedNanoseconds)
        meter.take(samples)
        counters.periods.count()
        counters.capturedFrames.count(count)
    }

    /// Recovers from an overrun, a suspension or an interruption; treats the device as lost after any other error.
    private func recoverOrLose(_ stream: any PCMStream, _ code: Int32, _ sink: any CaptureSink) {
        switch -code {
        case EINTR, EAGAIN: return
        case EPIPE, ESTRPIPE:
            counters.overruns.count()
            counters.newestError.store(-code, ordering: .relaxed)
            overrunsInARow += 1
            let mended = overrunsInARow <= Self.overrunLimit ? stream.recover(from: code) : code
            let started = mended < 0 ? mended : stream.start()
            isResuming = true
            reportGap(until: clock.now(), to: sink)
            if started < 0 { lose(-started) }
        default: lose(-code)
        }
    }

    private func lose(_ code: Int32) {
        stream?.close()
        stream = nil
        counters.losses.count()
        counters.newestError.store(code, ordering: .relaxed)
        counters.set(.lost)
        pause = Self.firstPause
        nextAttempt = clock.now() + pause
    }

    /// One step of the search for the lost device: a short sleep, or an attempt to open it.
    private func searchStep(_ sink: any CaptureSink) {
        let remaining = nextAttempt - clock.now()
        if remaining > 0 {
            clock.sleep(min(remaining, Self.silenceStep))
            reportGap(until: clock.now(), to: sink)
            return
        }
        counters.attempts.count()
        do throws(CaptureError) {
            let found = try reopen()
            let code = found.start()
            isResuming = true
            reportGap(until: clock.now(), to: sink)
            stream = found
            lastArrival = clock.now()
            overrunsInARow = 0
            if code < 0 {
                lose(-code)
            } else {
                counters.returns.count()
                counters.set(.running)
            }
        } catch {
            reportGap(until: clock.now(), to: sink)
            if let code = error.code { counters.newestError.store(code, ordering: .relaxed) }
            pause = min(2 * pause, Self.longestRetryPause)
            nextAttempt = clock.now() + pause
        }
    }

    private func reopen() throws(CaptureError) -> any PCMStream {
        var same = request
        same.rate = format.rate
        let found = try driver.open(same)
        guard abs(found.format.rate.hertz - format.rate.hertz) < 1 else {
            found.close()
            throw .rateChanged(device: request.device, was: format.rate, now: found.format.rate)
        }
        if !block.suits(found.format) { block = PeriodBuffers(found.format) }
        return found
    }

    /// Reports everything that should have been captured since the newest accounted frame as silence. The exact end
    /// of the gap is known only when the first block after it arrives, because a sound server may start late.
    private func reportGap(until end: Int64, to sink: any CaptureSink) {
        let elapsed = Double(end - newestAccountedNanoseconds) / 1e9
        let missing = Int(elapsed * format.rate.hertz)
        guard missing > 0 else { return }
        newestAccountedNanoseconds += nanoseconds(of: missing)
        sink.takeSilence(count: missing, capturedAtNanoseconds: newestAccountedNanoseconds)
        meter.takeSilence(count: missing)
        counters.lostFrames.count(missing)
    }

    private func nanoseconds(of frames: Int) -> Int64 { Int64(Double(frames) / format.rate.hertz * 1e9) }
}

extension AudioInput {
    /// The timeout of one wait. Short, so that the loop soon notices when capture is no longer wanted.
    private static let waitMilliseconds: Int32 = 100
    /// Nanoseconds without data after which a device counts as lost, even if it reports no error. A sound server may
    /// need two seconds for its first block.
    private static let stallLimit: Int64 = 3_000_000_000
    /// The device counts as lost after this many overruns without a complete period between them.
    private static let overrunLimit = 20
    /// Nanoseconds of audio that a device may deliver at once before ``limitRate(_:of:)`` slows it down.
    private static let burst: Int64 = 200_000_000
    private static let emptyPause: Int64 = 1_000_000
    private static let silenceStep: Int64 = 50_000_000
    private static let firstPause: Int64 = 250_000_000
    private static let longestRetryPause: Int64 = 1_000_000_000
}

/// Buffers for one period: the device's raw frames, and one channel of samples.
private final class PeriodBuffers {
    let frames: Int
    let bytes: UnsafeMutableRawPointer
    let mono: UnsafeMutableBufferPointer<Float>
    private let byteCount: Int

    init(_ format: CaptureFormat) {
        frames = format.periodFrames
        byteCount = format.periodFrames * format.channels * format.sample.bytes
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        mono = .allocate(capacity: frames)
        mono.initialize(repeating: 0)
    }

    deinit {
        bytes.deallocate()
        mono.deallocate()
    }

    func suits(_ format: CaptureFormat) -> Bool {
        frames == format.periodFrames && byteCount == frames * format.channels * format.sample.bytes
    }
}

extension CaptureError {
    fileprivate var code: Int32? {
        switch self {
        case .notOpened(_, let code), .refused(_, _, let code): code
        case .noFormat, .noSuchChannel, .rateChanged: EINVAL
        }
    }
}
