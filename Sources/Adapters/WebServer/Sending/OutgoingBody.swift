import Glibc
import NIOCore
import NIOPosix

/// The body of a response that is sent in chunks, each when its reader accepts more.
struct OutgoingBody: Sendable {
    enum Content: Sendable {
        /// Buffers that many responses share. Sending copies nothing of them.
        case shared([ByteBuffer])
        /// Bytes that were made for this response alone.
        case own([UInt8])
        /// A part of a file on the disk.
        case file(path: String, range: Range<Int>)
    }

    let content: Content
    let byteCount: Int

    /// The number of bytes read and sent at a time. A slow reader occupies this much memory.
    static let chunkBytes = 16_384
    /// The memory that one place of ``RequestQueue/Limits/forBodies`` stands for: a chunk, and what the connection
    /// and the system need for it.
    static let placeBytes = 32_768

    init(_ content: Content) {
        self.content = content
        byteCount =
            switch content {
            case .shared(let buffers): buffers.reduce(0) { $0 + $1.readableBytes }
            case .own(let bytes): bytes.count
            case .file(_, let range): range.count
            }
    }

    /// The body as one buffer; nil if it is too large to be sent with a single write.
    var asSingleWrite: ByteBuffer? {
        guard byteCount > 0 else { return ByteBuffer() }
        guard byteCount <= Self.placeBytes else { return nil }
        switch content {
        case .own(let bytes): return ByteBuffer(bytes: bytes)
        case .shared(let buffers):
            guard buffers.count != 1 else { return buffers[0] }
            return buffers.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
        case .file: return nil
        }
    }

    /// The number of places that the body occupies until it is sent.
    var placeCount: Int {
        if case .own = content { return (byteCount + Self.placeBytes - 1) / Self.placeBytes }
        return 1
    }
}

/// Reads the chunks of a body, one after another.
struct BodyReader {
    private let content: OutgoingBody.Content
    private let file: OpenFile?
    private(set) var remainingBytes: Int
    private var bufferIndex = 0
    /// The position in the file, the bytes or the current buffer.
    private var offset: Int

    /// Opens the body's file, if it is one.
    /// - Returns: nil if the file cannot be opened.
    init?(_ body: OutgoingBody) {
        content = body.content
        remainingBytes = body.byteCount
        guard case .file(let path, let range) = content else {
            (file, offset) = (nil, 0)
            return
        }
        guard let file = OpenFile(path: path) else { return nil }
        (self.file, offset) = (file, range.lowerBound)
    }

    enum Chunk {
        case ready(ByteBuffer)
        case onDisk(OpenFile, offset: Int, count: Int)
    }

    /// The next chunk, at most ``OutgoingBody/chunkBytes`` long; nil after the last one.
    mutating func takeNextChunk() -> Chunk? {
        guard remainingBytes > 0 else { return nil }
        let most = min(OutgoingBody.chunkBytes, remainingBytes)
        switch content {
        case .file:
            guard let file else { return nil }
            defer { advance(by: most) }
            return .onDisk(file, offset: offset, count: most)
        case .own(let bytes):
            defer { advance(by: most) }
            return .ready(ByteBuffer(bytes: bytes[offset..<offset + most]))
        case .shared(let buffers):
            while buffers[bufferIndex].readableBytes == offset {
                (bufferIndex, offset) = (bufferIndex + 1, 0)
            }
            let buffer = buffers[bufferIndex]
            let count = min(most, buffer.readableBytes - offset)
            defer { advance(by: count) }
            return buffer.getSlice(at: buffer.readerIndex + offset, length: count).map(Chunk.ready)
        }
    }

    private mutating func advance(by count: Int) {
        offset += count
        remainingBytes -= count
    }
}

/// A file that is open for reading until this object is released.
final class OpenFile: Sendable {
    private let descriptor: CInt

    struct ReadError: Error {}

    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Reads exactly so many bytes, which may wait for the disk.
    func read(at offset: Int, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let (place, rest) = (offset + buffer.readableBytes, count - buffer.readableBytes)
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: rest) { space in
                max(0, pread(descriptor, space.baseAddress, rest, off_t(place)))
            }
            // The file has become shorter, or the disk fails.
            if got == 0 { throw ReadError() }
        }
        return buffer
    }
}

/// The threads that read the files being sent. They have a low priority, and on the event loops nothing waits for a
/// disk.
enum FileReadThreads {
    private static let niceness: CInt = 10

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 2)
        pool.start()
        return pool
    }()

    static func read(_ file: OpenFile, at offset: Int, count: Int, on loop: any EventLoop)
        -> EventLoopFuture<ByteBuffer>
    {
        pool.runIfActive(eventLoop: loop) {
            // Of this thread only. It costs less than a microsecond.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            return try file.read(at: offset, count: count)
        }
    }
}
