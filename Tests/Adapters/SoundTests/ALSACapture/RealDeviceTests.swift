import Basics
import Foundation
import Sound
import Testing

/// Everything that goes through alsa-lib, one after the other: its configuration is the process's.
@Suite(.serialized) struct RealDeviceTests {
    /// alsa-lib's own devices without hardware: `null` gives zeros, `file` what is in a file, both faster
    /// than time.
    @Suite(.serialized) struct PluginTests {
        let configuration: ALSAConfiguration

        init() throws {
            // Channel 1 a quarter, channel 2 minus a half.
            let tape = (0..<96_000).map { Int16($0 % 2 == 0 ? 8192 : -16_384) }
            configuration = try ALSAConfiguration(tape: tape)
        }

        @Test func theNullDeviceDeliversSilence() throws {
            let input = try AudioInput(CaptureRequest(device: "silence", rate: SampleRate(hertz: 44_100)))
            #expect(input.format.rate == SampleRate(hertz: 44_100))
            #expect(input.format.periodFrames == 441)
            #expect(input.format.bufferFrames >= 2 * 441)
            let heard = capture(input, frames: 10_000)
            #expect(heard.allSatisfy { $0 == 0 })
            #expect(input.meter.readLevels().silentFor > .zero)
            #expect(input.status.overruns == 0)
        }

        @Test func theTapeIsHeardByChannelAndMixed() throws {
            for (choice, expected) in [
                (AudioChannelChoice.singleChannel(1), Float(0.25)), (.singleChannel(2), -0.5),
                (.meanOfAllChannels, -0.125),
            ] {
                let input = try AudioInput(
                    CaptureRequest(device: "tape", channelChoice: choice, channelCount: 2))
                #expect(input.format.channelCount == 2)
                #expect(capture(input, frames: 5000).prefix(5000).allSatisfy { $0 == expected })
            }
        }

        @Test func aNameThatIsNotThereSaysSo() {
            #expect(throws: CaptureError.deviceNotOpened(device: "nowhere", code: ENOENT)) {
                try AudioInput(CaptureRequest(device: "nowhere"))
            }
            #expect(throws: CaptureError.self) { try probeCaptureDevice("") }
        }

