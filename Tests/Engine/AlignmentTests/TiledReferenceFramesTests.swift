import Testing

@testable import Alignment

@Suite struct TiledReferenceFramesTests {
    private static let dimensions = 24

    @Test(arguments: [1, 15, 16, 17, 160, 333])
    func similaritiesAreDotProducts(frameCount: Int) {
        var dice = Dice(seed: 11)
        let frames = dice.values(frameCount * Self.dimensions)
        let live = dice.values(Self.dimensions)
        let tiles = TiledReferenceFrames(frames: frames, dimensions: Self.dimensions)
        #expect(tiles.frameCount == frameCount)
        #expect(tiles.tileCount == (frameCount + 15) / 16)
        let all = tiles.similarities(live, in: 0..<tiles.tileCount)
        for frame in 0..<frameCount {
            // 24 products of values below one, rounded to 2^-24 each.
            #expect(abs(Double(all[frame]) - slowSimilarity(frames, frame, live)) < 24 * 2e-7)
        }
        #expect(all[frameCount...].allSatisfy { $0 == 0 })
    }

    @Test func aRangeOfTilesIsAPartOfAll() {
        var dice = Dice(seed: 12)
        let tiles = TiledReferenceFrames(
            frames: dice.values(100 * Self.dimensions), dimensions: Self.dimensions)
        let live = dice.values(Self.dimensions)
        let all = tiles.similarities(live, in: 0..<tiles.tileCount)
        #expect(tiles.similarities(live, in: 2..<5) == Array(all[32..<80]))
        #expect(tiles.similarities(live, in: 3..<3).isEmpty)
    }

    @Test func noFramesMakeNoTiles() {
        let tiles = TiledReferenceFrames(frames: [], dimensions: Self.dimensions)
        #expect(tiles.frameCount == 0 && tiles.tileCount == 0)
    }
}
