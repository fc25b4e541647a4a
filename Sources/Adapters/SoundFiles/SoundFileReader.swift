import CSndFile
import MusicalTime

/// Reads a recording block by block as one channel of samples in -1…1.
///
/// It reads every format of libsndfile: WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF and more. It allocates no memory after
/// `init`. If a float file contains a sample that is NaN or far too large, reading ends there with an error. Only one
/// thread at a time may use it.
public final class SoundFileReader {
    public static let channelLimit = 64
    public static let rateRange = 4_000...768_000
    /// The largest valid absolute value of a sample; full scale is 1. Some programs write float samples in the range of
    /// 32-bit integers, up to 2,147,483,648. Sums of the squares of larger samples would overflow.
    public static let loudestSample: Float = 1e10

    public let path: String
    public let rate: SampleRate
    public let channels: Int
    /// The number of frames in the file: the number in its header less ``missingFrames``.
    public let frames: Int
    /// The number of frames that the header promises but the file does not contain; 0 for a complete recording.
    ///
    /// For a compressed recording it is always 0, because the end is known only when ``read(into:)`` reaches it. In
    /// both cases all existing frames are delivered, and then reading ends with an error.
    public let missingFrames: Int
    public var duration: Seconds { Seconds(Double(frames) / rate.hertz) }
    public private(set) var framesRead = 0

    /// The error that ended the reading. It is thrown again by each later read.
    private var endError: SoundFileError?
    private let file: OpaquePointer
    private let channel: ChannelChoice
    private let interleaved: UnsafeMutableBufferPointer<Float>
    /// The largest number of frames read from libsndfile at a time.
    private let blockFrames: Int

    /// Opens a recording.
    /// - Parameters:
    ///   - channel: the channel that ``read(into:)`` delivers, or the mix of all channels.
    ///   - blockFrames: the number of frames read at a time, 1…65,536. The reader allocates memory for this number
    ///     times the number of channels.
    /// - Throws: the cases of ``SoundFileError`` that concern reading.
    public init(
        path: String, channel: ChannelChoice = .mix, blockFrames: Int = 4096
    ) throws(SoundFileError) {
        precondition((1...1 << 16).contains(blockFrames), "a block is 1 to 65536 frames, not \(blockFrames)")
        try checkReadable(path)
        var format = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &format) else { throw openingError(path) }
        do throws(SoundFileError) {
            try checkSoundFormat(format, of: path, for: channel)
        } catch {
            sf_close(file)
            throw error
        }
        self.path = path
        self.file = file
        self.channel = channel
        self.blockFrames = blockFrames
        rate = SampleRate(hertz: Double(format.samplerate))
        channels = Int(format.channels)
        frames = Int(format.frames)
        missingFrames = framesBeyondTheEnd(of: file, frames: Int(format.frames))
        interleaved = .allocate(capacity: blockFrames * channels)
        interleaved.initialize(repeating: 0)
    }

    deinit {
        sf_close(file)
        interleaved.deallocate()
    }

    /// Reads the next samples of the chosen channel.
    /// - Parameter buffer: filled from its start.
    /// - Returns: the number of samples read. It is smaller than the buffer only at the end of the recording, and 0
    ///   after it.
    /// - Throws: `truncated` if the file ends or breaks before its promised length, after the existing samples were
    ///   delivered.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count: Int
            do throws(SoundFileError) { count = try fetch(min(blockFrames, buffer.count - filled)) } catch {
                guard filled > 0 else { throw error }
                break
            }
            if count == 0 { break }
            copyChosenChannel(
                count, into: UnsafeMutableBufferPointer(rebasing: buffer[filled..<filled + count]))
            filled += count
        }
        return filled
    }

    /// Reads the next block of all channels, interleaved as `[frame][channel]`; empty at the end. The buffer is valid
    /// until the next call.
    func readInterleaved() throws(SoundFileError) -> UnsafeBufferPointer<Float> {
        let count = try fetch(blockFrames)
        return UnsafeBufferPointer(rebasing: interleaved[..<(count * channels)])
    }

    private func fetch(_ wanted: Int) throws(SoundFileError) -> Int {
        if let endError { throw endError }
        let count = Int(sf_readf_float(file, interleaved.baseAddress, sf_count_t(wanted)))
        framesRead += count
        // This comparison is false for NaN as well, so NaN is also found.
        if let index = (0..<count * channels).first(where: { !(abs(interleaved[$0]) <= Self.loudestSample) })
        {
            let end = SoundFileError.invalidSample(
                path: path, seconds: Double(framesRead - count + index / channels) / rate.hertz,
                channel: index % channels + 1, value: interleaved[index])
            self.endError = end
            throw end
        }
        if count == 0, framesRead < frames + missingFrames {
            let end = SoundFileError.truncated(
                path: path, framesRead: framesRead, framesPromised: frames + missingFrames, rate: rate,
                reason: sf_error(file) == 0 ? "the file ends there" : libsndfileReason(file))
            self.endError = end
            throw end
        }
        return count
    }

    private func copyChosenChannel(_ count: Int, into buffer: UnsafeMutableBufferPointer<Float>) {
        switch channel {
        case .channel(let number):
            for frame in 0..<count { buffer[frame] = interleaved[frame * channels + number - 1] }
        case .mix where channels == 1:
            for frame in 0..<count { buffer[frame] = interleaved[frame] }
        case .mix:
            let share = 1 / Float(channels)
            for frame in 0..<count {
                var sum: Float = 0
                for index in frame * channels..<(frame + 1) * channels { sum += interleaved[index] }
                buffer[frame] = sum * share
            }
        }
    }
}

extension SoundFileReader {
    /// Reads all remaining samples of the chosen channel. Allocates memory for all of them.
    public func readAll() throws(SoundFileError) -> [Float] {
        var all: [Float] = []
        var block = [Float](repeating: 0, count: blockFrames)
        while true {
            let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(SoundFileError) in
                try read(into: buffer)
            }
            if count == 0 { return all }
            all += block.prefix(count)
        }
    }
}
