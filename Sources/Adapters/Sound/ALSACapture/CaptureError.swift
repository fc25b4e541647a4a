import Basics
import CALSA

/// The reason why a device cannot capture. Codes are positive errno values.
public enum CaptureError: Explained, Equatable, Sendable {
    case deviceNotOpened(device: String, code: Int32)
    /// The device was opened but rejects a setting. `asked` names the setting, for example "a period of 10 ms".
    case settingRejected(device: String, asked: String, code: Int32)
    /// The device offers none of the sample formats that this program reads. `understood` lists the formats it reads.
    case noSupportedFormat(device: String, understood: [String])
    case noSuchChannel(device: String, wanted: Int, channels: Int)
    /// The device came back with another sample rate than before. The rest of the program cannot change its rate.
    case rateChanged(device: String, was: SampleRate, now: SampleRate)

    public var sentence: String {
        switch self {
        case .deviceNotOpened(let device, let code):
            "\(Self.openFailureText(device, code)) (\(alsaErrorText(code))). \(Self.advice(code))"
        case .settingRejected(let device, let asked, let code):
            "“\(device)” refuses \(asked) (\(alsaErrorText(code))). \(Self.conversionAdvice(device))"
        case .noSupportedFormat(let device, let understood):
            "“\(device)” offers none of the sample formats \(understood.joined(separator: ", ")). "
                + Self.conversionAdvice(device)
        case .noSuchChannel(let device, let wanted, let channels):
            "“\(device)” has no channel \(wanted): it gives \(channels). Choose 1 to \(channels), or mix."
        case .rateChanged(let device, let was, let now):
            "“\(device)” came back with \(now) instead of \(was). Set it back, or start again."
        }
    }

    /// True if no device of that name exists; false if the device exists but is busy or access is denied.
    public var isDeviceMissing: Bool {
        if case .deviceNotOpened(_, let code) = self {
            [ENOENT, ENODEV, ENXIO].contains(code)
        } else {
            false
        }
    }

    private static func openFailureText(_ device: String, _ code: Int32) -> String {
        switch code {
        case ENOENT, ENODEV, ENXIO: "There is no capture device “\(device)”"
        case EBUSY: "“\(device)” is used by another program"
        case EACCES, EPERM: "This user may not listen to “\(device)”"
        case ECONNREFUSED: "The sound server of “\(device)” does not answer"
        default: "“\(device)” cannot be opened"
        }
    }

    private static func advice(_ code: Int32) -> String {
        switch code {
        case EBUSY: "Close that program, or listen through a sound server: default or pulse."
        case EACCES, EPERM: "Add the user to the group “audio” and log in again."
        case ECONNREFUSED:
            "Start it, or choose a hardware device: the page /start and baton devices list them."
        default: "The page /start and baton devices list what is there."
        }
    }

    private static func conversionAdvice(_ device: String) -> String {
        device.hasPrefix("hw:")
            ? "Try plug\(device), which converts."
            : "Try another device: the page /start and baton devices list them."
    }
}

/// ALSA's text for an error code, or the operating system's text if ALSA has none.
func alsaErrorText(_ code: Int32) -> String {
    snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)"
}
