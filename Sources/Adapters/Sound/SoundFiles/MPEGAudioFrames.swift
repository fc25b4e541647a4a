import CSndFile
import Glibc

/// The frames of MPEG audio (MP3) in a file, found by their headers without decoding them.
///
/// Only a file with an Info or Xing header says how long it is, and a program that cuts or joins files may leave a
/// wrong one. Without it libsndfile takes an estimate from the file's size for the length, and reads no further.
///
/// Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3.
struct MPEGAudioFrames: Equatable {
    /// The offset in bytes of the first frame with sound, and of the end of the last complete one.
    private(set) var bytes: Range<Int>
    /// The number of frames of sound (samples of each channel) in the complete MPEG frames.
    private(set) var frameCount = 0
    /// The number that the Info or Xing header promises; nil if there is none.
    private(set) var promisedFrameCount: Int?
    /// True if the file ends within an MPEG frame.
    private(set) var endsInsideFrame = false
    private let firstHeader: Header
    private var firstHeaderBytes: [UInt8]

    /// Finds the frames of an open file.
    /// - Returns: nil if there are none, or if their length is not in their headers (free format).
    init?(descriptor: Int32) {
        var file = BufferedFile(descriptor: descriptor)
        guard let (start, header) = Self.findFrame(in: &file, from: 0, like: nil) else { return nil }
        firstHeader = header
        firstHeaderBytes = file.read(4, at: start)
        bytes = start..<start
        var offset = start
        if let count = Self.promisedMPEGFrameCount(file.read(min(header.byteCount, 200), at: start), header) {
            promisedFrameCount = count.map { $0 * header.frameCount }
            offset += header.byteCount
            bytes = offset..<offset
        }
        while true {
            guard let header = Header(file.read(4, at: offset)), header.isLike(firstHeader) else {
                guard let (next, _) = Self.findFrame(in: &file, from: offset, like: firstHeader) else {
                    break
                }
                offset = next
                continue
            }
            guard offset + header.byteCount <= file.byteCount else {
                endsInsideFrame = true
                break
            }
            offset += header.byteCount
            frameCount += header.frameCount
            bytes = bytes.lowerBound..<offset
        }
        guard frameCount > 0 else { return nil }
    }

