import Basics
import CALSA

/// A device that can capture audio. Its `name` opens it.
public struct CaptureDeviceDescription: Hashable, Sendable, Codable {
    public var name: String
    /// ALSA's description of the device on one line; empty if ALSA has none.
    public var description: String
}

/// Lists all PCMs that ALSA's configuration and the sound cards offer for capture, in ALSA's order, each once.
///
/// Opens no device. The list is empty on a machine without capture devices.
public func listCaptureDevices() -> [CaptureDeviceDescription] {
    var seen: Set<String> = []
    return (devicesFromALSAHints() + devicesOfSoundCards()).filter { seen.insert($0.name).inserted }
}

private func devicesFromALSAHints() -> [CaptureDeviceDescription] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var devices: [CaptureDeviceDescription] = []
    var next = hints
    while let hint = next.pointee {
        next += 1
        // A hint without a direction works in both directions.
        guard let name = deviceHintText(hint, "NAME"), deviceHintText(hint, "IOID") ?? "Input" == "Input"
        else {
            continue
        }
        let lines = (deviceHintText(hint, "DESC") ?? "").split(separator: "\n")
        devices.append(CaptureDeviceDescription(name: name, description: lines.joined(separator: ", ")))
    }
    return devices
}

private func deviceHintText(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
}

/// The sound cards' own capture devices; a user's ALSA configuration may leave them out.
private func devicesOfSoundCards() -> [CaptureDeviceDescription] {
    var devices: [CaptureDeviceDescription] = []
    var card: Int32 = -1
    while snd_card_next(&card) >= 0, card >= 0 {
        var control: OpaquePointer?
        guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) >= 0, let control else {
            continue
        }
        defer { snd_ctl_close(control) }
        var cardName: UnsafeMutablePointer<CChar>?
        snd_card_get_name(card, &cardName)
        defer { free(cardName) }
        let description = cardName.map { String(cString: $0) } ?? ""
        var device: Int32 = -1
        while snd_ctl_pcm_next_device(control, &device) >= 0, device >= 0 {
            for prefix in ["hw", "plughw"] where canCapture(control, device) {
                devices.append(
                    CaptureDeviceDescription(name: "\(prefix):\(card),\(device)", description: description))
            }
        }
    }
    return devices
}

private func canCapture(_ control: OpaquePointer, _ device: Int32) -> Bool {
    var pcm: OpaquePointer?
    guard snd_pcm_info_malloc(&pcm) >= 0, let pcm else { return false }
    defer { snd_pcm_info_free(pcm) }
    snd_pcm_info_set_device(pcm, UInt32(bitPattern: device))
    snd_pcm_info_set_stream(pcm, SND_PCM_STREAM_CAPTURE)
    return snd_ctl_pcm_info(control, pcm) >= 0
}
