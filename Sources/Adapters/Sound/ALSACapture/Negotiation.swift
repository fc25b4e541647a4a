import Basics
import CALSA

/// Negotiates access, sample format, channels, rate, period and buffer with the device, in this order.
///
/// Resampling is switched off: a plug device gives the rate of its hardware.
func negotiateCaptureFormat(_ pcm: OpaquePointer, _ request: CaptureRequest) throws(CaptureError)
    -> CaptureFormat
{
    let terms = try HardwareSettings(pcm, device: request.device)
    let hertz = request.rate?.hertz ?? 48_000
    guard (1_000...1_000_000).contains(hertz) else {
        throw .settingRejected(device: request.device, asked: "a rate of \(hertz) Hz", code: EINVAL)
    }
    snd_pcm_hw_params_set_rate_resample(pcm, terms.hardwareParameters, 0)
    try terms.applySetting("interleaved samples") {
        snd_pcm_hw_params_set_access(pcm, $0, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
    let sample = try terms.chooseFormat()
    let channels = try terms.chooseChannelCount(for: request)

    var rate = UInt32(hertz.rounded())
    try terms.applySetting("a rate near \(rate) Hz") { snd_pcm_hw_params_set_rate_near(pcm, $0, &rate, nil) }
    let seconds = min(max(request.period.value, 0.001), 1)
    var period = snd_pcm_uframes_t((Double(rate) * seconds).rounded())
    try terms.applySetting("a period of \(period) frames") {
        snd_pcm_hw_params_set_period_size_near(pcm, $0, &period, nil)
    }
    // A larger buffer adds no latency; it is the time for which the capture thread may be delayed.
    var buffer = period * 8
    try terms.applySetting("a buffer of \(buffer) frames") {
        snd_pcm_hw_params_set_buffer_size_near(pcm, $0, &buffer)
    }
    try terms.applySetting("these settings together") { snd_pcm_hw_params(pcm, $0) }

    snd_pcm_hw_params_get_period_size(terms.hardwareParameters, &period, nil)
    snd_pcm_hw_params_get_buffer_size(terms.hardwareParameters, &buffer)
    guard (1...1 << 20).contains(period), period <= buffer, buffer <= 1 << 24 else {
        throw .settingRejected(
            device: request.device, asked: "a period between 1 and 2^20 frames", code: EINVAL)
    }
    return CaptureFormat(
        rate: terms.exactRate(nominal: rate), channelCount: channels, sampleFormat: sample,
        periodFrames: Int(period),
        bufferFrames: Int(buffer))
}

/// The hardware settings that the device still allows, narrowed with each agreed setting.
final class HardwareSettings {
    let hardwareParameters: OpaquePointer
    private let pcm: OpaquePointer
    private let device: String

    init(_ pcm: OpaquePointer, device: String) throws(CaptureError) {
        var hw: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&hw) >= 0, let hw else {
            throw .deviceNotOpened(device: device, code: ENOMEM)
        }
        self.hardwareParameters = hw
        self.pcm = pcm
        self.device = device
        try applySetting("any setting at all") { snd_pcm_hw_params_any(pcm, $0) }
    }

    deinit { snd_pcm_hw_params_free(hardwareParameters) }

    func applySetting(_ asked: String, _ ask: (OpaquePointer) -> Int32) throws(CaptureError) {
        let code = ask(hardwareParameters)
        if code < 0 { throw .settingRejected(device: device, asked: asked, code: -code) }
    }

    func offers(_ format: SampleFormat) -> Bool {
        snd_pcm_hw_params_test_format(pcm, hardwareParameters, format.alsaFormat) == 0
    }

    func offers(hertz: UInt32) -> Bool { snd_pcm_hw_params_test_rate(pcm, hardwareParameters, hertz, 0) == 0 }

    func chooseFormat() throws(CaptureError) -> SampleFormat {
        guard let format = SampleFormat.allCases.first(where: offers) else {
            throw .noSupportedFormat(device: device, understood: SampleFormat.allCases.map(\.rawValue))
        }
        try applySetting("samples as \(format.rawValue)") {
            snd_pcm_hw_params_set_format(pcm, $0, format.alsaFormat)
        }
        return format
    }

    func chooseChannelCount(for request: CaptureRequest) throws(CaptureError) -> Int {
        // A converting device that is asked for one channel would return its own mix, so ask for at least two.
        let least = if case .singleChannel(let number) = request.channelChoice { max(number, 2) } else { 1 }
        var channels = UInt32(clamping: min(max(request.channelCount ?? least, 1), 1024))
        try applySetting("\(channels) channels") { snd_pcm_hw_params_set_channels_near(pcm, $0, &channels) }
        guard (1...1024).contains(channels) else {
            throw .settingRejected(device: device, asked: "at most 1024 channels", code: EINVAL)
        }
        if case .singleChannel(let number) = request.channelChoice, !(1...Int(channels)).contains(number) {
            throw .noSuchChannel(device: device, wanted: number, channels: Int(channels))
        }
        return Int(channels)
    }

    /// The exact rate of the opened device: some devices differ from the nominal rate by a fraction of a hertz.
    func exactRate(nominal: UInt32) -> SampleRate {
        var numerator: UInt32 = 0
        var denominator: UInt32 = 0
        let known = snd_pcm_hw_params_get_rate_numden(hardwareParameters, &numerator, &denominator) == 0
        guard known, numerator > 0, denominator > 0 else { return SampleRate(hertz: Double(nominal)) }
        let exact = Double(numerator) / Double(denominator)
        return SampleRate(hertz: abs(exact - Double(nominal)) < 1 ? exact : Double(nominal))
    }
}
