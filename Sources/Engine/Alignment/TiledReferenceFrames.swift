/// The frames of a reference, laid out so that a live frame is multiplied with sixteen of them at a time.
///
/// Inside a tile the values are dimension-major: all sixteen first values, then all sixteen second ones. The
/// compiler can vectorise this without horizontal sums and without relaxed floating-point rules.
public struct TiledReferenceFrames: Sendable {
    public static let framesPerTile = 16
    /// The number of values in a frame.
    public let dimensions: Int
    /// The number of real frames; zeros fill the rest of the last tile.
    public let frameCount: Int
    let simdTiles: [SIMD16<Float>]

    /// Lays out frames as tiles.
    /// - Parameter frames: the values of all frames, frame after frame: `frameCount × dimensions` of them.
    public init(frames: [Float], dimensions: Int) {
        precondition(
            dimensions > 0 && frames.count % dimensions == 0, "frames are whole, \(dimensions) values each")
        self.dimensions = dimensions
        frameCount = frames.count / dimensions
        let tileCount = (frameCount + Self.framesPerTile - 1) / Self.framesPerTile
        var tiles = [SIMD16<Float>](repeating: .zero, count: tileCount * dimensions)
        for frame in 0..<frameCount {
            let tile = frame / Self.framesPerTile * dimensions
            for value in 0..<dimensions {
                tiles[tile + value][frame % Self.framesPerTile] = frames[frame * dimensions + value]
            }
        }
        self.simdTiles = tiles
    }

    /// Writes the values of one frame.
    /// - Parameter values: receives `dimensions` values.
    /// - Complexity: O(dimensions). Safe on the real-time following thread: no lock, no allocation.
    func copyFrame(_ frame: Int, into values: UnsafeMutablePointer<Float>) {
        precondition(frame >= 0 && frame < frameCount, "frame \(frame) of \(frameCount)")
        simdTiles.withUnsafeBytes { bytes in
            let lanes = bytes.assumingMemoryBound(to: Float.self)
            let first =
                frame / Self.framesPerTile * dimensions * Self.framesPerTile + frame % Self.framesPerTile
            for value in 0..<dimensions { values[value] = lanes[first + value * Self.framesPerTile] }
        }
    }

    public var tileCount: Int { simdTiles.count / dimensions }

    /// Writes the dot product of a live frame with every frame in a range of tiles.
    /// - Parameters:
    ///   - live: the `dimensions` values of the live frame.
    ///   - range: a range of tiles, not of frames.
    ///   - output: receives `range.count × 16` values.
    /// - Complexity: O(range.count × 16 × dimensions). Safe on the real-time following thread: no lock, no allocation.
    public func similarities(
        of live: UnsafePointer<Float>, in range: Range<Int>, into output: UnsafeMutablePointer<Float>
    ) {
        precondition(range.lowerBound >= 0 && range.upperBound <= tileCount, "tiles \(range) of \(tileCount)")
        simdTiles.withUnsafeBufferPointer { tiles in
            let base = tiles.baseAddress!
            var target = UnsafeMutableRawPointer(output)
            for tile in range {
                var sum = SIMD16<Float>.zero
                let row = base + tile * dimensions
                for value in 0..<dimensions { sum += live[value] * row[value] }
                target.storeBytes(of: sum, as: SIMD16<Float>.self)
                target += MemoryLayout<SIMD16<Float>>.stride
            }
        }
    }
}
