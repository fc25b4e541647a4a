import Basics
import Testing

@testable import TabFiles

/// The fermatas of a score, as parts of their measures.
@Suite struct MusicXMLHoldsTests {
    private func holds(_ measures: String...) throws -> [MusicXMLHolds.Hold] {
        let text =
            "<score-partwise><part-list/>"
            + measures.enumerated().map { "<part id='P\($0)'>\($1)</part>" }.joined() + "</score-partwise>"
        return try MusicXMLHolds.read(Array(text.utf8), name: "the score")
    }

    private let fermata = "<notations><fermata/></notations>"

    @Test func aHeldNoteIsHeldForItsLength() throws {
        let found = try holds(
            """
            <measure number="7"><attributes><divisions>4</divisions></attributes>
            <note><rest/><duration>8</duration></note>
            <note><grace/></note>
            <note><duration>4</duration>\(fermata)</note>
            <note><chord/><duration>4</duration>\(fermata)</note>
            <note><duration>4</duration></note></measure>
            """)
        #expect(found == [.init(measure: 7, begin: 0.5, end: 0.75)])
    }

    @Test func theLongestOfTheVoicesAndPartsCounts() throws {
        let found = try holds(
            """
            <measure number="1"><note><duration>2</duration></note><note><duration>2</duration>\(fermata)</note>
            <backup><duration>4</duration></backup>
            <note><duration>3</duration></note><note><duration>1</duration>\(fermata)</note></measure>
            """,
            """
            <measure number="1"><attributes><divisions>2</divisions></attributes><forward><duration>2</duration></forward>
            <note><duration>6</duration>\(fermata)</note></measure>
            """)
        #expect(found == [.init(measure: 1, begin: 0.25, end: 1)])
    }

    @Test func aFermataOnABarLineHoldsTheEnd() throws {
        let found = try holds(
            """
            <measure number="3"><note><duration>4</duration></note>
            <barline location="right"><fermata/></barline></measure>
            <measure number="X1"><note><duration>4</duration>\(fermata)</note></measure>
            """)
        #expect(found == [.init(measure: 3, begin: 1, end: 1)])
    }

    @Test(arguments: [
        "<measure number='1'><note><duration>4</duration></note></measure>",
        "<measure number='1'><note><duration>0</duration><notations><fermata/></notations></note></measure>",
        "<measure number='1'><note><notations><fermata/></notations></note></measure>", "",
    ])
    func withoutAHeldNoteThereIsNone(measures: String) throws {
        #expect(try holds(measures).isEmpty)
    }

    @Test func whatIsNoScoreIsRefused() {
        #expect(throws: ExplainedError.self) {
            try MusicXMLHolds.read(Array("<opus><part/></opus>".utf8), name: "it")
        }
    }
}
