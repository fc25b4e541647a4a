import Testing

@testable import ScorePages

/// A page drawn by a test, optionally turned and dirty.
struct DrawnPage {
    let width = 1_240
    let height = 1_754
    var slope = 0.0
    private var pixels: [UInt8]

    init(slope: Double = 0, paper: UInt8 = 250) {
        self.slope = slope
        pixels = [UInt8](repeating: paper, count: width * height)
    }

    var image: GreyImage { GreyImage(width: width, height: height, pixels: pixels) }

    mutating func fill(_ xs: ClosedRange<Int>, _ ys: ClosedRange<Int>, shade: UInt8 = 20) {
        for x in xs {
            let shift = Int((slope * Double(x - width / 2)).rounded())
            for y in ys where (0..<height).contains(y + shift) { pixels[(y + shift) * width + x] = shade }
        }
    }

    /// Five lines ten pixels apart.
    mutating func staff(top: Int, from left: Int = 100, to right: Int = 1_140) {
        for line in 0..<5 { fill(left...right, (top + 10 * line)...(top + 10 * line + 1)) }
    }

    /// Five lines of which a copier left dashes: eight of 22 columns, at other places in each line.
    mutating func brokenStaff(top: Int) {
        for line in 0..<5 {
            for x in stride(from: 100 + 5 * line, to: 1_130, by: 22) {
                fill(x...x + 7, (top + 10 * line)...(top + 10 * line + 1))
            }
        }
    }

    mutating func bar(at x: Int, from top: Int, to bottom: Int) { fill(x...(x + 1), top...(bottom + 1)) }

    /// A head on the lower left of a stem as long as the staff is high.
    mutating func note(stemAt x: Int, top: Int) {
        fill(x...(x + 1), top...(top + 44))
        fill((x - 12)...(x - 1), (top + 35)...(top + 44))
    }

    mutating func speckle(every step: Int) {
        for place in stride(from: 7, to: pixels.count, by: step) { pixels[place] = 60 }
    }
}

@Suite struct BarLineDetectionTests {
    /// Two systems of two staves, four measures each.
    private func piano(_ page: DrawnPage = DrawnPage()) -> DrawnPage {
        var page = page
        for top in [300, 700] {
            page.staff(top: top)
            page.staff(top: top + 120)
            for x in [100, 380, 640, 900, 1_139] { page.bar(at: x, from: top, to: top + 160) }
            for x in [300, 560, 820] { page.note(stemAt: x, top: top) }
        }
        return page
    }

    private func isNear(_ box: PageBox, _ left: Double, _ right: Double) -> Bool {
        let (start, end) = (box.x * 1_240, (box.x + box.width) * 1_240)
        return abs(start - left) < 8 && abs(end - right) < 8
    }

    @Test func measuresOfAPianoScoreAreFoundInReadingOrder() {
        let found = PageMeasureDetector.detectMeasures(in: piano().image)
        #expect(found.map(\.system) == [0, 0, 0, 0, 1, 1, 1, 1])
        guard found.count == 8 else { return }
        #expect(isNear(found[0].box, 100, 380))
        #expect(isNear(found[3].box, 900, 1_139))
        let top = found[0].box.y * 1_754
        let bottom = top + found[0].box.height * 1_754
        #expect(top < 300 && bottom > 460)
        #expect(found.allSatisfy { $0.confidence > 0.5 })
    }

    @Test(arguments: [-0.012, 0.008, 0.017]) func aCrookedScanIsRead(slope: Double) {
        let found = PageMeasureDetector.detectMeasures(in: piano(DrawnPage(slope: slope)).image)
        #expect(found.count == 8)
        #expect(found.allSatisfy { $0.box.height > 0.05 })
    }

    @Test func staffLinesThatACopierBrokeAreRead() {
        var page = DrawnPage(paper: 255)
        for top in [300, 700] {
            page.brokenStaff(top: top)
            page.brokenStaff(top: top + 120)
            for x in [100, 380, 640, 900, 1_139] { page.bar(at: x, from: top, to: top + 160) }
        }
        let found = PageMeasureDetector.detectMeasures(in: page.image)
        #expect(found.map(\.system) == [0, 0, 0, 0, 1, 1, 1, 1])
    }

