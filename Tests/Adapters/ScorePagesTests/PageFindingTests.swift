import Foundation
import Testing

@testable import ScorePages

@Suite struct PageFindingTests {
    /// A page of staves, drawn with soft edges and turned by an angle, as a scanner gives it.
    private struct DrawnPage {
        let width = 566
        let height = 800
        var pixels = [UInt8](repeating: 255, count: 566 * 800)

        init(turnedBy degrees: Double = 0, onSide: Bool = false) {
            let angle = degrees * .pi / 180
            for y in 0..<height {
                for x in 0..<width {
                    let (dx, dy) = (Double(x) - 283, Double(y) - 400)
                    var across = dx * cos(angle) + dy * sin(angle)
                    var down = -dx * sin(angle) + dy * cos(angle)
                    if onSide { (across, down) = (down, -across) }
                    if Self.isInk(across, down) { pixels[y * width + x] = 30 }
                }
            }
        }

        /// Eight staves between -200 and 200 across, with bar lines.
        private static func isInk(_ x: Double, _ y: Double) -> Bool {
            guard abs(x) <= 200, y >= -240, y < 220 else { return false }
            let inStaff = (y + 240).truncatingRemainder(dividingBy: 60)
            guard inStaff <= 24 else { return false }
            return inStaff.truncatingRemainder(dividingBy: 6) < 1.2
                || abs(x.truncatingRemainder(dividingBy: 100)) < 1
        }

        mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ shade: UInt8) {
            for y in rows { for x in columns { pixels[y * width + x] = shade } }
        }

        var image: GreyImage { GreyImage(width: width, height: height, pixels: pixels) }
    }

    private func expectInk(_ finding: PageFinding, near box: [Double], _ tolerance: Double = 0.012) {
        guard let ink = finding.ink else {
            Issue.record("nothing was found")
            return
        }
        for (found, wanted) in zip([ink.x, ink.y, ink.x + ink.width, ink.y + ink.height], box) {
            #expect(abs(found - wanted) < tolerance, "\(ink)")
        }
    }

    private let music = [0.147, 0.2, 0.854, 0.755]

    @Test func theMarginsOfACleanPageAreThoseOfItsMusic() {
        let finding = PageFinding(of: DrawnPage().image)
        #expect(finding.tiltDegrees == 0 && !finding.isOnSide)
        expectInk(finding, near: music)
    }

    @Test(arguments: [-4.0, -1.3, -0.4, 0.6, 2.5, 5])
    func aCrookedPageIsStraightened(degrees: Double) {
        let finding = PageFinding(of: DrawnPage(turnedBy: degrees).image)
        #expect(abs(finding.tiltDegrees + degrees) < 0.15, "\(finding.tiltDegrees)")
        expectInk(finding, near: music, 0.02)
    }

    @Test func aPageOnItsSideSaysSo() {
        let finding = PageFinding(of: DrawnPage(turnedBy: 1.5, onSide: true).image)
        #expect(finding.isOnSide && abs(finding.tiltDegrees + 1.5) < 0.2)
    }

    @Test func dirtAndTheBlackBordersOfAScanAreNoMusic() {
        var page = DrawnPage()
        page.fill(0..<30, 0..<800, 10)
        page.fill(0..<566, 780..<800, 25)
        page.fill(552..<553, 100..<700, 60)
        for spot in 0..<40 {
            page.fill(40 + spot * 12..<42 + spot * 12, 20 + spot % 7 * 9..<22 + spot % 7 * 9, 90)
        }
        expectInk(PageFinding(of: page.image), near: music)
    }

    @Test func aShadowIsNoMusic() {
        var page = DrawnPage()
        for y in 0..<page.height {
            for x in 0..<page.width {
                let shade = Double(page.pixels[y * page.width + x]) * (1 - 0.5 * Double(x) / 566)
                page.pixels[y * page.width + x] = UInt8(shade)
            }
        }
        expectInk(PageFinding(of: page.image), near: music)
    }

    @Test func aSmallPageNumberIsMusicEnough() {
        var page = DrawnPage()
        page.fill(280..<284, 60..<70, 20)
        page.fill(287..<291, 60..<70, 20)
        let finding = PageFinding(of: page.image)
        #expect((finding.ink?.y ?? 1) < 0.08)
    }

    @Test func anEmptyPageHasNoMargins() {
        var page = DrawnPage()
        page.fill(0..<566, 0..<800, 250)
        #expect(PageFinding(of: page.image).ink == nil)
        #expect(
            PageFinding(of: GreyImage(width: 3, height: 3, pixels: [0, 0, 0, 0, 0, 0, 0, 0, 0])).ink == nil)
    }
}
