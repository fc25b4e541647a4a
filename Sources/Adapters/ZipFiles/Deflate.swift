import CZlib

/// Raw deflate with zlib, without zlib's header and trailer. Source: RFC 1951.
enum Deflate {
    /// The number of bytes that one call of zlib processes.
    static let chunkBytes = 64 << 10

    /// A stream at a fixed address: zlib refuses a stream that was moved.
    private static func newStream() -> UnsafeMutablePointer<z_stream> {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        return stream
    }

    static func check(_ bytes: [UInt8], after check: UInt32 = 0) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(UInt(check), bytes, UInt32(bytes.count)))
    }

    /// Compresses bytes; nil if the result would not be smaller.
    static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count < Int(Int32.max) else { return nil }
        let stream = newStream()
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        var packed = [UInt8](repeating: 0, count: bytes.count - 1)
        let ended = bytes.withUnsafeBufferPointer { input in
            packed.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return deflate(stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard ended else { return nil }
        return Array(packed.prefix(packed.count - Int(stream.pointee.avail_out)))
    }

    /// Decompresses piece by piece, never more than the promised size.
    /// - Parameters:
    ///   - promised: the size in bytes after decompression.
    ///   - next: returns the next compressed bytes; empty at their end.
    ///   - take: receives decompressed bytes as they come.
    static func unpack(
        promised: Int, next: () throws(ZipError) -> [UInt8], take: ([UInt8]) throws(ZipError) -> Void
    ) throws(ZipError) {
        let stream = newStream()
        defer { stream.deallocate() }
        guard inflateInit2_(stream, -MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .notWritten(reason: "there is not enough memory") }
        defer { inflateEnd(stream) }
        var made = 0
        var status = Z_OK
        while status != Z_STREAM_END {
            var input = try next()
            guard !input.isEmpty else { throw .broken(what: "a file in it ends too early") }
            var used = 0
            repeat {
                var output = [UInt8](repeating: 0, count: chunkBytes)
                let (read, wrote) = input.withUnsafeMutableBufferPointer { input -> (Int, Int) in
                    output.withUnsafeMutableBufferPointer { output -> (Int, Int) in
                        stream.pointee.next_in = input.baseAddress! + used
                        stream.pointee.avail_in = UInt32(input.count - used)
                        stream.pointee.next_out = output.baseAddress
                        stream.pointee.avail_out = UInt32(output.count)
                        status = inflate(stream, Z_NO_FLUSH)
                        return (
                            input.count - used - Int(stream.pointee.avail_in),
                            output.count - Int(stream.pointee.avail_out)
                        )
                    }
                }
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw .broken(what: "a file in it cannot be unpacked")
                }
                used += read
                made += wrote
                guard made <= promised else { throw .broken(what: "a file in it is longer than it says") }
                if wrote > 0 { try take(Array(output.prefix(wrote))) }
                if read == 0, wrote == 0 { break }
            } while status != Z_STREAM_END
        }
        guard made == promised else { throw .broken(what: "a file in it is shorter than it says") }
    }
}
