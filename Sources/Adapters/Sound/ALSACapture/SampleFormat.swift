import Basics
import CALSA

/// The layout of one sample in the device's buffer; all formats are little-endian.
public enum SampleFormat: String, Sendable, CaseIterable, Codable {
    // The formats are listed in order of preference, the finest first.
    case float32 = "FLOAT_LE"
    case integer32 = "S32_LE"
    /// 24 bits in the low three of four bytes.
    case integer24 = "S24_LE"
    /// 24-bit samples packed into three bytes.
    case packed24 = "S24_3LE"
    case integer16 = "S16_LE"

    var alsaFormat: snd_pcm_format_t {
        switch self {
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        case .integer32: SND_PCM_FORMAT_S32_LE
        case .integer24: SND_PCM_FORMAT_S24_LE
        case .packed24: SND_PCM_FORMAT_S24_3LE
        case .integer16: SND_PCM_FORMAT_S16_LE
        }
    }

    var bytesPerSample: Int {
        switch self {
        case .float32, .integer32, .integer24: 4
        case .packed24: 3
        case .integer16: 2
        }
    }

    /// Converts interleaved frames to one channel of samples; full scale is ±1. Takes no lock and allocates nothing,
    /// because the capture thread calls it. Some float samples become 0: NaN, infinity, values far beyond full scale,
    /// whose squares would overflow, and values so small that the processor handles them slowly.
    /// - Parameters:
    ///   - frames: `[frame][channel]` in this format, at least `mono.count` of them.
    ///   - peaks: raised to the largest absolute sample of each channel; one for each channel.
    ///   - mono: filled completely.
    /// - Complexity: O(frames · channels).
    func convertToMono(
        _ frames: UnsafeRawPointer, channels: Int, choice: AudioChannelChoice,
        peaks: UnsafeMutableBufferPointer<Float>, into mono: UnsafeMutableBufferPointer<Float>
    ) {
        switch self {
        case .float32:
            mixDown(frames, channels, choice, peaks, mono) { bytes, offset in
                let sample = Float(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                let size = abs(sample)
                return size >= 1e-20 && size <= 1e4 ? sample : 0
            }
        case .integer32:
            mixDown(frames, channels, choice, peaks, mono) { bytes, offset in
                Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) * 0x1p-31
            }
        case .integer24:
            mixDown(frames, channels, choice, peaks, mono) { bytes, offset in
                // ALSA does not promise that the unused byte repeats the sign.
                Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) << 8) * 0x1p-31
            }
        case .packed24:
            mixDown(frames, channels, choice, peaks, mono) { bytes, offset in
                let low = Int32(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) << 8
                let high = Int32(bytes.load(fromByteOffset: offset + 2, as: Int8.self)) << 24
                return Float(high | low) * 0x1p-31
            }
        case .integer16:
            mixDown(frames, channels, choice, peaks, mono) { bytes, offset in
                Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) * 0x1p-15
            }
        }
    }

    @inline(__always)
    private func mixDown(
        _ frames: UnsafeRawPointer, _ channels: Int, _ choice: AudioChannelChoice,
        _ peaks: UnsafeMutableBufferPointer<Float>, _ mono: UnsafeMutableBufferPointer<Float>,
        sample: (UnsafeRawPointer, Int) -> Float
    ) {
        let chosen: Int? = if case .singleChannel(let number) = choice { number - 1 } else { nil }
        let share = 1 / Float(channels)
        var offset = 0
        for frame in mono.indices {
            var sum: Float = 0
            for channel in 0..<channels {
                let value = sample(frames, offset)
                offset += bytesPerSample
                if abs(value) > peaks[channel] { peaks[channel] = abs(value) }
                if channel == chosen { mono[frame] = value }
                sum += value
            }
            if chosen == nil { mono[frame] = sum * share }
        }
    }
}
