import Foundation
import ScorePages

/// The engraved pages of a piece: the full score beside its recordings, as `Tools/engrave-concert` writes it.
struct PracticePages {
    /// The place of a played bar on the pages.
    struct Place: Encodable, Equatable {
        /// The page, counted from 0.
        var page: Int
        /// Fractions of the page's width and height.
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    private let score: EngravedScore

    /// Reads `RECORDINGS/PIECE/pages/score`.
    /// - Parameter bars: the number of played bars of the piece's model; pages of another version are not shown.
    init?(piece: String, recordings: String, bars: Int) {
        let folder = URL(fileURLWithPath: "\(recordings)/\(piece)/pages/score")
        guard let score = try? ScoreEngraver.readEngravedFolder(folder), score.playedOrder.count == bars
        else {
            return nil
        }
        self.score = score
    }

    var pageCount: Int { score.pages.count }

    /// The place of each played bar; nil if a bar stands on no page.
    var places: [Place?] {
        score.playedOrder.map { written in
            score.pageLayout.measureBox(of: written).map { found in
                Place(
                    page: found.page, x: found.box.x, y: found.box.y, width: found.box.width,
                    height: found.box.height)
            }
        }
    }

    /// A page as SVG, compressed with gzip if the flag says so.
    func page(_ number: Int) -> (svg: [UInt8], isCompressed: Bool)? {
        score.pages.indices.contains(number)
            ? (score.pages[number].svg, score.pages[number].isCompressed) : nil
    }
}
