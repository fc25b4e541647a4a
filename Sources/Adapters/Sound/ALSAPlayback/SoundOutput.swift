import Basics
import CALSA

/// An ALSA device that plays sound, at 48 kHz. One thread at a time may use it; nothing waits.
public final class SoundOutput {
    public static let rate = SampleRate(hertz: 48_000)

    private let device: String
    private let channel: Int
    private let channels: Int
    private let pcm: OpaquePointer
    private var isStarted = false

    /// - Parameters:
    ///   - channel: the channel that sounds, from 1; nil for a single one, which most devices play on all.
    ///   - bufferSeconds: the length of the device's buffer.
    /// - Throws: ``ExplainedError`` if the device cannot be used.
    public init(device: String, channel: Int?, bufferSeconds: Double) throws(ExplainedError) {
        keepALSAQuiet()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw Self.error(device, "cannot be opened for playing", code) }
        (self.device, self.channel) = (device, (channel ?? 1) - 1)
        (channels, pcm) = (channel.map { max($0, 2) } ?? 1, opened)
        let refused = snd_pcm_set_params(
            pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(channels),
            UInt32(Self.rate.hertz), 1, UInt32(bufferSeconds * 1e6))
        guard refused >= 0 else {
            snd_pcm_close(pcm)
            throw Self.error(device, "refuses \(channels) channels of 16 bits at 48 kHz", refused)
        }
    }

    deinit {
        snd_pcm_drop(pcm)
        snd_pcm_close(pcm)
    }

    /// The frames that were written and have not sounded yet.
    public var queuedFrames: Int {
        var frames: snd_pcm_sframes_t = 0
        return snd_pcm_delay(pcm, &frames) >= 0 ? max(frames, 0) : 0
    }

    /// Writes samples of the channel that sounds; full scale is ±1. After an interruption the device starts anew, and
    /// what it has no room for is left out.
    /// - Throws: ``ExplainedError`` if the device has gone.
    public func write(_ samples: [Float]) throws(ExplainedError) {
        var frames = [Int16](repeating: 0, count: samples.count * channels)
        for (index, sample) in samples.enumerated() {
            frames[index * channels + channel] = Int16(max(-1, min(1, sample)) * 32_767)
        }
        var code = snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(samples.count))
        if code == -Int(EPIPE) || code == -Int(ESTRPIPE) {
            isStarted = false
            snd_pcm_recover(pcm, Int32(code), 1)
            code = snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(samples.count))
        }
        guard code >= 0 || code == -Int(EAGAIN) else {
            throw Self.error(device, "does not play", Int32(code))
        }
        if !isStarted {
            isStarted = true
            if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
        }
    }

    private static func error(_ device: String, _ what: String, _ code: Int32) -> ExplainedError {
        ExplainedError(
            "The sound device “\(device)” \(what) (\(String(cString: snd_strerror(code)))). Connect it, or name another: "
                + "aplay -L lists those of this machine.")
    }
}