    /// A block as high as a clef at the left end of each staff tells where a page is up.
    @Test(arguments: 1...3) func aPageOnItsSideOrUpsideDownIsReadInItsOwnOrder(quarters: Int) {
        var page = piano()
        for top in [300, 420, 700, 820] { page.fill(112...128, (top - 8)...(top + 48)) }
        let found = PageMeasureDetector.detectMeasures(
            in: PageTurn.turned(page.image, quarters: quarters))
        #expect(found.map(\.system) == [0, 0, 0, 0, 1, 1, 1, 1])
        guard found.count == 8 else { return }
        let (first, second) = (found[0].box, found[1].box)
        switch quarters {
        case 1: #expect(first.y + first.height <= second.y + 0.01)
        case 2: #expect(second.x + second.width <= first.x + 0.01)
        default: #expect(second.y + second.height <= first.y + 0.01)
        }
    }

    @Test func aShadowAndADarkTableAreNoInk() {
        var page = piano()
        let lit = page.image
        let pixels = lit.pixels.enumerated().map { place, shade -> UInt8 in
            let (x, y) = (place % lit.width, place / lit.width)
            guard y > 40 else { return 30 }
            return UInt8(Double(shade) * (1 - 0.6 * Double(x) / Double(lit.width)))
        }
        let shadowed = GreyImage(width: lit.width, height: lit.height, pixels: pixels)
        #expect(PageMeasureDetector.detectMeasures(in: shadowed).count == 8)
        page.speckle(every: 1_009)
        #expect(PageMeasureDetector.detectMeasures(in: page.image).count == 8)
    }

    @Test func greyPaperAndSpecklesAreRead() {
        var page = piano(DrawnPage(paper: 190))
        page.speckle(every: 997)
        #expect(PageMeasureDetector.detectMeasures(in: page.image).count == 8)
    }

    @Test func aStemAsLongAsTheStaffIsNoBarLine() {
        var page = DrawnPage()
        page.staff(top: 400)
        for x in [500, 800, 1_139] { page.bar(at: x, from: 400, to: 440) }
        for x in [200, 300, 600, 900] { page.note(stemAt: x, top: 400) }
        #expect(PageMeasureDetector.detectMeasures(in: page.image).count == 3)
    }

    @Test func aDoubleBarIsOneBar() {
        var page = DrawnPage()
        page.staff(top: 400)
        for x in [500, 508, 1_130] { page.bar(at: x, from: 400, to: 440) }
        page.fill(1_135...1_140, 400...441)
        #expect(PageMeasureDetector.detectMeasures(in: page.image).count == 2)
    }

    /// A thick stroke, a thin one and two dots.
    @Test func aRepeatThatBeginsInTheMiddleOfASystemIsABarLine() {
        var page = DrawnPage()
        page.staff(top: 400)
        for x in [400, 800, 1_139] { page.bar(at: x, from: 400, to: 440) }
        page.fill(600...604, 400...441)
        page.bar(at: 609, from: 400, to: 440)
        for row in [413, 423] { page.fill(615...618, row...(row + 4)) }
        #expect(PageMeasureDetector.detectMeasures(in: page.image).count == 4)
    }

    /// A thick stroke, a thin one and two dots, behind a bar line.
    private func repeatAfterABarLine() -> DrawnPage {
        var page = DrawnPage()
        page.staff(top: 400)
        for x in [300, 520, 800, 1_139] { page.bar(at: x, from: 400, to: 440) }
        page.fill(600...604, 400...441)
        page.bar(at: 609, from: 400, to: 440)
        for row in [413, 423] { page.fill(615...618, row...(row + 4)) }
        return page
    }

    @Test func aNewKeyBetweenABarLineAndARepeatSignBeginsTheMeasure() {
        var page = repeatAfterABarLine()
        for (x, top) in [(533, 392), (545, 407), (557, 397), (569, 411)] {
            page.fill(x...(x + 1), top...(top + 25))
            page.fill((x + 3)...(x + 8), (top + 16)...(top + 18))
            page.fill((x + 3)...(x + 8), (top + 23)...(top + 25))
        }
        let found = PageMeasureDetector.detectMeasures(in: page.image).map(\.box)
        #expect(found.count == 4)
        #expect(found.contains { isNear($0, 520, 801) })
    }

