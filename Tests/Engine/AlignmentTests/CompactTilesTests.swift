import Testing

@testable import Alignment

@Suite struct CompactTilesTests {
    private static let dimensions = 24

    @Test(arguments: [1, 15, 16, 17, 31, 32, 33, 160, 333])
    func similaritiesAreDotProducts(frameCount: Int) {
        var dice = Dice(seed: 11)
        let frames = dice.values(frameCount * Self.dimensions)
        let live = dice.values(Self.dimensions)
        let tiles = CompactTiles(frames: frames, dimensions: Self.dimensions)
        #expect(tiles.frameCount == frameCount)
        #expect(tiles.tileCount == (frameCount + 31) / 32)
        let all = tiles.similarities(live, in: 0..<tiles.tileCount)
        for frame in 0..<frameCount {
            // 24 products of values below one, each rounded by at most 2^-8 of itself.
            #expect(abs(Double(all[frame]) - slowSimilarity(frames, frame, live)) < 24 * 0.002)
        }
        #expect(all[frameCount...].allSatisfy { $0 == 0 })
    }

    @Test func aRangeOfTilesIsAPartOfAll() {
        var dice = Dice(seed: 12)
        let tiles = CompactTiles(frames: dice.values(200 * Self.dimensions), dimensions: Self.dimensions)
        let live = dice.values(Self.dimensions)
        let all = tiles.similarities(live, in: 0..<tiles.tileCount)
        #expect(tiles.similarities(live, in: 2..<5) == Array(all[64..<160]))
        #expect(tiles.similarities(live, in: 3..<3).isEmpty)
    }

    @Test func aCopiedFrameIsTheFrameRoundedToTwoBytes() {
        var dice = Dice(seed: 13)
        let frames = dice.values(70 * Self.dimensions)
        let tiles = CompactTiles(frames: frames, dimensions: Self.dimensions)
        var copy = [Float](repeating: .nan, count: Self.dimensions)
        for frame in 0..<70 {
            copy.withUnsafeMutableBufferPointer { tiles.copyFrame(frame, into: $0.baseAddress!) }
            for value in copy.indices {
                let original = frames[frame * Self.dimensions + value]
                #expect(abs(copy[value] - original) <= abs(original) / 256)
            }
        }
    }

    @Test func pooledFramesAreMeansOfTheirNeighbours() {
        var dice = Dice(seed: 14)
        let frames = dice.values(43 * Self.dimensions)
        let pooled = CompactTiles(frames: frames, dimensions: Self.dimensions).pooled(by: 5)
        #expect(pooled.frameCount == 8)
        var mean = [Float](repeating: .nan, count: Self.dimensions)
        for frame in 0..<8 {
            mean.withUnsafeMutableBufferPointer { pooled.copyFrame(frame, into: $0.baseAddress!) }
            for value in mean.indices {
                let sum = (0..<5).reduce(Float(0)) { $0 + frames[(frame * 5 + $1) * Self.dimensions + value] }
                #expect(abs(mean[value] - sum / 5) < 0.01)
            }
        }
    }

    @Test func noFramesMakeNoTiles() {
        let tiles = CompactTiles(frames: [], dimensions: Self.dimensions)
        #expect(tiles.frameCount == 0 && tiles.tileCount == 0)
    }
}
