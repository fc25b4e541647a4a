import Testing

@testable import ScorePages

@Suite struct StaffCombReaderTests {
    @Test func aTrackThatLiesALineTooHighIsSetRight() throws {
        let page = try #require(RuledPage(tops: [300]))
        let settled = page.reader.settled(page.piece(page.strips, top: 290.5))
        #expect(settled.allSatisfy { abs($0.top - 300.5) < 0.01 })
    }

    @Test func ledgerLinesMoveNoStaff() throws {
        let page = try #require(RuledPage(tops: [300], ledgers: [290, 280]))
        let track = page.piece(page.strips, top: 300.5)
        #expect(page.reader.settled(track).map(\.top) == track.map(\.top))
    }

    @Test func fiveLinesScoreMoreThanFourAndAStrangeOne() throws {
        let page = try #require(RuledPage(tops: [300]))
        let strip = page.strips.lowerBound + 2
        let (right, moved) = (page.reader.score(strip, 300.5, 10), page.reader.score(strip, 310.5, 10))
        #expect(right.lines == 5 && moved.lines == 4 && right.score > moved.score)
    }
}