    @Test func aShortMeasureBeforeARepeatSignStaysAMeasure() {
        var page = repeatAfterABarLine()
        page.note(stemAt: 550, top: 400)
        page.note(stemAt: 580, top: 400)
        let found = PageMeasureDetector.detectMeasures(in: page.image).map(\.box)
        #expect(found.count == 5)
        #expect(found.contains { isNear($0, 520, 605) })
    }

    /// Blur makes a line as broad as the thick stroke of a repeat sign.
    @Test func aShortFirstMeasureEndsAtABroadLineWithoutDots() {
        var page = DrawnPage()
        page.staff(top: 400)
        page.fill(112...128, 392...448)
        for x in [210, 500, 800, 1_134] { page.fill(x...(x + 4), 400...441) }
        page.note(stemAt: 180, top: 400)
        let found = PageMeasureDetector.detectMeasures(in: page.image).map(\.box)
        #expect(found.count == 4)
        #expect(found.contains { isNear($0, 100, 212) })
    }

    /// No clef, and bar lines that nothing joins: only the line at the left tells where the page is up.
    @Test func aLineThatJoinsStavesAtOneEndTellsWhereThePageIsUp() {
        var page = DrawnPage()
        for top in [300, 700] {
            for staff in [top, top + 120] {
                page.staff(top: staff)
                for x in [380, 640, 900, 1_139] { page.bar(at: x, from: staff, to: staff + 40) }
            }
            page.bar(at: 100, from: top, to: top + 160)
        }
        let turned = PageTurn.turned(page.image, quarters: 2)
        let found = PageMeasureDetector.detectMeasures(in: turned)
        #expect(found.map(\.system) == [0, 0, 0, 0, 1, 1, 1, 1])
        #expect(found.first.map { $0.box.x > 0.5 && $0.box.y > 0.5 } ?? false)
    }

    @Test func stavesThatNothingJoinsAreSystemsOfTheirOwn() {
        var page = DrawnPage()
        for top in [300, 450, 600] {
            page.staff(top: top)
            for x in [600, 1_139] { page.bar(at: x, from: top, to: top + 40) }
        }
        #expect(PageMeasureDetector.detectMeasures(in: page.image).map(\.system) == [0, 0, 1, 1, 2, 2])
    }

    @Test func pagesWithoutMusicGiveNothing() {
        #expect(PageMeasureDetector.detectMeasures(in: DrawnPage().image).isEmpty)
        #expect(PageMeasureDetector.detectMeasures(in: DrawnPage(paper: 0).image).isEmpty)
        #expect(PageMeasureDetector.detectMeasures(in: GreyImage(width: 0, height: 0, pixels: [])).isEmpty)
        var table = DrawnPage()
        for row in 0..<20 { table.fill(100...1_100, (100 + 80 * row)...(101 + 80 * row)) }
        #expect(PageMeasureDetector.detectMeasures(in: table.image).count <= 4)
    }

    @Test func aPageOfNoiseEnds() {
        var seed: UInt64 = 3
        let pixels = (0..<600 * 800).map { _ -> UInt8 in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 40)
        }
        _ = PageMeasureDetector.detectMeasures(in: GreyImage(width: 600, height: 800, pixels: pixels))
    }

    @Test func greyMapsAreReadWithCommentsAndRefusedWhenCut() throws {
        let map = Array("P5\n# drawn\n3 2\n255\n".utf8) + [1, 2, 3, 4, 5, 6]
        #expect(try GreyImage(pgm: map) == GreyImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6]))
        for length in map.indices {
            #expect(throws: ScorePagesError.imageUnusable(reason: "it is no grey map of 8 bits")) {
                try GreyImage(pgm: Array(map[..<length]))
            }
        }
        #expect(throws: ScorePagesError.self) { try GreyImage(pgm: Array("P5 99999999999999 1 255 ".utf8)) }
    }
}
