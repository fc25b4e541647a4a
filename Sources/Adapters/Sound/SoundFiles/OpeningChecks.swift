import Basics
import CSndFile
import Glibc

/// Checks with the operating system that a file can be read, because libsndfile's errors about missing files are vague.
func checkReadable(_ path: String) throws(SoundFileError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
        throw errno == ENOENT || errno == ENOTDIR
            ? .missing(path: path) : .unreadable(path: path, reason: describeSystemError(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .unreadable(path: path, reason: "it is a folder")
    default: throw .unreadable(path: path, reason: "it is not a plain file")
    }
    guard access(path, R_OK) == 0 else { throw .unreadable(path: path, reason: describeSystemError(errno)) }
    if status.st_size == 0 { throw .empty(path: path) }
}

/// The reason why libsndfile did not open the file. Call it directly after the failure, because libsndfile keeps only
/// its last error.
func openingError(_ path: String) -> SoundFileError {
    let reason = libsndfileReason(nil)
    if let sound = CompressedSound(of: path) { return .compressedUnsupported(path: path, sound: sound) }
    // The file is there, so this text of libsndfile's would mislead.
    let isOther = reason.hasPrefix("File does not exist")
    return .notAudio(path: path, reason: isOther ? "its content is of another kind" : reason)
}

/// Refuses sound formats that would be decoded as noise, would never end, or would need an absurd amount of memory.
func checkSoundFormat(_ format: SF_INFO, of path: String, for channel: AudioChannelChoice)
    throws(SoundFileError)
{
    guard SoundFileReader.supportedHertzRange.contains(Int(format.samplerate)) else {
        throw .absurdSampleRate(
            path: path, hertz: Int(format.samplerate), allowed: SoundFileReader.supportedHertzRange)
    }
    let channels = Int(format.channels)
    guard (1...SoundFileReader.channelLimit).contains(channels) else {
        throw .tooManyChannels(path: path, channels: channels, limit: SoundFileReader.channelLimit)
    }
    guard format.frames > 0 else { throw .empty(path: path) }
    // libsndfile reports this length for a stream that does not say where it ends.
    guard format.frames < sf_count_t.max / 1024 else { throw .unknownLength(path: path) }
    if case .singleChannel(let number) = channel, !(1...channels).contains(number) {
        throw .noSuchChannel(path: path, wanted: number, channels: channels)
    }
}

/// A file that libsndfile has opened, with its true length.
struct OpenedSoundFile {
    let file: OpaquePointer
    /// `frames` is the number of frames in the file.
    private(set) var format = SF_INFO()
    /// The number of frames that the header promises and the file does not contain.
    private(set) var missingFrameCount = 0
    private(set) var completedFile: CompletedMPEGFile?

    init(_ path: String) throws(SoundFileError) {
        guard let file = sf_open(path, Int32(SFM_READ), &format) else { throw openingError(path) }
        switch Int(format.format) & Int(SF_FORMAT_TYPEMASK) {
        case Int(SF_FORMAT_MPEG):
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { break }
            guard let frames = MPEGAudioFrames(descriptor: descriptor) else {
                close(descriptor)
                break
            }
            let completed = CompletedMPEGFile(descriptor: descriptor, frames: frames)
            let (held, promised) = (frames.frameCount, frames.promisedFrameCount)
            if let promised, held < promised, frames.endsInsideFrame {
                missingFrameCount = promised - held
                format.frames = sf_count_t(min(held, Int(format.frames)))
            } else if held != promised ?? Int(format.frames) {
                var completedFormat = SF_INFO()
                guard let other = completed.open(&completedFormat) else { break }
                sf_close(file)
                (self.file, format, completedFile) = (other, completedFormat, completed)
                return
            }
        case Int(SF_FORMAT_FLAC) where format.frames == sf_count_t.max:
            // A stream that was written into a pipe does not say its length; its last frame has its number.
            if let count = FLACRepair.frameCount(inFile: path) { format.frames = sf_count_t(count) }
        default:
            missingFrameCount = promisedButMissingFrameCount(of: file, format)
        }
        self.file = file
    }
}

/// Whether the channels of a recording cancel each other: in eight places together, the mix is at least 20 dB quieter
/// than the loudest channel.
func channelsCancel(_ path: String) -> Bool {
    guard let opened = try? OpenedSoundFile(path) else { return false }
    defer { withExtendedLifetime(opened.completedFile) { _ = sf_close(opened.file) } }
    let channels = Int(opened.format.channels)
    var block = [Float](repeating: 0, count: 4_096 * channels)
    var squares = [Double](repeating: 0, count: channels)
    var mixSquares = 0.0
    for place in 0..<8 {
        let start = opened.format.frames / 8 * sf_count_t(place)
        guard sf_seek(opened.file, start, Int32(SEEK_SET)) == start else { continue }
        for frame in 0..<max(0, Int(sf_readf_float(opened.file, &block, 4_096))) {
            var sum = 0.0
            for channel in 0..<channels {
                let sample = Double(block[frame * channels + channel])
                squares[channel] += sample * sample
                sum += sample
            }
            mixSquares += sum * sum / Double(channels * channels)
        }
    }
    let loudest = squares.max() ?? 0
    return loudest > 0 && mixSquares < loudest / 100
}

/// The number of frames that the header of an uncompressed file promises but the file does not contain.
///
/// The number is parsed from libsndfile's log, for example `data : 705600 (should be 99920)`, in bytes. Some promised
/// lengths are ignored. Recorders that never wrote the length promise zero or all ones. Programs that write into a
/// pipe promise very large lengths (SoX 0x7FFFF000, arecord 0x80000000). Programs that count the header or a last
/// buffer as well promise a little too much: less than a tenth of a second and a hundredth of the file.
private func promisedButMissingFrameCount(of file: OpaquePointer, _ format: SF_INFO) -> Int {
    let frames = Int(format.frames)
    var log = [CChar](repeating: 0, count: 16_384)
    let length = sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    let text = String(decoding: log.prefix(max(0, Int(length))).map(UInt8.init(bitPattern:)), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("data :") && line.hasSuffix(")") {
        let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0, numbers[0] < Int(UInt32.max) - 0xFFFF,
            !(0x7FFF_0000...0x8000_FFFF).contains(numbers[0])
        else { continue }
        let (promised, held) = (numbers[0], numbers[1])
        let missing = Int(max(0, (Double(frames) * (Double(promised) / Double(held) - 1)).rounded()))
        return missing < Int(format.samplerate) / 10 && missing < frames / 100 ? 0 : missing
    }
    return 0
}

/// The text of libsndfile's last error, without the prefix "Error :" and the full stop.
func libsndfileReason(_ file: OpaquePointer?) -> String {
    guard let text = sf_strerror(file) else { return "unknown error" }
    var reason = Substring(String(cString: text))
    if reason.hasPrefix("Error : ") { reason = reason.dropFirst("Error : ".count) }
    if reason.hasSuffix(".") { reason = reason.dropLast() }
    return String(reason)
}

func describeSystemError(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
