import ArgumentParser
import Basics
import TimeCode
import TimeCodeLinks
import TimeCodeSending

/// Options that say where time code is sent (docs/timecode.md); none is sent unless one of them is given.
struct TimeCodeOutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Play LTC on this ALSA device, such as plughw:1.", valueName: "device"))
    var ltc: String?

    @Option(help: ArgumentHelp("The channel of that device, from 1; otherwise all.", valueName: "channel"))
    var ltcChannel: Int?

    @Option(
        help: ArgumentHelp(
            "Send MIDI time code to this raw MIDI port, such as /dev/snd/midiC1D0.", valueName: "file"))
    var midiTimeCode: String?

    @Option(
        help: ArgumentHelp(
            "Send MIDI clock and song position to this raw MIDI port; it may be the same.", valueName: "file")
    )
    var midiClock: String?

    @Option(
        help: ArgumentHelp(
            "Send Art-Net time code to this IPv4 address, such as 192.168.1.20, or 192.168.1.255 for a whole network.",
            valueName: "address[:port]"))
    var artNet: String?

    @Option(
        help: ArgumentHelp("What the code does in a panic: stop at once, or run on.", valueName: "stop|run"))
    var timeCodePanic = CodeClock.Conduct.stop

    @Option(
        help: ArgumentHelp(
            "What a film does while the music stands still: hold its frame, or go on slowly.",
            valueName: "hold|slow"))
    var filmStanding = FilmStanding.hold

    @OptionGroup var code: TimeCodeOptions

    enum FilmStanding: String, ExpressibleByArgument, CaseIterable { case hold, slow }

    /// The clock of films; a quarter of the recording's speed is slow.
    var filmSettings: CodeClock.Settings {
        var settings = FilmClock.settings
        settings.standingSpeed = filmStanding == .slow ? 0.25 : 0
        return settings
    }

    func makeSettings() throws(ExplainedError) -> TimeCodeSettings {
        var settings = try code.makeSettings()
        if let ltcChannel {
            guard ltc != nil else { throw ExplainedError("--ltc-channel needs --ltc.") }
            guard (1...64).contains(ltcChannel) else {
                throw ExplainedError("--ltc-channel is 1 to 64, not \(ltcChannel).")
            }
        }
        (settings.soundDevice, settings.soundChannel) = (ltc, ltcChannel)
        (settings.midiPort, settings.clockPort) = (midiTimeCode, midiClock)
        if let artNet {
            do throws(ExplainedError) {
                _ = try DatagramPort(artNet, defaultPort: ArtTimeCode.port)
            } catch { throw ExplainedError("--art-net: \(error.sentence)") }
        }
        settings.artNetAddress = artNet
        settings.clock.whenPanic = timeCodePanic
        return settings
    }
}
