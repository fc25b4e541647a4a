import Basics
import CALSA

/// Captures audio from a device until told to stop, and survives overruns and unplugging.
///
/// The caller gives ``run(into:while:)`` a thread of its own. Capture continues after an overrun. If the device
/// disappears, this object looks for it by name, first after 250 ms, then less and less often down to once a second.
/// Overruns and losses of the device are counted. The sink receives silence for the missing time, so that the number
/// of samples still tells the time.
///
/// Latency: a sample reaches the sink at most one period after its capture, plus the latency of the device and of the
/// sound server.
public final class AudioInput: @unchecked Sendable {
    // @unchecked: `stream`, the buffers and the loop's variables belong to the one thread that runs `run`; `meter`
    // and `counters` are atomic, everything else is constant.

    public let request: CaptureRequest
    /// The format that the device accepted when it was first opened. The sample rate never changes; period and sample
    /// format may change when the device comes back.
    public let format: CaptureFormat
    public let meter = LevelMeter()
    /// The level of each channel of the device, whichever channel is heard.
    public let channelMeter = ChannelMeter()
    public var status: CaptureStatus { counters.status }

    private let streamOpener: any PCMOpener
    private let clock: CaptureClock
    private let counters = CaptureCounters()

    private var stream: (any PCMStream)?
    private var periodBuffers: PeriodBuffers
    /// Capture time of the newest frame that was passed to the sink or reported lost, in `CLOCK_MONOTONIC`
    /// nanoseconds.
    private var newestAccountedNanoseconds: Int64 = 0
    private var lastAudioArrival: Int64 = 0
    private var overrunsInARow = 0
    /// The nanoseconds by which the device runs ahead of the clock, and the time of that measurement.
    private var leadOverRealTimeNanoseconds: Int64 = 0
    private var lastRateCheck: Int64 = 0
    /// True from a restart of the device until its first block of audio arrives.
    private var awaitsFirstBlockAfterRestart = false
    private var nextReopenTime: Int64 = 0
    private var reopenPause: Int64 = 0

    /// Opens the capture device.
    /// - Throws: every ``CaptureError`` except `rateChanged`.
    public convenience init(_ request: CaptureRequest) throws(CaptureError) {
        try self.init(request, streamOpener: DeviceOpener(), clock: .system)
    }

    init(_ request: CaptureRequest, streamOpener: any PCMOpener, clock: CaptureClock) throws(CaptureError) {
        let stream = try streamOpener.open(request)
        self.request = request
        self.streamOpener = streamOpener
        self.clock = clock
        self.stream = stream
        format = stream.format
        periodBuffers = PeriodBuffers(stream.format)
        meter.set(rate: stream.format.rate)
        channelMeter.begin(channelCount: stream.format.channelCount)
    }

    deinit { stream?.close() }

    /// Captures until `isWanted` returns false, then closes the device. A later call opens it again. Runs on the
    /// capture thread, and allocates memory only while the device is lost or opened again.
    /// - Parameter isWanted: called at least every 100 ms while the device works.
    public func run(into sink: any CaptureSink, while isWanted: () -> Bool) {
        startCapture()
        while isWanted() {
            guard let stream else {
                continueDeviceSearch(sink)
                continue
            }
            switch stream.wait(milliseconds: Self.waitMilliseconds) {
            case 0: if clock.now() - lastAudioArrival > Self.stallLimit { markLost(ETIMEDOUT) }
            case 1...: throttleToRealTime(drain(stream, into: sink), of: stream)
            case let code: recoverOrLose(stream, code, sink)
            }
        }
        stream?.close()
        stream = nil
        counters.setState(.idle)
    }

    /// Sleeps if the device delivers audio faster than real time. The null device always has data; without this pause
    /// the thread, which has the highest priority, would use the whole processor.
    private func throttleToRealTime(_ count: Int, of stream: any PCMStream) {
        guard count > 0 else { return clock.sleep(Self.pauseWithoutAudio) }
        let now = clock.now()
        // A real device may run one percent faster than this clock for ever; only a much larger lead accumulates.
        leadOverRealTimeNanoseconds = max(
            leadOverRealTimeNanoseconds + nanoseconds(of: count) * 99 / 100 - (now - lastRateCheck), 0)
        lastRateCheck = now
        // Audio that a sound server held back comes in one burst, which is never longer than the buffer.
        let most = max(2 * nanoseconds(of: stream.format.bufferFrames), Self.burstAllowanceNanoseconds)
        // The sleep is at most one buffer's length, because the whole lead is removed each time.
        if leadOverRealTimeNanoseconds > most { clock.sleep(leadOverRealTimeNanoseconds - most) }
    }

