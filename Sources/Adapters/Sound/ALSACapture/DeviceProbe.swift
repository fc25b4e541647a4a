import Basics
import CALSA

/// The capabilities that a capture device reports.
public struct CaptureDeviceCapabilities: Equatable, Sendable, Codable {
    /// The standard sample rates that the device supports without resampling, in hertz, ascending.
    public var rates: [Int]
    /// The smallest number of channels that the device offers.
    public var fewestChannels: Int
    /// The largest number of channels that the device offers.
    public var mostChannels: Int
    public var formats: [SampleFormat]
}

/// Opens a device for capture, reads its capabilities and closes it again. Never waits for a device that is in use.
public func probeCaptureDevice(_ name: String) throws(CaptureError) -> CaptureDeviceCapabilities {
    if let device = PulseDevice(alsaDevice: name), let source = try probe(device, name) { return source }
    let pcm = try openPCM(name)
    defer { snd_pcm_close(pcm) }
    let terms = try HardwareSettings(pcm, device: name)
    snd_pcm_hw_params_set_rate_resample(pcm, terms.hardwareParameters, 0)
    var fewest: UInt32 = 0
    var most: UInt32 = 0
    snd_pcm_hw_params_get_channels_min(terms.hardwareParameters, &fewest)
    snd_pcm_hw_params_get_channels_max(terms.hardwareParameters, &most)
    return CaptureDeviceCapabilities(
        rates: customarySampleRates.filter { terms.offers(hertz: UInt32($0)) },
        fewestChannels: Int(fewest), mostChannels: Int(most),
        formats: SampleFormat.allCases.filter(terms.offers))
}

/// The rate and the channels of a sound server's source itself.
/// - Returns: nil if the library of the sound server is not installed.
private func probe(_ device: PulseDevice, _ name: String) throws(CaptureError) -> CaptureDeviceCapabilities? {
    do throws(PulseFailure) {
        guard let source = try PulseConnection(to: device.server)?.source(named: device.source) else {
            return nil
        }
        let channels = Int(source.spec.channels)
        return CaptureDeviceCapabilities(
            rates: [Int(source.spec.rate)], fewestChannels: channels, mostChannels: channels,
            formats: [.float32])
    } catch {
        throw .deviceNotOpened(device: name, code: error.errno)
    }
}

private let customarySampleRates = [
    8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
]
