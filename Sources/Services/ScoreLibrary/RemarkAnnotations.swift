import Rehearsal
import ScorePages

/// Converts remarks from a rehearsal room into annotations on a printed page.
enum RemarkAnnotations {
    /// Converts all remarks of one page, in the drawing order of stands: first highlights, then all other remarks
    /// from old to new.
    /// - Parameter paper: the page's size; only its proportions count.
    static func annotations(_ remarks: [Rehearsal.Remark], on paper: PaperSize) -> [PageAnnotation] {
        let marks = remarks.map { annotation($0, on: paper) }
        return marks.filter(\.isHighlight) + marks.filter { !$0.isHighlight }
    }

    static func annotation(_ remark: Rehearsal.Remark, on paper: PaperSize) -> PageAnnotation {
        let colour = AnnotationColour(remark.ink.colour)
        // Rooms measure ink widths as a fraction of the page's width, annotations as a fraction of its height.
        let height =
            Double(remark.ink.width) / unitsPerPage * paper.width / max(paper.height, .leastNormalMagnitude)
        let place = ScorePages.PagePoint(
            x: Double(remark.anchor.x) / unitsPerPage, y: Double(remark.anchor.y) / unitsPerPage)
        return switch remark.shape {
        case .line(let stroke):
            .penStroke(strokePoints(stroke, from: place), thickness: height, colour: colour)
        case .highlight(let stroke):
            .highlighterStroke(strokePoints(stroke, from: place), thickness: height, colour: colour)
        // The ink's width is the line height of a text, which is 1.2 times the font size.
        case .text(let text): .text(text.text, at: place, height: height / 1.2, colour: colour)
        case .stamp(let stamp):
            .stamp(ScorePages.AnnotationStamp(stamp), at: place, height: height, colour: colour)
        }
    }

    private static let unitsPerPage = Double(Rehearsal.PagePoint.unitsPerPage)

    private static func strokePoints(
        _ stroke: Rehearsal.Stroke, from place: ScorePages.PagePoint
    ) -> [ScorePages.PagePoint] {
        stride(from: 0, to: stroke.coordinates.count, by: 2).map { index in
            ScorePages.PagePoint(
                x: place.x + Double(stroke.coordinates[index]) / unitsPerPage,
                y: place.y + Double(stroke.coordinates[index + 1]) / unitsPerPage)
        }
    }
}

extension PageAnnotation {
    fileprivate var isHighlight: Bool {
        switch self {
        case .highlightedBox, .highlighterStroke: true
        case .penStroke, .text, .stamp: false
        }
    }
}

extension AnnotationColour {
    /// Parses `#rrggbb`. ``Rehearsal/Ink`` has already checked the format.
    fileprivate init(_ colour: String) {
        let value = Int(colour.dropFirst(), radix: 16) ?? 0
        self.init(
            red: Double(value >> 16 & 255) / 255, green: Double(value >> 8 & 255) / 255,
            blue: Double(value & 255) / 255)
    }
}

extension ScorePages.AnnotationStamp {
    package init(_ stamp: Rehearsal.MusicalStamp) {
        self =
            switch stamp {
            case .downBow: .downBow
            case .upBow: .upBow
            case .slur: .slur
            case .pizzicato: .pizzicato
            case .arco: .arco
            case .mute: .mute
            case .breath: .breath
            case .caesura: .caesura
            case .fermata: .fermata
            case .accent: .accent
            case .staccato: .staccato
            case .tenuto: .tenuto
            case .marcato: .marcato
            case .trill: .trill
            case .pianissimo, .piano, .mezzopiano, .mezzoforte, .forte, .fortissimo, .sforzato:
                .dynamicMark(stamp.rawValue)
            case .crescendo: .crescendo
            case .diminuendo: .diminuendo
            case .sharp: .sharp
            case .flat: .flat
            case .natural: .natural
            case .glasses: .glasses
            case .attention: .attention
            }
    }
}
