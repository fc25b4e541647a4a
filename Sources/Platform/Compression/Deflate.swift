import CZlib

/// Compresses and decompresses raw deflate data with zlib, without zlib's header and trailer. Source: RFC 1951.
public enum Deflate {
    /// The maximum number of bytes that one step of decompression produces.
    public static let chunkBytes = 64 << 10

    /// Compresses bytes, fewer than 2 GB.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        compress(bytes, windowBits: -MAX_WBITS, flush: Z_FINISH)
    }

    /// Compresses bytes; nil if the result would not be smaller.
    public static func compressIfSmaller(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count < Int(Int32.max) else { return nil }
        let packed = compress(bytes)
        return packed.count < bytes.count ? packed : nil
    }

    /// Compresses bytes with zlib's own parameters.
    /// - Parameters:
    ///   - windowBits: as in zlib's `deflateInit2`; chooses the header and trailer (none, zlib or gzip).
    ///   - flush: `Z_FINISH` for a whole stream, `Z_SYNC_FLUSH` for blocks that others may follow.
    static func compress(_ bytes: [UInt8], windowBits: Int32, flush: Int32) -> [UInt8] {
        let stream = allocateStream()
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        precondition(opened == Z_OK, "zlib found no memory")
        defer { deflateEnd(stream) }
        // Room for the whole result at once; the 16 bytes are for the empty block that a flush adds.
        let most = Int(deflateBound(stream, UInt(bytes.count))) + 16
        return [UInt8](unsafeUninitializedCapacity: most) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(most)
                let status = deflate(stream, flush)
                precondition(status == Z_STREAM_END || status == Z_OK, "zlib packs whatever it is given")
            }
            count = most - Int(stream.pointee.avail_out)
        }
    }

    /// The reason why compressed bytes cannot be decompressed.
    public enum DecompressionFault: Error {
        case endsTooEarly, malformed, outOfMemory
    }

    /// Decompresses bytes piece by piece.
    /// - Parameters:
    ///   - next: returns the next compressed bytes; empty at their end.
    ///   - take: receives the decompressed bytes, at most ``chunkBytes`` at a time; may throw to stop.
    ///   - naming: turns a fault into the caller's error.
    public static func decompress<Failure: Error>(
        next: () throws(Failure) -> [UInt8], take: ([UInt8]) throws(Failure) -> Void,
        naming: (DecompressionFault) -> Failure
    ) throws(Failure) {
        let stream = allocateStream()
        defer { stream.deallocate() }
        guard inflateInit2_(stream, -MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw naming(.outOfMemory) }
        defer { inflateEnd(stream) }
        var status = Z_OK
        while status != Z_STREAM_END {
            var input = try next()
            guard !input.isEmpty else { throw naming(.endsTooEarly) }
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
                    throw naming(.malformed)
                }
                used += read
                if wrote > 0 { try take(Array(output.prefix(wrote))) }
                if read == 0, wrote == 0 { break }
            } while status != Z_STREAM_END
        }
    }

    /// Allocates zlib's stream at a fixed address, because zlib refuses a stream that was moved.
    private static func allocateStream() -> UnsafeMutablePointer<z_stream> {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        return stream
    }
}
