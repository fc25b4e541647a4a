import Rehearsal
import ScorePages

/// Converts remarks from a rehearsal room into annotations on a printed page.
enum RemarkAnnotations {
    /// Converts all remarks of one page, in the drawing order of stands: first highlights, then all other remarks
    /// from old to new.
    /// - Parameters:
    ///   - form: how the page is laid; remarks go with their music.
    ///   - map: where the places of the part's page lie on the printed one, if that is in another key.
    static func annotations(
        _ remarks: [Rehearsal.Remark], on form: PageForm, moved map: RewrittenPageMap? = nil
    ) -> [PageAnnotation] {
        let marks = remarks.map { annotation($0, on: form, moved: map) }
        return marks.filter(\.isHighlight) + marks.filter { !$0.isHighlight }
    }

    static func annotation(
        _ remark: Rehearsal.Remark, on form: PageForm, moved map: RewrittenPageMap? = nil
    ) -> PageAnnotation {
        let colour = AnnotationColour(remark.ink.colour)
        // Rooms measure ink widths as a fraction of the width of the file's page, annotations as a fraction of the
        // height of the page that is printed.
        let height =
            Double(remark.ink.width) / unitsPerPage * form.size.width
            / max(form.uprightSize.height, .leastNormalMagnitude)
        let place = point(
            Double(remark.anchor.x) / unitsPerPage, Double(remark.anchor.y) / unitsPerPage, on: form,
            moved: map)
        return switch remark.shape {
        case .line(let stroke):
            .penStroke(
                strokePoints(stroke, from: remark.anchor, on: form, moved: map), thickness: height,
                colour: colour)
        case .highlight(let stroke):
            .highlighterStroke(
                strokePoints(stroke, from: remark.anchor, on: form, moved: map), thickness: height,
                colour: colour)
        // The ink's width is the line height of a text, which is 1.2 times the font size.
        case .text(let text): .text(text.text, at: place, height: height / 1.2, colour: colour)
        case .stamp(let stamp):
            .stamp(ScorePages.AnnotationStamp(stamp), at: place, height: height, colour: colour)
        }
    }

    private static let unitsPerPage = Double(Rehearsal.PagePoint.unitsPerPage)

    private static func strokePoints(
        _ stroke: Rehearsal.Stroke, from anchor: Rehearsal.PagePoint, on form: PageForm,
        moved map: RewrittenPageMap?
    ) -> [ScorePages.PagePoint] {
        stride(from: 0, to: stroke.coordinates.count, by: 2).map { index in
            point(
                Double(anchor.x + stroke.coordinates[index]) / unitsPerPage,
                Double(anchor.y + stroke.coordinates[index + 1]) / unitsPerPage, on: form, moved: map)
        }
    }

    private static func point(
        _ x: Double, _ y: Double, on form: PageForm, moved map: RewrittenPageMap?
    ) -> ScorePages.PagePoint {
        let place = map?.newPlace(x: x, y: y) ?? (x: x, y: y)
        let shown = form.upright(x: place.x, y: place.y)
        return ScorePages.PagePoint(x: shown.x, y: shown.y)
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
