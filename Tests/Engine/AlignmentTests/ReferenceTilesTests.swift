import Testing

@testable import Alignment

@Suite struct ReferenceTilesTests {
    private static let dimensions = 24

    private func similarities(_ tiles: TiledReferenceFrames, _ live: [Float], in range: Range<Int>) -> [Float]
    {
        var output = [Float](repeating: .nan, count: range.count * TiledReferenceFrames.framesPerTile)
        output.withUnsafeMutableBufferPointer { output in
            live.withUnsafeBufferPointer {
                tiles.similarities(of: $0.baseAddress!, in: range, into: output.baseAddress!)
            }
        }
        return output
    }

    private func dot(_ frames: [Float], _ frame: Int, _ live: [Float]) -> Double {
        live.indices.reduce(0) { $0 + Double(frames[frame * live.count + $1]) * Double(live[$1]) }
    }

    @Test(arguments: [1, 15, 16, 17, 160, 333])
    func similaritiesAreDotProducts(frameCount: Int) {
        var dice = Dice(seed: 11)
        let frames = dice.values(frameCount * Self.dimensions)
        let live = dice.values(Self.dimensions)
        let tiles = TiledReferenceFrames(frames: frames, dimensions: Self.dimensions)
        #expect(tiles.frameCount == frameCount)
        #expect(tiles.tileCount == (frameCount + 15) / 16)
        let all = similarities(tiles, live, in: 0..<tiles.tileCount)
        for frame in 0..<frameCount {
            // 24 products of values below one, rounded to 2^-24 each.
            #expect(abs(Double(all[frame]) - dot(frames, frame, live)) < 24 * 2e-7)
        }
        #expect(all[frameCount...].allSatisfy { $0 == 0 })
    }

    @Test func aRangeOfTilesIsAPartOfAll() {
        var dice = Dice(seed: 12)
        let tiles = TiledReferenceFrames(
            frames: dice.values(100 * Self.dimensions), dimensions: Self.dimensions)
        let live = dice.values(Self.dimensions)
        let all = similarities(tiles, live, in: 0..<tiles.tileCount)
        #expect(similarities(tiles, live, in: 2..<5) == Array(all[32..<80]))
        #expect(similarities(tiles, live, in: 3..<3).isEmpty)
    }

    @Test func noFramesMakeNoTiles() {
        let tiles = TiledReferenceFrames(frames: [], dimensions: Self.dimensions)
        #expect(tiles.frameCount == 0 && tiles.tileCount == 0)
    }
}
