import Basics
import CSndFile

/// The sample format of a file without lossy compression.
public enum SampleDepth: String, Sendable, Codable {
    case integer16 = "16-bit integers"
    case integer24 = "24-bit integers"
    case float32 = "32-bit floating point"
}

/// Writes a recording as WAV, FLAC or Ogg Vorbis; the file name extension chooses the format.
///
/// Samples beyond ±1 are clipped. An existing file is replaced. Only one thread at a time may use it. Call ``close()``
/// at the end, which also reports a full disk.
public final class SoundFileWriter {
    public let path: String
    public let channelCount: Int
    private var file: OpaquePointer?

    /// - Parameters:
    ///   - rate: the sample rate, rounded to whole hertz.
    ///   - depth: ignored for Ogg Vorbis; FLAC has no floating-point format.
    public init(
        path: String, rate: SampleRate, channels: Int = 1, depth: SampleDepth = .integer16
    ) throws(SoundFileError) {
        let hertz = Int(rate.hertz.rounded())
        guard let kind = formatCode(path, depth) else { throw .unknownFileExtension(path: path) }
        var format = SF_INFO()
        format.samplerate = Int32(clamping: hertz)
        format.channels = Int32(clamping: channels)
        format.format = kind
        guard
            SoundFileReader.supportedHertzRange.contains(hertz),
            (1...SoundFileReader.channelLimit).contains(channels),
            sf_format_check(&format) != 0
        else { throw .unwritableFormat(path: path, hertz: hertz, channels: channels, depth: depth) }
        guard let file = sf_open(path, Int32(SFM_WRITE), &format) else {
            throw .notWritten(path: path, reason: libsndfileReason(nil))
        }
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        self.path = path
        self.channelCount = channels
        self.file = file
    }

    deinit {
        if let file { sf_close(file) }
    }

    /// Appends samples to the recording.
    /// - Parameter samples: whole frames, interleaved as `[frame][channel]`; full scale is ±1.
    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError) {
        precondition(samples.count % channelCount == 0, "\(samples.count) samples are no whole frames")
        guard let file else { throw .notWritten(path: path, reason: "it is already closed") }
        // libsndfile's Vorbis encoder keeps each write on the stack, so the writes are small.
        let step = 1024 * channelCount
        for start in stride(from: 0, to: samples.count, by: step) {
            let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + step, samples.count)])
            let written = sf_writef_float(file, part.baseAddress, sf_count_t(part.count / channelCount))
            guard written == part.count / channelCount else {
                throw .notWritten(path: path, reason: libsndfileReason(file))
            }
        }
    }

    /// Appends samples to the recording.
    /// - Parameter samples: whole frames, interleaved as `[frame][channel]`; full scale is ±1.
    public func write(_ samples: [Float]) throws(SoundFileError) {
        try samples.withUnsafeBufferPointer { (buffer) throws(SoundFileError) in try write(buffer) }
    }

    /// Completes and closes the file. Further calls do nothing.
    public func close() throws(SoundFileError) {
        guard let file else { return }
        self.file = nil
        sf_write_sync(file)
        let pending = sf_error(file) == 0 ? nil : libsndfileReason(file)
        let failed = sf_close(file) != 0
        if failed || pending != nil {
            throw .notWritten(path: path, reason: pending ?? "its end could not be written")
        }
    }
}

private func formatCode(_ path: String, _ depth: SampleDepth) -> Int32? {
    let subtype =
        switch depth {
        case .integer16: SF_FORMAT_PCM_16
        case .integer24: SF_FORMAT_PCM_24
        case .float32: SF_FORMAT_FLOAT
        }
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return switch path[dot...].lowercased() {
    case ".wav": Int32(SF_FORMAT_WAV) | Int32(subtype)
    case ".flac": Int32(SF_FORMAT_FLAC) | Int32(subtype)
    case ".ogg", ".oga": Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
    default: nil
    }
}
