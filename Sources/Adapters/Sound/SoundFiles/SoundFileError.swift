import Basics

/// The reason why a recording could not be read or written.
public enum SoundFileError: Explained, Equatable, Sendable {
    case missing(path: String)
    /// The file exists, but the operating system did not open it.
    case unreadable(path: String, reason: String)
    /// libsndfile does not know the file's format, or the file is broken; `reason` is libsndfile's text.
    case notAudio(path: String, reason: String)
    /// The file is an MPEG-4 container or bare AAC, which libsndfile does not read.
    case compressedUnsupported(path: String, sound: CompressedSound)
    case empty(path: String)
    /// The file has sound, but does not say where it ends.
    case unknownLength(path: String)
    /// The file is shorter than its header promises; `framesPromised` is nil if the promised length is unknown.
    case truncated(path: String, framesRead: Int, framesPromised: Int?, rate: SampleRate?, reason: String)
    /// The file contains a sample that is NaN or infinite, or louder than ``SoundFileReader/largestValidSample``.
    case invalidSample(path: String, seconds: Double, channel: Int, value: Float)
    case tooManyChannels(path: String, channels: Int, limit: Int)
    case absurdSampleRate(path: String, hertz: Int, allowed: ClosedRange<Int>)
    case noSuchChannel(path: String, wanted: Int, channels: Int)
    case unknownFileExtension(path: String)
    /// The file format does not support this sample rate, number of channels or sample depth.
    case unwritableFormat(path: String, hertz: Int, channels: Int, depth: SampleDepth)
    case notWritten(path: String, reason: String)

    public var sentence: String {
        switch self {
        case .missing(let path):
            "There is no file “\(path)”. Check the spelling and the folder."
        case .unreadable(let path, let reason):
            "“\(path)” cannot be opened: \(reason)."
        case .notAudio(let path, let reason):
            "“\(path)” is not audio that can be read here (\(reason)). Give a WAV, FLAC, Ogg, Opus or MP3 file."
        case .compressedUnsupported(let path, let sound):
            Self.sentence(about: sound, in: path)
        case .empty(let path):
            "“\(path)” holds no audio: its length is zero. If its recorder was cut off, rescue it: "
                + "ffmpeg -i '\(path)' rescued.flac"
        case .unknownLength(let path):
            "“\(path)” does not say where it ends. Write it anew: ffmpeg -i '\(path)' complete.flac"
        case .truncated(let path, let read, let promised, let rate, let reason):
            "“\(path)” is cut short: \(Self.describeEndPosition(read, promised, rate)) (\(reason)). "
                + "Copy it again, or rescue the rest: ffmpeg -i '\(path)' rescued.flac"
        case .invalidSample(let path, let seconds, let channel, let value):
            "“\(path)” holds at \(formatWithOneDecimal(seconds)) s, in channel \(channel), an invalid sample "
                + "(\(value.isFinite ? "\(value)" : "not a number")): the file is damaged, or was exported wrongly. "
                + "Export it again, as 24-bit WAV or FLAC."
        case .tooManyChannels(let path, let channels, let limit):
            "“\(path)” has \(channels) channels; at most \(limit) are read. Export a stereo mix."
        case .absurdSampleRate(let path, let hertz, let allowed):
            "“\(path)” says it has \(hertz) samples a second; possible are "
                + "\(allowed.lowerBound) to \(allowed.upperBound). Its header is probably broken."
        case .noSuchChannel(let path, let wanted, let channels):
            "“\(path)” has no channel \(wanted): it has \(channels). Choose 1 to \(channels), or mix."
        case .unknownFileExtension(let path):
            "The ending of “\(path)” names no format that can be written. Use .wav, .flac or .ogg."
        case .unwritableFormat(let path, let hertz, let channels, let depth):
            "“\(path)” cannot hold \(channels) channels at \(hertz) Hz as \(depth.rawValue). "
                + "Use .wav, or another depth."
        case .notWritten(let path, let reason):
            "“\(path)” could not be written: \(reason). Check the folder, its permissions and the free space."
        }
    }

    private static func sentence(about sound: CompressedSound, in path: String) -> String {
        let name: String
        switch sound {
        case _ where sound == .protected || path.lowercased().hasSuffix(".m4p"):
            return
                "“\(path)” is protected against copying, so only the shop's own program plays it. Use a CD, or a "
                + "file without protection."
        case .incomplete:
            return
                "“\(path)” is an incomplete MPEG-4 file: the recording or the copy was broken off. Copy it again "
                + "from the telephone or camera that made it."
        case .aac: name = "AAC audio"
        case .appleLossless: name = "Apple Lossless audio (ALAC)"
        case .other(let letters): name = "audio of the kind “\(letters)” in an MPEG-4 file"
        case .silent, .protected:
            return
                "“\(path)” is an MPEG-4 file in which no sound was found. Play it: if there is sound, convert it "
                + "\(conversionByVLC); if not, choose another file."
        }
        return
            "“\(path)” is \(name), which cannot be read here. Convert it first, \(conversionByVLC), or in a "
            + "terminal: ffmpeg -i '\(path)' '\(removeFileExtension(path)).flac'"
    }

    /// A way to FLAC without a terminal, in the words of VLC's own menus.
    public static let conversionByVLC = "with VLC (Media, Convert / Save, the profile “Audio - FLAC”)"

    /// The part of an error message that says where the recording ends. It is in seconds if the sample rate and the
    /// promised length are known, otherwise in frames.
    private static func describeEndPosition(_ read: Int, _ promised: Int?, _ rate: SampleRate?) -> String {
        guard let rate else {
            return "it ends after \(read)" + (promised.map { " of \($0)" } ?? "") + " frames"
        }
        let end = "it ends at \(formatWithOneDecimal(Double(read) / rate.hertz)) s"
        return promised.map { end + " of \(formatWithOneDecimal(Double($0) / rate.hertz)) s" } ?? end
    }

    private static func removeFileExtension(_ path: String) -> Substring {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path[...] }
        return path[..<dot]
    }
}
