import Basics
import CSndFile
import Glibc

/// Reads a recording block by block as one channel of samples in -1…1.
///
/// It reads every format of libsndfile: WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF and more. It allocates no memory after
/// `init`. If a float file contains a sample that is NaN or far too large, reading ends there with an error. Only one
/// thread at a time may use it.
public final class SoundFileReader {
    public static let channelLimit = 64
    public static let supportedHertzRange = 4_000...768_000
    /// The largest valid absolute value of a sample; full scale is 1. Some programs write float samples in the range of
    /// 32-bit integers, up to 2,147,483,648. Sums of the squares of larger samples would overflow.
    public static let largestValidSample: Float = 1e10

    public let path: String
    public let sampleRate: SampleRate
    public let channelCount: Int
    /// The number of frames in the file: the number in its header less ``missingFrameCount``.
    public let frameCount: Int
    /// The number of frames that the header promises but the file does not contain; 0 for a complete recording.
    ///
    /// For a compressed recording it is 0, except for MP3, because its end is known only when ``read(into:)`` reaches it.
    /// All existing frames are delivered, and then reading ends with an error.
    public let missingFrameCount: Int
    public var duration: Seconds { Seconds(Double(frameCount) / sampleRate.hertz) }
    public private(set) var framesRead = 0

    /// The error that ended the reading. It is thrown again by each later read.
    private var endError: SoundFileError?
    private let file: OpaquePointer
    /// The file as libsndfile sees it, if that is not the file on the disk.
    private let completedFile: CompletedMPEGFile?
    /// The channel that ``read(into:)`` delivers: channel 1 in place of a mix in which the channels cancel each other.
    let channelChoice: AudioChannelChoice
    private let interleavedBuffer: UnsafeMutableBufferPointer<Float>
    /// The largest number of frames read from libsndfile at a time.
    private let blockFrames: Int

    /// Opens a recording.
    /// - Parameters:
    ///   - channel: the channel that ``read(into:)`` delivers, or the mix of all channels.
    ///   - blockFrames: the number of frames read at a time, 1…65,536. The reader allocates memory for this number
    ///     times the number of channels.
    /// - Throws: the cases of ``SoundFileError`` that concern reading.
    public init(
        path: String, channel: AudioChannelChoice = .meanOfAllChannels, blockFrames: Int = 4096
    ) throws(SoundFileError) {
        precondition((1...1 << 16).contains(blockFrames), "a block is 1 to 65536 frames, not \(blockFrames)")
        try checkReadable(path)
        let opened = try OpenedSoundFile(path)
        do throws(SoundFileError) {
            try checkSoundFormat(opened.format, of: path, for: channel)
        } catch {
            sf_close(opened.file)
            throw error
        }
        self.path = path
        self.file = opened.file
        completedFile = opened.completedFile
        self.blockFrames = blockFrames
        sampleRate = SampleRate(hertz: Double(opened.format.samplerate))
        channelCount = Int(opened.format.channels)
        frameCount = Int(opened.format.frames)
        missingFrameCount = opened.missingFrameCount
        let mixIsSilent = channel == .meanOfAllChannels && channelCount > 1 && channelsCancel(path)
        channelChoice = mixIsSilent ? .singleChannel(1) : channel
        interleavedBuffer = .allocate(capacity: blockFrames * channelCount)
        interleavedBuffer.initialize(repeating: 0)
    }

    deinit {
        sf_close(file)
        interleavedBuffer.deallocate()
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
            do throws(SoundFileError) {
                count = try readIntoInterleavedBuffer(min(blockFrames, buffer.count - filled))
            } catch {
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

    /// Continues the reading at another place.
    /// - Parameter frame: the next frame to read; frames after the end count as the end.
    /// - Throws: `truncated` if the file cannot be read there.
    public func seek(toFrame frame: Int) throws(SoundFileError) {
        let place = min(max(frame, 0), frameCount)
        guard sf_seek(file, sf_count_t(place), Int32(SEEK_SET)) == sf_count_t(place) else {
            throw .truncated(
                path: path, framesRead: framesRead, framesPromised: frameCount, rate: sampleRate,
                reason: libsndfileReason(file))
        }
        framesRead = place
        endError = nil
    }

    /// Reads the next block of all channels, interleaved as `[frame][channel]`; empty at the end. The buffer is valid
    /// until the next call.
    func readInterleavedBlock() throws(SoundFileError) -> UnsafeBufferPointer<Float> {
        let count = try readIntoInterleavedBuffer(blockFrames)
        return UnsafeBufferPointer(rebasing: interleavedBuffer[..<(count * channelCount)])
    }

    /// Reads the first block and goes back to the start.
    /// - Throws: `invalidSample` if a sample of it is no sound.
    public func checkFirstBlock() throws(SoundFileError) {
        _ = try readInterleavedBlock()
        try seek(toFrame: 0)
    }

    private func readIntoInterleavedBuffer(_ wanted: Int) throws(SoundFileError) -> Int {
        if let endError { throw endError }
        let count = Int(sf_readf_float(file, interleavedBuffer.baseAddress, sf_count_t(wanted)))
        framesRead += count
        // This comparison is false for NaN as well, so NaN is also found.
        if let index = (0..<count * channelCount).first(where: {
            !(abs(interleavedBuffer[$0]) <= Self.largestValidSample)
        }) {
            let end = SoundFileError.invalidSample(
                path: path, seconds: Double(framesRead - count + index / channelCount) / sampleRate.hertz,
                channel: index % channelCount + 1, value: interleavedBuffer[index])
            self.endError = end
            throw end
        }
        if count == 0, framesRead < frameCount + missingFrameCount {
            let end = SoundFileError.truncated(
                path: path, framesRead: framesRead, framesPromised: frameCount + missingFrameCount,
                rate: sampleRate,
                reason: sf_error(file) == 0 ? "the file ends there" : libsndfileReason(file))
            self.endError = end
            throw end
        }
        return count
    }

    private func copyChosenChannel(_ count: Int, into buffer: UnsafeMutableBufferPointer<Float>) {
        switch channelChoice {
        case .singleChannel(let number):
            for frame in 0..<count { buffer[frame] = interleavedBuffer[frame * channelCount + number - 1] }
        case .meanOfAllChannels where channelCount == 1:
            for frame in 0..<count { buffer[frame] = interleavedBuffer[frame] }
        case .meanOfAllChannels:
            let share = 1 / Float(channelCount)
            for frame in 0..<count {
                var sum: Float = 0
                for index in frame * channelCount..<(frame + 1) * channelCount {
                    sum += interleavedBuffer[index]
                }
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
