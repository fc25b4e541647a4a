import Glibc

extension FLACStreamHeader {
    /// Reads the header of a file on the disk.
    /// - Returns: nil if there is no such file, or if it is not FLAC.
    public init?(file path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = readBytes(descriptor, from: 0, atMost: 1 << 16)
        guard let header = bytes.withUnsafeBytes({ FLACStreamHeader($0) }) else { return nil }
        self = header
    }
}

/// Completes a FLAC file whose writer was killed: what follows the last complete frame is cut off, and the header
/// gets the true length.
public enum FLACRepair {
    /// The number of bytes at the end of a file that are searched for its last frame. What was written earlier was
    /// flushed to the disk seconds ago. A frame of the largest size takes 24 KB.
    static let searchedByteCount = 1 << 20

    /// Repairs a file. A complete one stays as it is.
    /// - Returns: the number of frames of sound in the file; 0 if not even one is complete.
    /// - Throws: ``SoundFileError/unreadable(path:reason:)`` or ``SoundFileError/notWritten(path:reason:)``.
    @discardableResult
    public static func repair(file path: String) throws(SoundFileError) -> Int {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: errnoText()) }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let beginning = readBytes(descriptor, from: 0, atMost: 1 << 16)
        guard var header = beginning.withUnsafeBytes({ FLACStreamHeader($0) }) else { return 0 }
        let promised = header.frameCount
        guard let end = findEnd(descriptor, size: size, in: header) else { return 0 }
        header.frameCount = end.frameCount
        if end.byteCount < size {
            guard ftruncate(descriptor, off_t(end.byteCount)) == 0 else {
                throw .notWritten(path: path, reason: errnoText())
            }
        }
        if header.frameCount != promised {
            guard write(header, to: descriptor) else { throw .notWritten(path: path, reason: errnoText()) }
        }
        guard fsync(descriptor) == 0 else { throw .notWritten(path: path, reason: errnoText()) }
        return header.frameCount
    }

    /// The number of frames of sound up to the last complete frame of a file.
    /// - Returns: nil if it has none, or if its frames are not all of one size.
    static func frameCount(inFile path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let header = FLACStreamHeader(file: path) else { return nil }
        return findEnd(descriptor, size: Int(lseek(descriptor, 0, SEEK_END)), in: header)?.frameCount
    }

    /// Writes a new length into the header of a file. The rest of the file stays.
    static func write(_ header: FLACStreamHeader, to descriptor: Int32) -> Bool {
        let field = header.lengthField
        return pwrite(descriptor, field, field.count, off_t(FLACStreamHeader.lengthFieldOffset))
            == field.count
    }

    /// Finds the end of the last complete frame.
    private static func findEnd(
        _ descriptor: Int32, size: Int, in header: FLACStreamHeader
    ) -> (byteCount: Int, frameCount: Int)? {
        let first = header.firstFrameOffset
        guard size > first else { return nil }
        for start in [max(first, size - searchedByteCount), first] {
            let bytes = readBytes(descriptor, from: start, atMost: size - start)
            let found = bytes.withUnsafeBytes { findEnd(in: $0, header) }
            if let found { return (start + found.byteCount, found.frameCount) }
            if start == first { break }
        }
        return nil
    }

    /// Finds the first frame in the bytes, and from there the end of the last frame in unbroken order.
    static func findEnd(
        in bytes: UnsafeRawBufferPointer, _ header: FLACStreamHeader
    ) -> (byteCount: Int, frameCount: Int)? {
        var start = 0
        while start < bytes.count {
            guard bytes[start] == 0xFF,
                var frame = FLACFrame(UnsafeRawBufferPointer(rebasing: bytes[start...]), in: header)
            else {
                start += 1
                continue
            }
            var end = start + frame.byteCount
            while end < bytes.count,
                let next = FLACFrame(UnsafeRawBufferPointer(rebasing: bytes[end...]), in: header),
                next.number == frame.number + 1
            {
                frame = next
                end += next.byteCount
            }
            return (end, frame.number * header.blockFrameCount + frame.frameCount)
        }
        return nil
    }
}

private func readBytes(_ descriptor: Int32, from offset: Int, atMost count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
        while filled < count {
            let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return }
            filled += got
        }
    }
}

func errnoText() -> String { String(cString: strerror(errno)) }
