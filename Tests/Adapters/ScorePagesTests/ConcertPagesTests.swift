import Foundation
import Repository
import Testing

@testable import ScorePages

private let recordings = Repository.recordings

/// The pages that Tools/engrave-concert made of the small concert.
@Suite struct ConcertPagesTests {
    @Test(arguments: [
        ("bach-well-tempered-clavier-1-prelude-in-c", "even"),
        ("beethoven-symphony-9-ode-to-joy-variations", "broad"), ("beethoven-woo-59-fur-elise", "swift"),
        ("grieg-peer-gynt-hall-of-the-mountain-king", "hall"),
        ("petzold-anna-magdalena-notebook-minuet-in-g", "dance"),
    ])
    func playedMeasuresAreThoseOfTheRecording(piece: String, performance: String) throws {
        let folder = recordings.appendingPathComponent(piece)
        let rows = try String(
            contentsOf: folder.appendingPathComponent("\(performance)/measures.csv"), encoding: .utf8)
        let performed = rows.split(whereSeparator: \.isNewline).compactMap { Int($0.prefix { $0 != "," }) }
        let pages = folder.appendingPathComponent("pages")
        for part in try FileManager.default.contentsOfDirectory(atPath: pages.path) {
            let score = try ScoreEngraver.readEngravedFolder(pages.appendingPathComponent(part))
            #expect(score.playedOrder.map { score.printedMeasureNumbers[$0] } == performed)
            #expect(score.pages.count == score.pageLayout.pageSizes.count)
            #expect(score.pages.allSatisfy { $0.isCompressed && $0.svg.starts(with: [0x1F, 0x8B]) })
            let frames = score.pageLayout.numberingFaults().filter {
                if case .overlappingBoxes = $0 {
                    true
                } else if case .boxOutsidePage = $0 {
                    true
                } else {
                    false
                }
            }
            #expect(frames.isEmpty)
        }
    }
}
