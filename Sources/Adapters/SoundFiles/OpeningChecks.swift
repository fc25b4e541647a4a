import CSndFile
import Glibc
import MusicalTime

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
    // libsndfile reports this length for an Ogg stream without a last page.
    guard format.frames < sf_count_t.max / 1024 else {
        throw .truncated(
            path: path, framesRead: 0, framesPromised: nil, rate: nil, reason: "its last page is missing")
    }
    if case .singleChannel(let number) = channel, !(1...channels).contains(number) {
        throw .noSuchChannel(path: path, wanted: number, channels: channels)
    }
}

/// The number of frames that the header of an uncompressed file promises but the file does not contain.
///
/// The number is parsed from libsndfile's log, for example `data : 705600 (should be 99920)`, in bytes. Some promised
/// lengths are ignored. Recorders that never wrote the length promise zero or all ones. Programs that write into a
/// pipe promise very large lengths (SoX 0x7FFFF000, arecord 0x80000000).
func promisedButMissingFrameCount(of file: OpaquePointer, frames: Int) -> Int {
    var log = [CChar](repeating: 0, count: 16_384)
    let length = sf_command(file, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
    let text = String(decoding: log.prefix(max(0, Int(length))).map(UInt8.init(bitPattern:)), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("data :") && line.hasSuffix(")") {
        let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0, numbers[0] < Int(UInt32.max) - 0xFFFF,
            !(0x7FFF_0000...0x8000_FFFF).contains(numbers[0])
        else { continue }
        let (promised, held) = (numbers[0], numbers[1])
        let missing = Double(frames) * (Double(promised) / Double(held) - 1)
        return Int(max(0, missing.rounded()))
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
