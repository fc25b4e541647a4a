import Chance
import ShowControl
import Testing

@Suite struct SLIPFramingTests {
    static let packets: [[UInt8]] = [[1, 2, 3], [0xC0], [0xDB, 0xDC, 0xC0, 0xDD, 0xDB], [0]]

    @Test func aFrameHasAnEndOnBothSides() {
        #expect(
            SLIPFraming.makeFrame([1, 0xC0, 2, 0xDB, 3]) == [0xC0, 1, 0xDB, 0xDC, 2, 0xDB, 0xDD, 3, 0xC0])
    }

    @Test func framesComeOutHoweverTheStreamWasCut() throws {
        let stream = Self.packets.flatMap { SLIPFraming.makeFrame($0) }
        for first in 0...stream.count {
            for second in first...stream.count {
                var reader = SLIPReader()
                var frames: [[UInt8]] = []
                for part in [stream[..<first], stream[first..<second], stream[second...]] {
                    frames += try reader.readFrames(in: part).map { try $0.get() }
                }
                #expect(frames == Self.packets)
            }
        }
        var reader = SLIPReader()
        let bytewise = try stream.flatMap { byte in try reader.readFrames(in: [byte]).map { try $0.get() } }
        #expect(bytewise == Self.packets)
    }

    @Test func oneEndBetweenPacketsIsEnough() throws {
        var reader = SLIPReader()
        let frames = try reader.readFrames(in: [1, 2, 0xC0, 3, 0xC0]).map { try $0.get() }
        #expect(frames == [[1, 2], [3]])
    }

    @Test func aBadEscapeCostsOneFrame() {
        var reader = SLIPReader()
        let results = reader.readFrames(in: [
            0xC0, 1, 0xDB, 7, 9, 9, 0xC0, 0xC0, 2, 0xC0, 3, 0xDB, 0xC0, 4, 0xC0,
        ])
        #expect(
            results == [
                .failure(.badEscape(7)), .success([2]), .failure(.badEscape(0xC0)), .success([4]),
            ])
    }

    @Test func aFrameThatIsTooLongIsNamedOnceAndHoldsNoMemory() {
        var reader = SLIPReader(maximumFrameBytes: 8)
        #expect(reader.readFrames(in: [UInt8](repeating: 1, count: 8)).isEmpty)
        #expect(reader.readFrames(in: [0xC0]) == [.success([UInt8](repeating: 1, count: 8))])
        #expect(
            reader.readFrames(in: [UInt8](repeating: 1, count: 100_000)) == [.failure(.frameTooLong(most: 8))]
        )
        #expect(reader.readFrames(in: [UInt8](repeating: 1, count: 100_000)).isEmpty)
        #expect(reader.readFrames(in: [0xC0, 5, 0xC0]) == [.success([5])])
    }

    @Test func randomStreamsNeverEndTheReader() {
        var numbers = SeededRandomGenerator(seed: 9)
        var reader = SLIPReader(maximumFrameBytes: 16)
        for _ in 0..<200_000 {
            let byte = UInt8.random(in: 0xC0...0xDF, using: &numbers)
            for result in reader.readFrames(in: [byte]) {
                if case .success(let frame) = result { #expect((1...16).contains(frame.count)) }
            }
        }
    }
}
