import MusicalTime

/// What to listen to.
public struct CaptureRequest: Equatable, Sendable {
    /// Any ALSA PCM: `default`, `pulse`, `hw:CARD=Scarlett`, `plughw:1,0`, or one of the user's own.
    public var device: String
    /// Nil: 48 kHz. A device that cannot do the wished rate gives its nearest; what came of it is in
    /// ``CaptureFormat/rate``.
    public var rate: SampleRate?
    public var channel: ChannelChoice
    /// How many channels to ask the device for. Nil: one for the mix (a sound server or `plughw:` then does
    /// the mixing, a `hw:` device gives all it has), otherwise enough for the chosen channel.
    public var channels: Int?
    /// How often audio is handed on; the device takes the nearest it can.
    public var period: Seconds

    public init(
        device: String = "default", rate: SampleRate? = nil, channel: ChannelChoice = .mix,
        channels: Int? = nil, period: Seconds = Seconds(0.01)
    ) {
        self.device = device
        self.rate = rate
        self.channel = channel
        self.channels = channels
        self.period = period
    }
}

/// What the device agreed to.
public struct CaptureFormat: Equatable, Sendable {
    public var rate: SampleRate
    public var channels: Int
    public var sample: SampleFormat
    public var periodFrames: Int
    /// Frames the device keeps while nobody reads; more than that and it overruns.
    public var bufferFrames: Int

    public init(rate: SampleRate, channels: Int, sample: SampleFormat, periodFrames: Int, bufferFrames: Int) {
        self.rate = rate
        self.channels = channels
        self.sample = sample
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
    }
}
