import PresentingProtocol
import Testing

@Suite struct SlideDrawingTests {
    @Test func aStrokeHasTheseBytes() throws {
        let stroke = SlideStroke(
            red: 0xE0, green: 0x1B, blue: 0x24, width: 459,
            points: [SlidePoint(x: 0, y: 0x1234), SlidePoint(x: .max, y: 0x8000)])
        #expect(stroke.bytes == [0xE0, 0x1B, 0x24, 0, 1, 0xCB, 0, 0, 0x12, 0x34, 0xFF, 0xFF, 0x80, 0])
        #expect(SlideDrawing(type: SlideDrawing.strokeType, bytes: stroke.bytes) == .stroke(stroke))
    }

    @Test func theOthersAreReadAsTheyAreWritten() {
        for drawing in [SlideDrawing.clear, .pointer(nil), .pointer(SlidePoint(x: 1, y: 65_535))] {
            #expect(SlideDrawing(type: drawing.type, bytes: drawing.bytes) == drawing)
        }
    }

    @Test func bytesThatAreNoDrawingAreRefused() {
        let head: [UInt8] = [1, 2, 3, 0, 0, 9]
        let broken: [(UInt16, [UInt8])] = [
            (0x10, []), (0x10, head), (0x10, head + [1, 2, 3]), (0x10, [1, 2, 3, 1, 0, 9, 0, 0, 0, 0]),
            (0x10, [1, 2, 3, 0, 0, 0, 0, 0, 0, 0]), (0x10, [1, 2, 3, 0, 0xFF, 0, 0, 0, 0, 0]),
            (0x10, head + Array(repeating: 0, count: 4 * (SlideStroke.mostPoints + 1))),
            (0x11, [0]), (0x12, [0, 0]),
        ]
        for (type, bytes) in broken {
            #expect(SlideDrawing.isBroken(type: type, bytes: bytes), "\(type) \(bytes)")
        }
        #expect(!SlideDrawing.isBroken(type: 1, bytes: [7]), "other types are kept without being drawn")
    }
}
