import Testing

@testable import ScorePages

@Suite struct FaintStavesTests {
    /// Two clear staves, ten pixels from line to line, and what else is printed below them.
    private func faint(_ print: (inout DrawnPage) -> Void) throws -> [StaffTrack] {
        var page = DrawnPage()
        page.staff(top: 200)
        page.staff(top: 320)
        print(&page)
        let ink = PageDarkness(page.image).levelInk(reach: 0)
        let scale = try #require(StaffScale(ink, along: .down))
        let profiles = LineProfiles(ink, scale)
        let strips = 100 / profiles.stripWidth + 1...1_139 / profiles.stripWidth - 1
        let clear = [200.5, 320.5].map { top in
            strips.map { StaffComb(strip: $0, top: top, space: 10, score: 4) }
        }
        let falls = FallField(strips: profiles.count, height: page.height)
        return try #require(FaintStaves(profiles: profiles, falls: falls, beside: clear)).found()
    }

    /// Six of 22 columns are left of each line: too few for any strip to be clear.
    @Test func aStaffOfShortDashesIsFoundOnce() throws {
        let found = try faint { page in
            for line in 0..<5 {
                for x in stride(from: 100 + 4 * line, to: 1_130, by: 22) {
                    page.fill(x...x + 5, (700 + 10 * line)...(701 + 10 * line))
                }
            }
        }
        #expect(found.count == 1)
        #expect(found.first?.allSatisfy { abs($0.top - 700.5) < 2 } == true)
        #expect(found.first?.count ?? 0 > 30)
    }

    @Test func clearStavesAloneLeaveNothingToFind() throws {
        #expect(try faint { _ in }.isEmpty)
    }

    @Test func aLongSlurIsNoStaff() throws {
        #expect(try faint { $0.fill(110...1_130, 700...701) }.isEmpty)
    }

    @Test func aTableOfLinesAtEveryHalfSpaceIsNoStaff() throws {
        let found = try faint { page in
            for line in 0..<12 { page.fill(100...1_130, (700 + 5 * line)...(701 + 5 * line)) }
        }
        #expect(found.isEmpty)
    }

    @Test func whatBeginsFarFromTheOtherStavesIsNoStaff() throws {
        let found = try faint { page in
            for line in 0..<5 { page.fill(620...1_130, (700 + 10 * line)...(701 + 10 * line)) }
        }
        #expect(found.isEmpty)
    }

    @Test func oneClearStaffDoesNotSayHowFarLinesAreApart() throws {
        let page = try #require(RuledPage(tops: [300]))
        let falls = FallField(strips: page.reader.profiles.count, height: 800)
        let one = page.piece(page.strips, top: 300.5)
        #expect(FaintStaves(profiles: page.reader.profiles, falls: falls, beside: [one]) == nil)
    }
}
