/// The newest live frames, laid out like ``ReferenceTiles``, so that one reference frame meets sixteen at a time.
///
/// Frame `x` lives in slot `x % capacity`. Belongs to one thread; no allocation after `init`.
final class OnlineTimeWarpingHistory {
    /// A power of two, and whole tiles.
    let capacity: Int
    private let dimensions: Int
    private let tiles: UnsafeMutablePointer<SIMD16<Float>>
    private let lanes: UnsafeMutablePointer<Float>

    /// - Parameter frames: how many of the newest frames are kept at least.
    init(frames: Int, dimensions: Int) {
        var capacity = ReferenceTiles.width
        while capacity < frames { capacity *= 2 }
        self.capacity = capacity
        self.dimensions = dimensions
        let count = capacity / ReferenceTiles.width * dimensions
        tiles = .allocate(capacity: count)
        tiles.initialize(repeating: .zero, count: count)
        lanes = UnsafeMutableRawPointer(tiles).assumingMemoryBound(to: Float.self)
    }

    deinit { tiles.deallocate() }

    /// Keeps a frame in place of the oldest.
    func store(_ values: UnsafePointer<Float>, frame: Int) {
        let slot = frame & (capacity - 1)
        let width = ReferenceTiles.width
        let tile = lanes + slot / width * dimensions * width + slot % width
        for value in 0..<dimensions { tile[value * width] = values[value] }
    }

    /// Writes the dot product of a reference frame with the frame in every slot, by slot.
    /// - Complexity: O(capacity × dimensions).
    func similarities(of reference: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        var target = UnsafeMutableRawPointer(output)
        for tile in 0..<capacity / ReferenceTiles.width {
            var sum = SIMD16<Float>.zero
            let row = tiles + tile * dimensions
            for value in 0..<dimensions { sum += reference[value] * row[value] }
            target.storeBytes(of: sum, as: SIMD16<Float>.self)
            target += MemoryLayout<SIMD16<Float>>.stride
        }
    }
}
