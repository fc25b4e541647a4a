import Floor
import Foundation
import Hosting
import Podium
import PresentingProtocol
import Testing

@testable import Presenting
@testable import ShowStages

@Suite struct DrawingBoardTests {
    private let board = DrawingBoard()
    private let programme: ShowProgramme

    init() throws { programme = try madeCourse() }

    private func stroke(_ x: UInt16) -> String {
        let stroke = SlideStroke(red: 1, green: 2, blue: 3, width: 400, points: [SlidePoint(x: x, y: 7)])
        return Data(stroke.bytes).base64EncodedString()
    }

    private func draw(_ stroke: String, page: Int = 1) {
        perform(.drawn(document: "a", page: page, type: SlideDrawing.strokeType, base64: stroke))
    }

    private func show(page: Int) throws {
        let screen = Data(
            #"{"content":{"page":{"document":"a","number":\#(page)}},"blank":"none","isBlankedByModerator":false}"#
                .utf8)
        perform(.screenChanged(screen: try JSONDecoder().decode(FloorScreen.self, from: screen)))
    }

    private func perform(_ effect: FloorEffect) { board.performEffect(.floor(effect), of: programme) }

    private struct Drawings: Decodable, Equatable {
        var document: String?
        var page: Int?
        var strokes: [String]
    }

    private func shown() throws -> Drawings {
        let json = try #require(board.eventHub.newestValue("drawings"))
        return try JSONDecoder().decode(Drawings.self, from: Data(json))
    }

    @Test func aPageThatIsShownAgainHasItsDrawings() throws {
        try show(page: 1)
        draw(stroke(1))
        draw(stroke(2))
        try show(page: 2)
        #expect(try shown() == Drawings(document: "a", page: 2, strokes: []))
        try show(page: 1)
        #expect(try shown() == Drawings(document: "a", page: 1, strokes: [stroke(1), stroke(2)]))
        perform(.drawn(document: "a", page: 1, type: SlideDrawing.clearType, base64: ""))
        #expect(try shown() == Drawings(document: "a", page: 1, strokes: []))
    }

    @Test func strokesOfTheLogAndOfTheMeantimeAreBothKeptOnce() throws {
        try show(page: 1)
        draw(stroke(3))
        draw(stroke(4))
        let page = DrawingBoard.Page(document: "a", number: 1)
        board.restore([page: .init(encoded: [stroke(1), stroke(2), stroke(3)])])
        #expect(try shown().strokes == [1, 2, 3, 4].map(stroke))
    }

    @Test func aPageTakesOnlySoManyDrawings() throws {
        try show(page: 1)
        #expect(board.hasRoom(forBytes: 1_000, document: "a", page: 1))
        let long = SlideStroke(
            red: 0, green: 0, blue: 0, width: 400,
            points: Array(repeating: SlidePoint(x: 1, y: 1), count: SlideStroke.mostPoints))
        for _ in 0..<18 { draw(Data(long.bytes).base64EncodedString()) }
        #expect(!board.hasRoom(forBytes: long.bytes.count, document: "a", page: 1))
        #expect(board.hasRoom(forBytes: long.bytes.count, document: "a", page: 2))
    }
}
