import Basics
import Glibc

/// A FLAC file that is written while it is recorded, and that can be opened at any moment, also after `kill -9`.
///
/// The encoder writes each frame of 4,096 samples as soon as it has them. ``checkpoint()`` flushes what is there to the
/// disk and then writes its length into the header. ``FLACRepair`` finds what came after the last checkpoint.
public final class GrowingFLACFile {
    public let path: String
    /// The number of frames of sound that were given so far.
    public private(set) var writtenFrameCount = 0
    private let writer: SoundFileWriter
    private let descriptor: Int32
    /// Nil until the encoder has written it, which it does with the first samples.
    private var header: FLACStreamHeader?

    /// Creates the file, readable by its owner only.
    /// - Throws: the cases of ``SoundFileError`` that concern writing; also if there is a file of this name.
    public init(path: String, rate: SampleRate, channels: Int = 1) throws(SoundFileError) {
        self.path = path
        let created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard created >= 0 else { throw .notWritten(path: path, reason: errnoText()) }
        Glibc.close(created)
        writer = try SoundFileWriter(path: path, rate: rate, channels: channels, depth: .integer24)
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notWritten(path: path, reason: errnoText()) }
    }

    deinit { Glibc.close(descriptor) }

    /// Appends samples; see ``SoundFileWriter/write(_:)-(UnsafeBufferPointer<Float>)``.
    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError) {
        try writer.write(samples)
        writtenFrameCount += samples.count / writer.channelCount
    }

    /// Flushes the sound to the disk, and then promises its length in the header. May take as long as the disk takes.
    public func checkpoint() throws(SoundFileError) {
        guard fdatasync(descriptor) == 0 else { throw .notWritten(path: path, reason: errnoText()) }
        header = header ?? FLACStreamHeader(file: path)
        guard var header else { return }
        // The encoder keeps at most one block to itself, because it must know whether a further sample follows.
        header.frameCount = max(0, (writtenFrameCount / header.blockFrameCount - 1) * header.blockFrameCount)
        guard FLACRepair.write(header, to: descriptor) else {
            throw .notWritten(path: path, reason: errnoText())
        }
    }

    /// Completes the file and flushes it to the disk.
    public func close() throws(SoundFileError) {
        try writer.close()
        guard fsync(descriptor) == 0 else { throw .notWritten(path: path, reason: errnoText()) }
    }
}
