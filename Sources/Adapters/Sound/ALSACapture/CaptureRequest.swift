import Basics

/// The settings to ask of a capture device.
public struct CaptureRequest: Equatable, Sendable {
    /// The name of any ALSA PCM: `default`, `pulse`, `hw:CARD=Scarlett`, `plughw:1,0`, or one from the user's
    /// configuration.
    public var device: String
    /// The requested sample rate; nil means 48 kHz. A device without this rate uses its nearest one;
    /// ``CaptureFormat/rate`` gives the result.
    public var rate: SampleRate?
    public var channelChoice: AudioChannelChoice
    /// The number of channels to request from the device. If nil, the number follows from the chosen channel: one
    /// channel for the mix, otherwise enough to contain the chosen channel. For the mix, a sound server or `plughw:`
    /// mixes, but a `hw:` device gives all its channels.
    public var channelCount: Int?
    /// The interval at which audio is passed to the sink. The device takes the nearest interval that it supports.
    public var period: Seconds

    public init(
        device: String = "default", rate: SampleRate? = nil,
        channelChoice: AudioChannelChoice = .meanOfAllChannels,
        channelCount: Int? = nil, period: Seconds = Seconds(0.01)
    ) {
        self.device = device
        self.rate = rate
        self.channelChoice = channelChoice
        self.channelCount = channelCount
        self.period = period
    }
}

/// The settings that the device accepted.
public struct CaptureFormat: Equatable, Sendable {
    public var rate: SampleRate
    public var channelCount: Int
    public var sampleFormat: SampleFormat
    public var periodFrames: Int
    /// The size of the device's buffer in frames. An overrun occurs if more audio than this waits to be read.
    public var bufferFrames: Int

    public init(
        rate: SampleRate, channelCount: Int, sampleFormat: SampleFormat, periodFrames: Int, bufferFrames: Int
    ) {
        self.rate = rate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
    }
}
