import Basics
import Platform
import Sound

/// Reads a sound device. While the device is unplugged, silence is recorded and the device is looked for by its name.
package final class DeviceSoundSource: SoundSource {
    private let audioInput: AudioInput

    /// Opens the device.
    package init(_ request: CaptureRequest) throws(CaptureError) { audioInput = try AudioInput(request) }

    package var name: String { audioInput.request.device }
    package var rate: SampleRate { audioInput.format.rate }

    package func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        audioInput.run(into: CapturedSoundSink(sound), while: { !stop.isMade })
    }

    package var status: SoundSourceStatus { audioInput.soundStatus }
}

extension AudioInput {
    /// The state of the device, its level and its losses.
    var soundStatus: SoundSourceStatus {
        let capture = status
        let level = meter.readLevels()
        return SoundSourceStatus(
            isLost: capture.state == .lost, failureReason: capture.newestErrorText,
            overruns: capture.overruns,
            deviceLosses: capture.deviceLosses, lostSamples: capture.lostFrames, peak: level.peak,
            rms: level.rms,
            heldPeak: level.heldPeak, clippedSamples: level.clippedSamples,
            silentSeconds: level.silentFor.value, channelPeaks: channelMeter.readPeaks())
    }
}

/// Passes the samples of a device on.
final class CapturedSoundSink: CaptureSink {
    private let sound: CapturedSound

    init(_ sound: CapturedSound) { self.sound = sound }

    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64) {
        sound.write(samples, capturedAt: MonotonicInstant(nanoseconds: capturedAtNanoseconds))
    }

    func takeSilence(count: Int, capturedAtNanoseconds: Int64) {
        sound.writeSilence(count: count, capturedAt: MonotonicInstant(nanoseconds: capturedAtNanoseconds))
    }
}
