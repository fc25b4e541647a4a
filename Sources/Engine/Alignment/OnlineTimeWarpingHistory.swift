/// The newest live frames, laid out like ``TiledReferenceFrames``, so that a reference frame is multiplied with sixteen
/// of them at a time.
///
/// Frame `x` is in slot `x % capacity`. Belongs to one thread; no allocation after `init`.
final class OnlineTimeWarpingHistory {
    /// Number of slots: a power of two, and a multiple of the tile width.
    let capacity: Int
    private let dimensions: Int
    private let simdTiles: UnsafeMutablePointer<SIMD16<Float>>
    private let tileValues: UnsafeMutablePointer<Float>

    /// Creates an empty history.
    /// - Parameter frames: the number of newest frames to keep, at least.
    init(frames: Int, dimensions: Int) {
        var capacity = TiledReferenceFrames.framesPerTile
        while capacity < frames { capacity *= 2 }
        self.capacity = capacity
        self.dimensions = dimensions
        let count = capacity / TiledReferenceFrames.framesPerTile * dimensions
        simdTiles = .allocate(capacity: count)
        simdTiles.initialize(repeating: .zero, count: count)
        tileValues = UnsafeMutableRawPointer(simdTiles).assumingMemoryBound(to: Float.self)
    }

    deinit { simdTiles.deallocate() }

    /// Stores a frame in place of the oldest.
    func storeLiveFrame(_ values: UnsafePointer<Float>, frame: Int) {
        let slot = frame & (capacity - 1)
        let width = TiledReferenceFrames.framesPerTile
        let tile = tileValues + slot / width * dimensions * width + slot % width
        for value in 0..<dimensions { tile[value * width] = values[value] }
    }

    /// Writes the dot products of a reference frame with the frames in all slots, in the order of the slots.
    /// - Complexity: O(capacity × dimensions).
    func similarities(of reference: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        var target = UnsafeMutableRawPointer(output)
        for tile in 0..<capacity / TiledReferenceFrames.framesPerTile {
            var sum = SIMD16<Float>.zero
            let row = simdTiles + tile * dimensions
            for value in 0..<dimensions { sum += reference[value] * row[value] }
            target.storeBytes(of: sum, as: SIMD16<Float>.self)
            target += MemoryLayout<SIMD16<Float>>.stride
        }
    }
}