    /// An MPEG frame with an Info header that says the true number of frames, to be read before ``bytes``.
    var infoFrame: [UInt8] {
        // 128 kbit/s or the nearest: all such frames have room for the header.
        let head = [
            0xFF, firstHeaderBytes[1] | 1, firstHeaderBytes[2] & 0x0C | 0x90, firstHeaderBytes[3],
        ]
        guard let header = Header(head) else { return [] }
        var frame = head + [UInt8](repeating: 0, count: header.byteCount - 4)
        let count = frameCount / header.frameCount
        let length = header.byteCount + self.bytes.count
        let tag = Array("Info".utf8) + Self.bigEndian(3) + Self.bigEndian(count) + Self.bigEndian(length)
        frame.replaceSubrange(header.infoOffset..<(header.infoOffset + tag.count), with: tag)
        return frame
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The number in an Info or Xing header: nil if the frame has no such header, `.some(nil)` if the header has no
    /// number.
    private static func promisedMPEGFrameCount(_ frame: [UInt8], _ header: Header) -> Int?? {
        let at = header.infoOffset
        guard header.layer == 3, frame.count >= at + 12 else { return nil }
        let tag = frame[at..<(at + 4)]
        guard tag.elementsEqual("Info".utf8) || tag.elementsEqual("Xing".utf8) else { return nil }
        guard frame[at + 7] & 1 != 0 else { return .some(nil) }
        return frame[(at + 8)..<(at + 12)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Finds a frame that another one of the same kind follows, or the end of the file.
    private static func findFrame(
        in file: inout BufferedFile, from start: Int, like other: Header?
    ) -> (offset: Int, header: Header)? {
        var offset = start
        if offset == 0, file.read(3, at: 0).elementsEqual("ID3".utf8) {
            offset = 10 + file.read(4, at: 6).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        }
        while offset + 4 <= file.byteCount {
            if file.byte(at: offset) == 0xFF, let header = Header(file.read(4, at: offset)),
                other.map(header.isLike) ?? true
            {
                let end = offset + header.byteCount
                if end == file.byteCount { return (offset, header) }
                if let next = Header(file.read(4, at: end)), next.isLike(header) { return (offset, header) }
            }
            offset += 1
        }
        return nil
    }

    private struct Header: Equatable {
        private static let kilobits: [[Int]] = [
            [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
            [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        ]

        let layer: Int
        let hertz: Int
        let isVersion1: Bool
        let isMono: Bool
        let byteCount: Int
        /// The number of frames of sound in it.
        let frameCount: Int

        init?(_ bytes: [UInt8]) {
            guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
            let version = Int(bytes[1]) >> 3 & 3
            let (rate, hertzCode) = (Int(bytes[2]) >> 4, Int(bytes[2]) >> 2 & 3)
            layer = 4 - (Int(bytes[1]) >> 1 & 3)
            guard version != 1, layer != 4, rate != 0, rate != 15, hertzCode != 3 else { return nil }
            isVersion1 = version == 3
            isMono = bytes[3] >> 6 == 3
            hertz = [44_100, 48_000, 32_000][hertzCode] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
            frameCount = layer == 1 ? 384 : layer == 2 || isVersion1 ? 1_152 : 576
            let bits = 1_000 * Self.kilobits[isVersion1 ? layer - 1 : layer == 1 ? 3 : 4][rate]
            let padding = Int(bytes[2]) >> 1 & 1
            byteCount =
                layer == 1 ? (12 * bits / hertz + padding) * 4 : frameCount / 8 * bits / hertz + padding
        }

        /// The offset of an Info header in the frame: after its own header and the side information.
        var infoOffset: Int { 4 + (isVersion1 ? isMono ? 17 : 32 : isMono ? 9 : 17) }

        func isLike(_ other: Header) -> Bool {
            layer == other.layer && hertz == other.hertz && isVersion1 == other.isVersion1
        }
    }
}

/// An MP3 file that libsndfile sees with a true Info header before its frames and without what lies around them.
final class CompletedMPEGFile {
    private let descriptor: Int32
    private let head: [UInt8]
    private let bytes: Range<Int>
    private var offset = 0

    /// - Parameter descriptor: an open file, which this object closes.
    init(descriptor: Int32, frames: MPEGAudioFrames) {
        self.descriptor = descriptor
        head = frames.infoFrame
        bytes = frames.bytes
    }

    deinit { close(descriptor) }

    private var byteCount: Int { head.count + bytes.count }

    /// Opens the file with libsndfile. This object must outlive it.
    func open(_ format: inout SF_INFO) -> OpaquePointer? {
        var access = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(CompletedMPEGFile.from($0).byteCount) },
            seek: { CompletedMPEGFile.from($2).seek(Int($0), $1) },
            read: { CompletedMPEGFile.from($2).read(into: $0, Int($1)) },
            write: { _, _, _ in 0 }, tell: { sf_count_t(CompletedMPEGFile.from($0).offset) })
        return sf_open_virtual(&access, Int32(SFM_READ), &format, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> CompletedMPEGFile {
        Unmanaged<CompletedMPEGFile>.fromOpaque(pointer!).takeUnretainedValue()
    }

    private func seek(_ place: Int, _ origin: Int32) -> sf_count_t {
        let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? offset : byteCount
        offset = min(max(base + place, 0), byteCount)
        return sf_count_t(offset)
    }

    private func read(into buffer: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
        guard let buffer else { return 0 }
        var filled = 0
        while filled < count, offset < byteCount {
            let wanted = min(count - filled, byteCount - offset)
            let got: Int
            if offset < head.count {
                got = min(wanted, head.count - offset)
                head.withUnsafeBytes {
                    (buffer + filled).copyMemory(from: $0.baseAddress! + offset, byteCount: got)
                }
            } else {
                got = pread(
                    descriptor, buffer + filled, wanted, off_t(bytes.lowerBound + offset - head.count))
            }
            guard got > 0 else { break }
            filled += got
            offset += got
        }
        return sf_count_t(filled)
    }
}

/// Reads a few bytes at a time from a file, mostly forwards.
private struct BufferedFile {
    let descriptor: Int32
    let byteCount: Int
    private var buffer: [UInt8] = []
    private var start = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
        byteCount = Int(lseek(descriptor, 0, SEEK_END))
    }

    /// At most `count` bytes, of at most 64 KiB: fewer at the end of the file.
    mutating func read(_ count: Int, at offset: Int) -> [UInt8] {
        load(offset, count)
        let first = min(offset - start, buffer.count)
        return Array(buffer[first..<min(first + count, buffer.count)])
    }

    mutating func byte(at offset: Int) -> UInt8? {
        load(offset, 1)
        return offset - start < buffer.count ? buffer[offset - start] : nil
    }

    private mutating func load(_ offset: Int, _ count: Int) {
        guard offset < start || offset + count > start + buffer.count else { return }
        start = offset
        buffer = [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, filled in
            filled = max(0, pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
        }
    }
}
