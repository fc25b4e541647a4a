import ALSACapture
import MusicalTime
import RealTime

/// Reads a sound device. While the device is unplugged, silence is recorded and the device is looked for by its name.
package final class DeviceSoundSource: SoundSource {
    private let input: AudioInput

    /// Opens the device.
    package init(_ request: CaptureRequest) throws(CaptureError) { input = try AudioInput(request) }

    package var name: String { input.request.device }
    package var rate: SampleRate { input.format.rate }

    package func run(into ring: SampleRing, waking samplesArrived: WakeSignal, until stop: StopRequest) {
        input.run(into: RingSink(ring, samplesArrived), while: { !stop.isMade })
    }

    package var status: SoundSourceStatus {
        let capture = input.status
        let level = input.meter.reading()
        return SoundSourceStatus(
            isLost: capture.state == .lost, problem: capture.newestErrorText, overruns: capture.overruns,
            deviceLosses: capture.losses, lostSamples: capture.lostFrames, peak: level.peak, rms: level.rms,
            heldPeak: level.heldPeak, clippedSamples: level.clippedSamples,
            silentSeconds: level.silentFor.value)
    }
}

/// Passes captured samples from the capture thread to the follow thread.
private final class RingSink: CaptureSink {
    private let ring: SampleRing
    private let samplesArrived: WakeSignal

    init(_ ring: SampleRing, _ samplesArrived: WakeSignal) {
        self.ring = ring
        self.samplesArrived = samplesArrived
    }

    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64) {
        ring.write(samples, capturedAt: MonotonicInstant(nanoseconds: capturedAtNanoseconds))
        samplesArrived.ring()
    }

    func takeSilence(count: Int, capturedAtNanoseconds: Int64) {
        ring.writeSilence(count: count, capturedAt: MonotonicInstant(nanoseconds: capturedAtNanoseconds))
        samplesArrived.ring()
    }
}
