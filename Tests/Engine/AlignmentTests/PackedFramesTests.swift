import Features
import Testing

@testable import Alignment

@Suite struct PackedFramesTests {
    private func frames(_ values: [Float], dimensions: Int = 1) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions,
            powerByFrame: (0..<values.count / dimensions).map { Float($0) / 100 })
    }

    private func made(_ count: Int, dimensions: Int) -> ReferenceFeatureFrames {
        var state: UInt32 = 7
        return frames(
            (0..<count * dimensions).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(state >> 8) / Float(1 << 24)
            }, dimensions: dimensions)
    }

    /// The distance between the roots of two values.
    private func apart(_ one: Float, _ other: Float) -> Float { abs(one.squareRoot() - other.squareRoot()) }

    /// The content of a file of the first version.
    private func oldContent(_ frames: ReferenceFeatureFrames) -> [UInt8] {
        var content: [UInt8] = []
        for power in frames.powerByFrame {
            for byte in 0..<4 {
                content.append(UInt8(truncatingIfNeeded: power.bitPattern >> UInt32(8 * byte)))
            }
        }
        for value in frames.featureValues { content.append(UInt8((value.squareRoot() * 255).rounded())) }
        return content
    }

    private func read(_ content: [UInt8], version: Int, dimensions: Int, frameCount: Int) -> PackedFrames? {
        content.withUnsafeBytes {
            PackedFrames(version: version, dimensions: dimensions, frameCount: frameCount, content: $0)
        }
    }

    @Test func eachValueBecomesTheOneWhoseRootIsClosest() {
        let values = (0...100_000).map { Float($0) / 100_000 }
        let known: [Float] = (0...15).map { Float($0 * $0) / 225 }
        let read = frames(values).packed.unpacked.featureValues
        var worst: Float = 0
        var others = 0
        for (value, found) in zip(values, read) {
            let distances = known.map { apart($0, value) }
            // Of two that are as close, either may be chosen.
            if !known.contains(found) || apart(found, value) > distances.min()! + 1e-6 { others += 1 }
            worst = max(worst, abs(value - found))
        }
        #expect(others == 0)
        // Half a step of (q / 15)² next to 1: 1 - (14.5 / 15)².
        #expect(worst > 0.065 && worst < 0.0657)
    }

    @Test func valuesOutOfRangeAreBroughtIntoIt() {
        let read = frames([-1, .nan, -.infinity, 7, .infinity]).packed.unpacked.featureValues
        #expect(read == [0, 0, 0, 1, 1])
    }

    @Test(arguments: [0, 1, 2, 57]) func packingWhatWasUnpackedChangesNothing(count: Int) {
        let packed = made(count, dimensions: 6).packed
        #expect(packed.frameCount == count && packed.unpacked.frameCount == count)
        #expect(packed.unpacked.packed == packed)
    }

    @Test func theLayoutIsTheDocumentedOne() {
        let packed = ReferenceFeatureFrames(
            featureValues: [0, 1, 0.04, 1, 1, 0], dimensions: 2, powerByFrame: [0.5, 0, 1]
        ).packed
        #expect(packed.bytes == [0, 0x3F, 0, 0, 0x80, 0x3F, 0x30, 15, 0xFF, 0])
    }

    @Test func aPowerIsExactToAHundredAndTwentyEighth() {
        let powers: [Float] = [1e-13, 3.3e-7, 0.02, 0.7, 1]
        let packed = ReferenceFeatureFrames(
            featureValues: [Float](repeating: 0, count: 5), dimensions: 1, powerByFrame: powers
        ).packed
        let largest: Float = 1 / 128
        for (before, after) in zip(powers, packed.powerByFrame) {
            let error: Float = 1 - after / before
            #expect(error >= 0 && error < largest)
        }
    }

    @Test func contentOfBothVersionsIsRead() throws {
        let frames = made(9, dimensions: 3)
        let packed = frames.packed
        #expect(read(packed.bytes, version: 2, dimensions: 3, frameCount: 9) == packed)
        let old = try #require(read(oldContent(frames), version: 1, dimensions: 3, frameCount: 9))
        #expect(old.powerByFrame == packed.powerByFrame)
        // A value that both versions round may be a step off.
        let farthest: Float = 0.5 / 15 + 0.5 / 255
        for (before, after) in zip(frames.featureValues, old.unpacked.featureValues) {
            #expect(apart(before, after) <= farthest + 1e-6)
        }
        // A byte that stands for one of the sixteen values stays it.
        let again = read(oldContent(packed.unpacked), version: 1, dimensions: 3, frameCount: 9)
        #expect(again == packed)
    }

    @Test(arguments: [1, 2]) func contentOfAnotherLengthIsNotRead(version: Int) {
        let frames = made(5, dimensions: 3)
        let content = version == 1 ? oldContent(frames) : frames.packed.bytes
        for count in 0..<content.count {
            #expect(
                read(Array(content[..<count]), version: version, dimensions: 3, frameCount: 5) == nil)
        }
        #expect(read(content + [0], version: version, dimensions: 3, frameCount: 5) == nil)
    }

    @Test(arguments: [1, 2], [[0x80, 0x7F], [0xC0, 0x7F], [0x80, 0xBF]] as [[UInt8]])
    func aPowerThatIsNoNumberIsNotRead(version: Int, upper: [UInt8]) {
        let frames = made(5, dimensions: 3)
        var content = version == 1 ? oldContent(frames) : frames.packed.bytes
        content.replaceSubrange(version == 1 ? 6..<8 : 2..<4, with: upper)
        #expect(read(content, version: version, dimensions: 3, frameCount: 5) == nil)
    }

    @Test(arguments: FeatureKind.allCases) func tilesHoldTheFramesOfTheirKind(kind: FeatureKind) {
        let parameters = FeatureParameters()
        let packed = made(70, dimensions: parameters.dimensions).packed
        let width = kind.dimensions(parameters)
        let refinement = FrameRefinement(parameters: parameters)
        var expected: [Float] = []
        for frame in 0..<70 {
            var values = Array(packed.unpacked.featureValues[frame * 144..<(frame + 1) * 144])
            var chroma = [Float](repeating: 0, count: 12)
            values.withUnsafeMutableBufferPointer { values in
                if kind == .refined { refinement.refine(values.baseAddress!) }
                parameters.foldChroma(values.baseAddress!, into: &chroma)
            }
            expected += kind == .chroma ? chroma : values
        }
        let tiles = packed.tiles(of: kind)
        let known = CompactTiles(frames: expected, dimensions: width)
        for frame in 0..<70 {
            var (found, wanted) = ([Float](repeating: 0, count: width), [Float](repeating: 1, count: width))
            tiles.copyFrame(frame, into: &found)
            known.copyFrame(frame, into: &wanted)
            #expect(found == wanted)
        }
    }
}