    private func startCapture() {
        if stream == nil { stream = try? reopen() }
        let code = stream?.start() ?? -ENODEV
        newestAccountedNanoseconds = clock.now()
        lastAudioArrival = newestAccountedNanoseconds
        lastRateCheck = newestAccountedNanoseconds
        counters.setState(.running)
        if code < 0 { markLost(-code) }
    }

    /// - Returns: the number of frames passed to the sink; 0 if the device reports data but has none.
    private func drain(_ stream: any PCMStream, into sink: any CaptureSink) -> Int {
        var total = 0
        // Bounded, because the null device always has more data.
        while total < stream.format.bufferFrames {
            let count = stream.read(into: periodBuffers.interleavedFrames, frames: periodBuffers.frameCount)
            if count < 0, count != -Int(EAGAIN) {
                recoverOrLose(stream, Int32(clamping: count), sink)
                return max(total, 1)
            }
            if count <= 0 { break }
            deliver(min(count, periodBuffers.frameCount), of: stream, to: sink)
            total += count
            if count < periodBuffers.frameCount { break }
        }
        return total
    }

    private func deliver(_ count: Int, of stream: any PCMStream, to sink: any CaptureSink) {
        let mono = UnsafeMutableBufferPointer(rebasing: periodBuffers.monoSamples[..<count])
        stream.format.sampleFormat.convertToMono(
            periodBuffers.interleavedFrames, channels: stream.format.channelCount,
            choice: request.channelChoice, peaks: periodBuffers.channelPeaks, into: mono)
        channelMeter.measure(periodBuffers.channelPeaks, seconds: Float(Double(count) / format.rate.hertz))
        lastAudioArrival = clock.now()
        let newest = lastAudioArrival - nanoseconds(of: max(0, stream.waitingFrames()))
        if awaitsFirstBlockAfterRestart { deliverSilence(until: newest - nanoseconds(of: count), to: sink) }
        awaitsFirstBlockAfterRestart = false
        newestAccountedNanoseconds = newest
        overrunsInARow = 0
        let samples = UnsafeBufferPointer(mono)
        sink.take(samples, capturedAtNanoseconds: newestAccountedNanoseconds)
        meter.measure(samples)
        counters.capturedPeriods.increment()
        counters.capturedFrames.increment(count)
    }

    /// Recovers the device from an overrun, a suspension or an interruption. Treats it as lost after any other error.
    private func recoverOrLose(_ stream: any PCMStream, _ code: Int32, _ sink: any CaptureSink) {
        switch -code {
        case EINTR, EAGAIN: return
        case EPIPE, ESTRPIPE:
            counters.overruns.increment()
            counters.newestErrno.store(-code, ordering: .relaxed)
            overrunsInARow += 1
            let mended = overrunsInARow <= Self.overrunLimit ? stream.recover(from: code) : code
            let started = mended < 0 ? mended : stream.start()
            awaitsFirstBlockAfterRestart = true
            deliverSilence(until: clock.now(), to: sink)
            if started < 0 { markLost(-started) }
        default: markLost(-code)
        }
    }

    private func markLost(_ code: Int32) {
        // Reported before the device is closed, because closing a stream whose sound server is gone may take long.
        counters.deviceLosses.increment()
        counters.newestErrno.store(code, ordering: .relaxed)
        counters.setState(.lost)
        stream?.close()
        stream = nil
        reopenPause = Self.firstReopenPause
        nextReopenTime = clock.now() + reopenPause
    }

    /// Does one step of the search for the lost device: sleeps briefly, or tries to open the device.
    private func continueDeviceSearch(_ sink: any CaptureSink) {
        let remaining = nextReopenTime - clock.now()
        if remaining > 0 {
            clock.sleep(min(remaining, Self.silenceReportInterval))
            deliverSilence(until: clock.now(), to: sink)
            return
        }
        counters.reopenAttempts.increment()
        do throws(CaptureError) {
            let found = try reopen()
            let code = found.start()
            awaitsFirstBlockAfterRestart = true
            deliverSilence(until: clock.now(), to: sink)
            stream = found
            lastAudioArrival = clock.now()
            overrunsInARow = 0
            if code < 0 {
                markLost(-code)
            } else {
                counters.reopenings.increment()
                counters.setState(.running)
            }
        } catch {
            deliverSilence(until: clock.now(), to: sink)
            if let code = error.errnoCode { counters.newestErrno.store(code, ordering: .relaxed) }
            reopenPause = min(2 * reopenPause, Self.longestReopenPause)
            nextReopenTime = clock.now() + reopenPause
        }
    }

