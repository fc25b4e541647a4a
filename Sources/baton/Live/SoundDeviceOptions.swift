import ArgumentParser
import Basics
import Sound

/// Options that choose the sound device, its rate and its channel.
struct SoundDeviceOptions: ParsableArguments {
    static let usualDevice = "default"

    @Option(help: ArgumentHelp("The device to listen to, by its ALSA name.", valueName: "name"))
    var device = Self.usualDevice

    @Option(
        help: ArgumentHelp("Samples a second to ask the device for; 48000 unless given.", valueName: "hertz"))
    var rate: Double?

    @Option(help: "Which channel to hear: mix, or a number from 1.", transform: parseAudioChannel)
    var channel = AudioChannelChoice.meanOfAllChannels

    func validate() throws {
        if let rate, !(4_000...768_000).contains(rate) {
            throw ValidationError("--rate is 4000 to 768000 samples a second, not \(rate).")
        }
    }

    var captureRequest: CaptureRequest {
        CaptureRequest(device: device, rate: rate.map { SampleRate(hertz: $0) }, channelChoice: channel)
    }
}
