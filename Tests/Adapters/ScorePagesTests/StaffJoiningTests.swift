import Testing

@testable import ScorePages

@Suite struct StaffJoiningTests {
    @Test func piecesOfOneStaffBecomeOne() throws {
        let page = try #require(RuledPage(tops: [300], hidden: 500...620))
        let (first, last) = (page.strips.lowerBound, page.strips.upperBound)
        let whole = page.joining.whole([
            page.piece(25...last, top: 300.5), page.piece(first...19, top: 300.5),
        ])
        #expect(whole.count == 1)
        #expect(whole.first?.first?.strip == first && whole.first?.last?.strip == last)
    }

    @Test func piecesOfDifferentStavesStayApart() throws {
        let page = try #require(RuledPage(tops: [300, 360]))
        let (first, last) = (page.strips.lowerBound, page.strips.upperBound)
        let whole = page.joining.whole([
            page.piece(first...19, top: 300.5), page.piece(22...last, top: 360.5),
        ])
        #expect(whole.count == 2)
    }

    @Test func aStaffGoesAsFarAsItsNeighboursWhereSomethingIsSeenOfIt() throws {
        let page = try #require(RuledPage(tops: [300, 420]))
        let (first, last) = (page.strips.lowerBound, page.strips.upperBound)
        let whole = page.joining.whole([
            page.piece(first...last, top: 300.5), page.piece(first + 8...last - 8, top: 420.5),
        ])
        #expect(whole.count == 2)
        #expect(whole.allSatisfy { $0.first?.strip == first && $0.last?.strip == last })
    }

    @Test func aShortStaffIsNotMadeLongOnEmptyPaper() throws {
        let page = try #require(RuledPage(tops: [300]))
        let (first, last) = (page.strips.lowerBound, page.strips.upperBound)
        let whole = page.joining.whole([
            page.piece(first...last, top: 300.5), page.piece(first...first + 12, top: 500.5),
        ])
        #expect(whole.contains { $0.last?.strip == first + 12 })
    }

    @Test func aPieceThatLiesOnALongerStaffIsLeftOut() throws {
        let page = try #require(RuledPage(tops: [300]))
        let (first, last) = (page.strips.lowerBound, page.strips.upperBound)
        let whole = page.joining.whole([
            page.piece(first...last, top: 300.5), page.piece(first + 5...first + 14, top: 310.5),
        ])
        #expect(whole.count == 1)
        #expect(whole.first?.count == last - first + 1)
    }
}