    private func reopen() throws(CaptureError) -> any PCMStream {
        var same = request
        same.rate = format.rate
        let found = try streamOpener.open(same)
        guard abs(found.format.rate.hertz - format.rate.hertz) < 1 else {
            found.close()
            throw .rateChanged(device: request.device, was: format.rate, now: found.format.rate)
        }
        if !periodBuffers.suits(found.format) { periodBuffers = PeriodBuffers(found.format) }
        channelMeter.begin(channelCount: found.format.channelCount)
        return found
    }

    /// Sends silence to the sink for all audio that should have been captured since the newest accounted frame. The
    /// exact end of the gap is known only when the first block after the gap arrives, because a sound server may start
    /// late.
    private func deliverSilence(until end: Int64, to sink: any CaptureSink) {
        let elapsed = Double(end - newestAccountedNanoseconds) / 1e9
        let missing = Int(elapsed * format.rate.hertz)
        guard missing > 0 else { return }
        newestAccountedNanoseconds += nanoseconds(of: missing)
        sink.takeSilence(count: missing, capturedAtNanoseconds: newestAccountedNanoseconds)
        meter.measureSilence(count: missing)
        counters.lostFrames.increment(missing)
    }

    private func nanoseconds(of frames: Int) -> Int64 { Int64(Double(frames) / format.rate.hertz * 1e9) }
}

extension AudioInput {
    /// The timeout of one wait for audio. It is short, so that the loop soon notices when capture is no longer wanted.
    private static let waitMilliseconds: Int32 = 100
    /// Nanoseconds without data after which a device counts as lost, even if it reports no error. A sound server may
    /// need two seconds for its first block.
    private static let stallLimit: Int64 = 3_000_000_000
    /// The number of overruns without a complete period between them after which the device counts as lost.
    private static let overrunLimit = 20
    /// Nanoseconds of audio that a device may deliver at once before ``throttleToRealTime(_:of:)`` slows it down.
    private static let burstAllowanceNanoseconds: Int64 = 200_000_000
    private static let pauseWithoutAudio: Int64 = 1_000_000
    private static let silenceReportInterval: Int64 = 50_000_000
    private static let firstReopenPause: Int64 = 250_000_000
    private static let longestReopenPause: Int64 = 1_000_000_000
}

/// Buffers for one period of audio: the device's raw frames, one channel of samples, and the peak of each channel.
private final class PeriodBuffers {
    let frameCount: Int
    let interleavedFrames: UnsafeMutableRawPointer
    let monoSamples: UnsafeMutableBufferPointer<Float>
    let channelPeaks: UnsafeMutableBufferPointer<Float>
    private let byteCount: Int

    init(_ format: CaptureFormat) {
        frameCount = format.periodFrames
        byteCount = format.periodFrames * format.channelCount * format.sampleFormat.bytesPerSample
        interleavedFrames = .allocate(byteCount: byteCount, alignment: 16)
        interleavedFrames.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        monoSamples = .allocate(capacity: frameCount)
        monoSamples.initialize(repeating: 0)
        channelPeaks = .allocate(capacity: format.channelCount)
        channelPeaks.initialize(repeating: 0)
    }

    deinit {
        interleavedFrames.deallocate()
        monoSamples.deallocate()
        channelPeaks.deallocate()
    }

    func suits(_ format: CaptureFormat) -> Bool {
        frameCount == format.periodFrames
            && byteCount == frameCount * format.channelCount * format.sampleFormat.bytesPerSample
            && channelPeaks.count == format.channelCount
    }
}

extension CaptureError {
    fileprivate var errnoCode: Int32? {
        switch self {
        case .deviceNotOpened(_, let code), .settingRejected(_, _, let code): code
        case .noSupportedFormat, .noSuchChannel, .rateChanged: EINVAL
        }
    }
}
