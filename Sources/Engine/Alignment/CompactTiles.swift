/// The frames of a reference, or their means, in half the space of ``TiledReferenceFrames``, laid out so that a live
/// frame is multiplied with 32 of them at a time.
///
/// A value takes two bytes: the upper half of a `Float`, rounded, which is exact to 0.4 %. A word holds the same value
/// of two frames that are sixteen apart. A tile is dimension-major: all first values of its frames, then all second
/// ones. The compiler can vectorise this without horizontal sums and without relaxed floating-point rules.
public struct CompactTiles: Sendable {
    /// The number of frames in a tile.
    public static let width = 32
    public static let bytesPerValue = 2
    /// The number of values in a frame.
    public let dimensions: Int
    /// The number of real frames; zeros fill the rest of the last tile.
    public let frameCount: Int
    private let tiles: [SIMD16<UInt32>]

    /// Lays out frames as tiles.
    /// - Parameter frames: the values of all frames, frame after frame: `frameCount × dimensions` of them.
    public init(frames: [Float], dimensions: Int) {
        precondition(
            dimensions > 0 && frames.count % dimensions == 0, "frames are whole, \(dimensions) values each")
        self.init(frameCount: frames.count / dimensions, dimensions: dimensions) { frame, values in
            for value in 0..<dimensions { values[value] = frames[frame * dimensions + value] }
        }
    }

    /// Lays out frames as tiles, one after the other.
    /// - Parameter writeFrame: writes the `dimensions` values of a frame.
    public init(
        frameCount: Int, dimensions: Int,
        writeFrame: (_ frame: Int, _ values: UnsafeMutablePointer<Float>) -> Void
    ) {
        self.dimensions = dimensions
        self.frameCount = frameCount
        let tileCount = (frameCount + Self.width - 1) / Self.width
        var tiles = [SIMD16<UInt32>](repeating: .zero, count: tileCount * dimensions)
        let values = zeroedFloats(dimensions)
        defer { values.deallocate() }
        tiles.withUnsafeMutableBytes { bytes in
            let words = bytes.assumingMemoryBound(to: UInt32.self)
            for frame in 0..<frameCount {
                writeFrame(frame, values)
                let first = frame / Self.width * dimensions * 16 + frame % 16
                let isSecond = frame % Self.width >= 16
                for value in 0..<dimensions {
                    let half = Self.rounded(values[value])
                    words[first + value * 16] |= isSecond ? half >> 16 : half
                }
            }
        }
        self.tiles = tiles
    }

    /// The bits of a value whose lower half is zero, rounded to even.
    @inline(__always)
    private static func rounded(_ value: Float) -> UInt32 {
        let bits = value.bitPattern
        return (bits &+ 0x7FFF &+ (bits >> 16 & 1)) & 0xFFFF_0000
    }

    /// Averages every `pooling` neighbouring frames into one. Frames left over at the end are dropped, unless there are
    /// no others.
    /// - Complexity: O(frames × dimensions).
    func pooled(by pooling: Int) -> CompactTiles {
        CompactTiles(frames: means(of: pooling), dimensions: dimensions)
    }

    /// The means of every `pooling` neighbouring frames, one after the other.
    private func means(of pooling: Int) -> [Float] {
        let count = max(frameCount / pooling, 1)
        let share = 1 / Float(pooling)
        var means = [Float](repeating: 0, count: count * dimensions)
        var frame = [Float](repeating: 0, count: dimensions)
        for source in 0..<min(count * pooling, frameCount) {
            frame.withUnsafeMutableBufferPointer { copyFrame(source, into: $0.baseAddress!) }
            let target = source / pooling * dimensions
            for value in 0..<dimensions { means[target + value] += frame[value] * share }
        }
        return means
    }

    /// The same frames, four bytes a value.
    public var expanded: TiledReferenceFrames {
        TiledReferenceFrames(frames: means(of: 1), dimensions: dimensions)
    }

    /// Writes the values of one frame.
    /// - Parameter values: receives `dimensions` values.
    /// - Complexity: O(dimensions). Real-time following thread: no locks, no allocation.
    func copyFrame(_ frame: Int, into values: UnsafeMutablePointer<Float>) {
        precondition(frame >= 0 && frame < frameCount, "frame \(frame) of \(frameCount)")
        tiles.withUnsafeBytes { bytes in
            let words = bytes.assumingMemoryBound(to: UInt32.self)
            let first = frame / Self.width * dimensions * 16 + frame % 16
            let isSecond = frame % Self.width >= 16
            for value in 0..<dimensions {
                let word = words[first + value * 16]
                values[value] = Float(bitPattern: isSecond ? word << 16 : word & 0xFFFF_0000)
            }
        }
    }

    public var tileCount: Int { tiles.count / dimensions }

    /// Writes the dot product of a live frame with every frame of a range of tiles.
    /// - Parameters:
    ///   - live: `dimensions` values.
    ///   - range: of tiles, not frames.
    ///   - output: `range.count × 32` values.
    /// - Complexity: O(range.count × 32 × dimensions). Real-time following thread: no locks, no allocation.
    public func similarities(
        of live: UnsafePointer<Float>, in range: Range<Int>, into output: UnsafeMutablePointer<Float>
    ) {
        precondition(range.lowerBound >= 0 && range.upperBound <= tileCount, "tiles \(range) of \(tileCount)")
        tiles.withUnsafeBufferPointer { tiles in
            let base = tiles.baseAddress!
            var target = UnsafeMutableRawPointer(output)
            for tile in range {
                var first = SIMD16<Float>.zero
                var second = SIMD16<Float>.zero
                let row = base + tile * dimensions
                for value in 0..<dimensions {
                    let words = row[value]
                    first += live[value] * unsafeBitCast(words & 0xFFFF_0000, to: SIMD16<Float>.self)
                    second += live[value] * unsafeBitCast(words &<< 16, to: SIMD16<Float>.self)
                }
                target.storeBytes(of: first, as: SIMD16<Float>.self)
                target.storeBytes(of: second, toByteOffset: 64, as: SIMD16<Float>.self)
                target += 2 * MemoryLayout<SIMD16<Float>>.stride
            }
        }
    }
}