        @Test func aChannelBeyondTheDeviceIsRefused() {
            #expect(throws: CaptureError.noSuchChannel(device: "narrow", wanted: 3, channels: 2)) {
                try AudioInput(CaptureRequest(device: "narrow", channelChoice: .singleChannel(3)))
            }
        }

        @Test func absurdWishesAreRefusedOrBentNotTrappedOn() throws {
            #expect(throws: CaptureError.self) {
                try AudioInput(CaptureRequest(device: "silence", rate: SampleRate(hertz: 1e300)))
            }
            let input = try AudioInput(
                CaptureRequest(device: "silence", channelCount: .max, period: Seconds(-.infinity)))
            #expect(input.format.periodFrames >= 1)
        }

        @Test func devicesAreListedAndProbed() throws {
            let listed = listCaptureDevices()
            #expect(listed.first { $0.name == "silence" }?.description == "Nothing at all")
            #expect(Set(listed.map(\.name)).count == listed.count)
            let narrow = try probeCaptureDevice("narrow")
            #expect(narrow.fewestChannels == 2)
            #expect(narrow.mostChannels == 2)
            #expect(try probeCaptureDevice("silence").formats == SampleFormat.allCases)
            // No resampler in between: a plug device has the rate of what is behind it.
            #expect(try probeCaptureDevice("tape").rates == [48_000])
            let tape = try AudioInput(CaptureRequest(device: "tape", rate: SampleRate(hertz: 44_100)))
            #expect(tape.format.rate == SampleRate(hertz: 48_000))
        }
    }

    @Suite(.serialized, .enabled(if: SoundCard.canStart, "PulseAudio is not installed"))
    struct SoundCardTests {
        /// Live time and the clock agree, and what is played is heard.
        @Test(.timeLimit(.minutes(1)))
        func aSineIsHeardInRealTime() throws {
            let card = try SoundCard()
            defer { card.stop() }
            let input = try AudioInput(CaptureRequest(device: "room", rate: SampleRate(hertz: 48_000)))
            try card.play(seconds: 3)
            // The player may need a while to begin: two seconds from then on.
            let heard = captureSound(input, frames: 96_000)
            #expect(input.status.deviceLosses == 0)
            let loudest = heard.map(abs).max() ?? 0
            // Played with amplitude one half; the server may resample and dither.
            #expect(abs(loudest - 0.5) < 0.02)
        }

        /// The server would mix eighteen channels down to three by the names of their places.
        @Test(.timeLimit(.minutes(1)))
        func theInputsOfASoundServersDeviceAreItsOwn() throws {
            let card = try SoundCard()
            defer { card.stop() }
            _ = try card.plugIn("desk", channels: 18)
            #expect(try probeCaptureDevice("pulse:desk.monitor").mostChannels == 18)
            let input = try AudioInput(
                CaptureRequest(device: "pulse:desk.monitor", channelChoice: .singleChannel(3)))
            #expect(input.format.channelCount == 18)
            try card.play(to: "desk", channel: 3, of: 18, seconds: 4)
            let loudest = captureSound(input, frames: 48_000).map(abs).max() ?? 0
            #expect(abs(loudest - 0.5) < 0.02)
            let peaks = input.channelMeter.readPeaks()
            #expect(peaks.count == 18)
            #expect(peaks.enumerated().allSatisfy { $0.offset == 2 ? $0.element > 0.4 : $0.element < 0.001 })
            #expect(throws: CaptureError.noSuchChannel(device: "room", wanted: 3, channels: 2)) {
                try AudioInput(CaptureRequest(device: "room", channelChoice: .singleChannel(3)))
            }
        }

        /// The server would move the stream to its other source, and leave it there.
        @Test(.timeLimit(.minutes(1)), arguments: ["pulse:usb.monitor", "pulse"])
        func aSourceThatIsUnpluggedIsLostUntilItIsThereAgain(device: String) throws {
            let card = try SoundCard()
            defer { card.stop() }
            var number = try card.plugIn("usb", channels: 2)
            if device == "pulse" { try card.makeDefault("usb.monitor") }
            let input = try AudioInput(CaptureRequest(device: device))
            let sink = Collector()
            let end = ContinuousClock.now + .seconds(30)
            var (step, lostAt) = (0, 0)
            input.run(into: sink) {
                let isHeard = input.status.state == .running
                switch step {
                case 0 where isHeard && input.status.capturedPeriods > 0:
                    try? card.unplug(number)
                    step = 1
                case 1 where input.status.state == .lost:
                    (step, lostAt) = (2, sink.samples.count)
                // It stays lost although another source is there.
                case 2 where sink.samples.count > lostAt + 96_000:
                    #expect(input.status.reopenings == 0)
                    number = (try? card.plugIn("usb", channels: 2)) ?? number
                    step = 3
                case 3 where isHeard && input.status.reopenings == 1:
                    try? card.play(to: "usb", channel: 1, of: 2, seconds: 3)
                    step = 4
                case 4 where input.channelMeter.readPeaks().first ?? 0 > 0.4: step = 5
                default: break
                }
                return step < 5 && .now < end
            }
            #expect(step == 5)
            #expect(input.status.deviceLosses == 1)
        }
    }
}

private final class Collector: CaptureSink {
    var samples: [Float] = []

    func take(_ block: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64) { samples += block }

    func takeSilence(count: Int, capturedAtNanoseconds: Int64) {
        samples += Array(repeating: 0, count: count)
    }
}

/// Captures until so many frames have come since the first that was not silent; gives up after half a minute.
private func captureSound(_ input: AudioInput, frames: Int) -> [Float] {
    let sink = Collector()
    let end = ContinuousClock.now + .seconds(30)
    var (looked, start) = (0, Int.max)
    input.run(into: sink) {
        while start == .max, looked < sink.samples.count {
            if abs(sink.samples[looked]) > 0.01 { start = looked }
            looked += 1
        }
        return (start == .max || sink.samples.count - start < frames) && .now < end
    }
    return sink.samples
}

/// Captures on this thread until so many frames have arrived; gives up after ten thousand turns.
private func capture(_ input: AudioInput, frames: Int) -> [Float] {
    let sink = Collector()
    var turns = 0
    input.run(into: sink) {
        turns += 1
        return sink.samples.count < frames && turns < 10_000
    }
    return sink.samples
}
